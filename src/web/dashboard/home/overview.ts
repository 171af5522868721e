import { api, ask, type Schemas } from '../../api.ts'
import { type Membership, mayUse } from '../../session.ts'

/** What the home page knows; undefined where the role may not know it. */
export interface Overview {
  products?: Schemas['ProductList']['summary']
  linkedPictures?: number
  collections?: number
  /** Whether the website says anything of its own. */
  hasTexts?: boolean
  /** Whether a key or an agent can use the workspace. */
  isConnected?: boolean
  wallet?: Schemas['Wallet']
  visits?: number
  questions?: number
  latest?: Schemas['Activity'][]
}

const base = '/v1/workspaces/{workspaceId}'

/** Everything at once, with one small call for each part that the role may see. */
export async function readOverview({ workspaceId, role }: Membership): Promise<Overview> {
  const may = (tag: Parameters<typeof mayUse>[1]) => mayUse(role, tag)
  const path = { workspaceId }
  const one = { path, query: { pageSize: 1 } }
  const parts: Promise<Overview>[] = []
  if (may('products')) parts.push(readCatalogue(workspaceId))
  if (may('website'))
    parts.push(
      ask(api.GET(`${base}/website`, { params: { path } })).then(({ headline, about }) => ({
        hasTexts: headline !== '' || about !== '',
      })),
      readConnections(),
    )
  if (may('wallet'))
    parts.push(ask(api.GET(`${base}/wallet`, { params: { path } })).then((wallet) => ({ wallet })))
  if (may('usage')) parts.push(readToday(workspaceId))
  if (may('activity')) {
    const params = { ...one, query: { pageSize: 5 } }
    const call = api.GET('/api/workspaces/{workspaceId}/activity', { params })
    parts.push(ask(call).then(({ activities }) => ({ latest: activities })))
  }
  return Object.assign({}, ...(await Promise.all(parts))) as Overview
}

async function readCatalogue(workspaceId: string): Promise<Overview> {
  const path = { workspaceId }
  const params = { path, query: { pageSize: 1, view: 'summary' as const } }
  const [products, collections, media] = await Promise.all([
    ask(api.GET(`${base}/products`, { params })),
    ask(api.GET(`${base}/collections`, { params })),
    ask(api.GET(`${base}/media`, { params: { path, query: { pageSize: 1 } } })),
  ])
  return {
    products: products.summary,
    collections: collections.pagination.total,
    linkedPictures: media.summary.linked,
  }
}

async function readConnections(): Promise<Overview> {
  const [{ keys }, { connections }] = await Promise.all([
    ask(api.GET('/api/keys')),
    ask(api.GET('/api/connections')),
  ])
  const isLive = ({ revokedAt, expiresAt }: { revokedAt: string | null; expiresAt: string }) =>
    revokedAt === null && Date.parse(expiresAt) > Date.now()
  return { isConnected: keys.some(isLive) || connections.some(isLive) }
}

/** Today in UTC, as the quotas count it. */
async function readToday(workspaceId: string): Promise<Overview> {
  const today = new Date().toISOString().slice(0, 10)
  const range = { from: today, to: today, pageSize: 1 }
  const path = { workspaceId }
  const [visits, report] = await Promise.all([
    ask(
      api.GET(`${base}/usage/events`, {
        params: { path, query: { ...range, eventName: 'visit' } },
      }),
    ),
    ask(api.GET(`${base}/usage`, { params: { path, query: range } })),
  ])
  return { visits: visits.pagination.total, questions: report.totals.requests }
}
