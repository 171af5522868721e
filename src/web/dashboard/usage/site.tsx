import { api, ask, type Schemas } from '../../api.ts'
import { Loaded } from '../../kit/shell/states.tsx'
import { useLoad } from '../../kit/shell/use_load.ts'
import { formatNumber, texts } from '../../language.ts'
import { useWorkspace } from '../../session.ts'

const lists = ['pages', 'referrers', 'missed', 'shops'] as const

/** What was read, searched for in vain and left for; nothing where no visitor came. */
export function Site({ from, to }: { from: string; to: string }) {
  const { workspaceId, timeZone } = useWorkspace()
  const t = texts('usage')
  const params = { path: { workspaceId }, query: { from, to, days: 'SHOP' } } as const
  const load = useLoad(
    (signal) => ask(api.GET('/api/workspaces/{workspaceId}/site-figures', { signal, params })),
    [workspaceId, from, to, timeZone],
  )
  return (
    <Loaded load={load}>
      {(figures) =>
        lists.every((list) => figures[list].length === 0) ? null : (
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
