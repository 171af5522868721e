import { Link, useLocation } from 'wouter-preact'
import { api, ask } from '../api.ts'
import { useLoad } from '../kit/shell/use_load.ts'
import { texts } from '../language.ts'
import { mayUse, type Membership } from '../session.ts'

/** How a wallet stands that its members should hear of. */
type Shortage = { kind: 'none' } | { kind: 'empty' } | { kind: 'low'; available: number }

/** Reads the wallet, and what its owner wants to know of it. */
async function readShortage(workspaceId: string): Promise<Shortage> {
  const params = { path: { workspaceId } }
  const [{ available }, { below }] = await Promise.all([
    ask(api.GET('/v1/workspaces/{workspaceId}/wallet', { params })),
    ask(api.GET('/api/workspaces/{workspaceId}/balance-alert', { params })),
  ])
  if (available > 0)
    return below !== null && available < below ? { kind: 'low', available } : { kind: 'none' }
  // A wallet that never had credits is a step of the checklist, and no reason for a warning.
  const { pagination } = await ask(
    api.GET('/v1/workspaces/{workspaceId}/wallet/entries', {
      params: { ...params, query: { pageSize: 1 } },
    }),
  )
  return pagination.total > 0 ? { kind: 'empty' } : { kind: 'none' }
}

/** On every page of those who can buy credits: none are left, or fewer than the owner wants. */
export function LowBalance({ membership }: { membership: Membership }) {
  const { workspaceId, workspaceStatus, role } = membership
  const t = texts('home')
  const [path] = useLocation()
  const mayBuy = workspaceStatus === 'ACTIVE' && mayUse(role, 'wallet') && mayUse(role, 'credits')
  // Where the balance or the threshold may have changed.
  const place = ['home', 'wallet'].find((name) => path.endsWith(`/${name}`))
  const load = useLoad<Shortage>(
    () => (mayBuy ? readShortage(workspaceId) : Promise.resolve({ kind: 'none' })),
    [workspaceId, role, place],
  )
  const shortage = load.value
  if (!shortage || shortage.kind === 'none') return null
  return (
    <section class="banner warning row notice" aria-label={t('lowBalance')}>
      <span class="grow">
        {shortage.kind === 'empty'
          ? t('noCredits')
          : t('fewCredits', { count: shortage.available })}
      </span>
      {place === 'wallet' ? null : (
        <Link class="button" href={`/w/${workspaceId}/wallet`}>
          {t('buyCredits')}
        </Link>
      )}
    </section>
  )
}
