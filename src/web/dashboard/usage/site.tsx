import { api, ask, type Schemas } from '../../api.ts'
import { Loaded } from '../../kit/shell/states.tsx'
import { useLoad } from '../../kit/shell/use_load.ts'
import { formatNumber, type TextKey, texts } from '../../language.ts'
import { useWorkspace } from '../../session.ts'

const others = ['referrers', 'missed', 'shops'] as const

/** The pages that are no product's, collection's or tag's, by their paths. */
const pages = {
  '/': 'read.home',
  '/products': 'read.products',
  '/collections': 'read.collections',
  '/search': 'read.search',
  '/about': 'read.about',
  '/faq': 'read.faq',
  '/routine': 'read.routine',
  '/face': 'read.face',
  '/privacy': 'read.privacy',
} as const

/** What people call a page; its path where it has no name any more. */
function titleOf(
  { name, title }: Schemas['PageCount'],
  t: (key: TextKey<'usage'>) => string,
): string {
  if (title !== null) return title
  return name in pages ? t(pages[name as keyof typeof pages]) : name
}

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
        [figures.pages, ...others.map((list) => figures[list])].every(
          ({ length }) => length === 0,
        ) ? null : (
          <section class="stack" aria-labelledby="site">
            <h2 id="site">{t('site')}</h2>
            <p class="muted">{t('siteHint')}</p>
            <div class="cards lists">
              <SiteList
                title={t('site.pages')}
                counts={figures.pages.map((page) => ({ ...page, title: titleOf(page, t) }))}
              />
              {others.map((list) => (
                <SiteList key={list} title={t(`site.${list}`)} counts={figures[list]} />
              ))}
            </div>
          </section>
        )
      }
    </Loaded>
  )
}

/** A count, and what it is called where that is not its name. */
type Counted = Schemas['SiteCount'] & { title?: string }

interface SiteListProps {
  title: string
  counts: Counted[]
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
export function Counts({ counts }: { counts: readonly Counted[] }) {
  return (
    <ol class="plain-list">
      {counts.map(({ name, title = name, count }) => (
        <li key={name} class="row nowrap">
          <span class="grow break">{title}</span>
          <b>{formatNumber(count)}</b>
        </li>
      ))}
    </ol>
  )
}
