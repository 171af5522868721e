import { api, ask, type Schemas } from '../../api.ts'
import { Loaded } from '../../kit/shell/states.tsx'
import { type Load, useLoad } from '../../kit/shell/use_load.ts'
import { formatNumber, texts } from '../../language.ts'
import { mayUse, useWorkspace } from '../../session.ts'
import type { shopDays } from '../../time.ts'

type Figures = Schemas['SiteFigures']

/** What happened on the shop's own pages in the days; null where the role may not know. */
export function useSiteFigures(query: ReturnType<typeof shopDays>): Load<Figures | null> {
  const { workspaceId, role, timeZone } = useWorkspace()
  const params = { path: { workspaceId }, query }
  return useLoad<Figures | null>(
    (signal) =>
      mayUse(role, 'usage')
        ? ask(api.GET('/api/workspaces/{workspaceId}/site-figures', { signal, params }))
        : Promise.resolve(null),
    [workspaceId, query.from, query.to, timeZone],
  )
}

const lists = ['pages', 'referrers', 'missed', 'shops'] as const

/** What was read, searched for in vain and left for; nothing where no visitor came. */
export function Site({ from, to }: { from: string; to: string }) {
  const t = texts('usage')
  return (
    <Loaded load={useSiteFigures({ from, to, days: 'SHOP' })}>
      {(figures) =>
        !figures || lists.every((list) => figures[list].length === 0) ? null : (
          <section class="stack" aria-labelledby="site">
            <h2 id="site">{t('site')}</h2>
            <p class="muted">{t('siteHint')}</p>
            <div class="cards lists">
              {lists.map((list) => (
                <SiteList key={list} title={t(`site.${list}`)} counts={figures[list]} />
              ))}
            </div>
          </section>
        )
      }
    </Loaded>
  )
}

interface SiteListProps {
  title: string
  counts: Schemas['SiteCount'][]
}

function SiteList({ title, counts }: SiteListProps) {
  if (counts.length === 0) return null
  return (
    <section class="card" aria-label={title}>
      <h3>{title}</h3>
      <Counts counts={counts} />
    </section>
  )
}

/** Names with how often each was counted. */
export function Counts({ counts }: { counts: readonly Schemas['SiteCount'][] }) {
  return (
    <ol class="plain-list">
      {counts.map(({ name, count }) => (
        <li key={name} class="row nowrap">
          <span class="grow break">{name}</span>
          <b>{formatNumber(count)}</b>
        </li>
      ))}
    </ol>
  )
}
