import { CopyButton } from '../../kit/shell/copy.tsx'
import { texts } from '../../language.ts'
import { apiOrigin, shopAddressOf, useWorkspace } from '../../session.ts'
import { Facts } from './facts.tsx'

/** The address of the shop's own pages, to visit and to send around. */
export function ShopAddress() {
  const t = texts('website')
  const membership = useWorkspace()
  const address = shopAddressOf(membership)
  if (address === undefined) return null
  return (
    <section class="card" aria-labelledby="address">
      <h2 id="address">{t('address')}</h2>
      {membership.isNameApproved ? null : <p class="banner">{t('addressWaits')}</p>}
      <p>{t('addressHint')}</p>
      <p>
        <Address of={address} />
      </p>
      <div class="row">
        <VisitLink to={address} />
        <CopyButton text={address} label={t('copyNamed', { name: t('address') })} />
      </div>
    </section>
  )
}

/** The address of the shop's own pages and the way there, beside a title; nothing where there are none. */
export function WhereToVisit() {
  const address = shopAddressOf(useWorkspace())
  if (address === undefined) return null
  return (
    <>
      <Address of={address} />
      <VisitLink to={address} />
    </>
  )
}

function Address({ of }: { of: string }) {
  return <code class="break">{of}</code>
}

function VisitLink({ to }: { to: string }) {
  return (
    <a class="button" href={to} target="_blank" rel="noopener">
      {texts('website')('visit')}
    </a>
  )
}

/** The line that brings the assistant to a page of the owner's own site. */
export function WidgetLine() {
  const t = texts('website')
  const address = shopAddressOf(useWorkspace())
  if (address === undefined) return null
  const line = `<script src="${address}/widget.js" async data-product="…"></script>`
  return (
    <section class="card" aria-labelledby="widget">
      <h2 id="widget">{t('widget')}</h2>
      <p>{t('widgetHint')}</p>
      <pre tabIndex={0} aria-label={t('widgetSnippet')}>
        {line}
      </pre>
      <CopyButton text={line} label={t('copyNamed', { name: t('widgetSnippet') })} />
    </section>
  )
}

/** Says how a site of the owner's own reads this workspace. */
export function WhereItLives() {
  const t = texts('website')
  const { workspaceId } = useWorkspace()
  const address = `${apiOrigin()}/v1/workspaces/${workspaceId}/experience`
  const snippet = [
    `const answer = await fetch('${address}/products', {`,
    '  headers: { Authorization: `Bearer ${process.env.VITRINE_KEY}` },',
    '})',
    'const { products } = await answer.json()',
  ].join('\n')
  const facts = [
    [t('workspaceId'), workspaceId],
    [t('apiAddress'), address],
  ] as const
  return (
    <section class="card" aria-labelledby="where">
      <h2 id="where">{t('where')}</h2>
      <p>{t('whereHint')}</p>
      <Facts facts={facts} />
      <pre tabIndex={0} aria-label={t('snippet')}>
        {snippet}
      </pre>
      <div class="row">
        <CopyButton text={snippet} label={t('copyNamed', { name: t('snippet') })} />
        <a href={`${apiOrigin()}/docs`}>{texts('home')('docsLink')}</a>
      </div>
    </section>
  )
}
