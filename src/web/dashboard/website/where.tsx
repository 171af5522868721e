import { CopyButton } from '../../kit/shell/copy.tsx'
import { texts } from '../../language.ts'
import { apiOrigin, useWorkspace } from '../../session.ts'

/** Says where the site lives: on a server of the owner's, which reads this workspace. */
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
      {facts.map(([label, value]) => (
        <div key={label}>
          <span class="label">{label}</span>
          <p>
            <code class="break">{value}</code>
          </p>
          <CopyButton text={value} label={t('copyNamed', { name: label })} />
        </div>
      ))}
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
