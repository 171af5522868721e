import { api, ask, type Failure, type Schemas } from '../../api.ts'
import { asFailure } from '../../kit/shell/use_load.ts'
import { type Membership, mayUse } from '../../session.ts'
import { shopDays } from '../../time.ts'
import { soldOut } from '../products/sold_out.ts'

/** What the home page knows; undefined where the role may not know it. */
export interface Overview {
  products?: Schemas['ProductList']['summary']
  /** How many products visitors read as sold out. */
  soldOut?: number
  linkedPictures?: number
  collections?: number
  /** Whether the website says anything of its own. */
  hasTexts?: boolean
  /** Whether a key or an agent can use the workspace. */
  isConnected?: boolean
  wallet?: Schemas['Wallet']
  /** Whether the wallet has ever had an entry. */
  hadCredits?: boolean
  /** What the assistant could not answer: the most asked, and how many there are. */
  unanswered?: { questions: Schemas['UnansweredQuestion'][]; total: number }
  latest?: Schemas['Activity'][]
  /** Change sets of agents that need approval: the first of them, and how many there are. */
  waiting?: { sets: Schemas['ChangeSet'][]; total: number }
  /** The last seven days of the shop and the seven before. */
  week?: Schemas['Insights']
  /** Why these days cannot be told; the rest of the page is worth reading without them. */
  weekFailure?: Failure
  /** What visitors of these days searched for in vain. */
  missed?: Schemas['SiteCount'][]
}

export const weekDays = 7

const base = '/v1/workspaces/{workspaceId}'

/**
 * Everything at once, with one small call for each part that the role may see: what came later would move what
 * is read already.
 */
export async function readOverview(membership: Membership): Promise<Overview> {
  const { workspaceId, role } = membership
  const may = (tag: Parameters<typeof mayUse>[1]) => mayUse(role, tag)
  const path = { workspaceId }
  const parts: Promise<Overview>[] = []
  if (may('products')) parts.push(readCatalogue(workspaceId))
  if (may('website'))
    parts.push(
      ask(api.GET(`${base}/website`, { params: { path } })).then(({ headline, about }) => ({
        hasTexts: headline !== '' || about !== '',
      })),
      readConnections(),
    )
  if (may('wallet')) parts.push(readWallet(workspaceId))
  if (may('questions')) parts.push(readUnanswered(workspaceId))
  if (may('usage')) parts.push(readWeek(membership))
  if (may('change_sets')) parts.push(readWaiting(workspaceId))
  if (may('activity')) {
    const params = { path, query: { pageSize: 5 } }
    const call = api.GET('/v1/workspaces/{workspaceId}/activity', { params })
    parts.push(ask(call).then(({ activities }) => ({ latest: activities })))
  }
  return Object.assign({}, ...(await Promise.all(parts))) as Overview
}

async function readCatalogue(workspaceId: string): Promise<Overview> {
  const path = { workspaceId }
  const params = { path, query: { pageSize: 1, view: 'summary' as const } }
  const [products, collections, media] = await Promise.all([
    ask(api.GET(`${base}/products`, { params: { path, query: { ...soldOut, pageSize: 1 } } })),
    ask(api.GET(`${base}/collections`, { params })),
    ask(api.GET(`${base}/media`, { params: { path, query: { pageSize: 1 } } })),
  ])
  return {
    products: products.summary,
    soldOut: products.pagination.total,
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

async function readWallet(workspaceId: string): Promise<Overview> {
  const path = { workspaceId }
  const query = { pageSize: 1 }
  const [wallet, entries] = await Promise.all([
    ask(api.GET(`${base}/wallet`, { params: { path } })),
    ask(api.GET(`${base}/wallet/entries`, { params: { path, query } })),
  ])
  return { wallet, hadCredits: entries.pagination.total > 0 }
}

function readWeek({ workspaceId, timeZone }: Membership): Promise<Overview> {
  const params = { path: { workspaceId }, query: shopDays(weekDays, timeZone) }
  const parts = Promise.all([
    ask(api.GET('/api/workspaces/{workspaceId}/insights', { params })),
    ask(api.GET('/api/workspaces/{workspaceId}/site-figures', { params })),
  ])
  return parts.then(
    ([week, { missed }]) => ({ week, missed }),
    (error: unknown) => ({ weekFailure: asFailure(error) }),
  )
}

async function readWaiting(workspaceId: string): Promise<Overview> {
  const params = { path: { workspaceId }, query: { waiting: true, pageSize: 3 } }
  const { changeSets, pagination } = await ask(api.GET(`${base}/change-sets`, { params }))
  return { waiting: { sets: changeSets, total: pagination.total } }
}

async function readUnanswered(workspaceId: string): Promise<Overview> {
  const params = { path: { workspaceId }, query: { pageSize: 3 } }
  const { questions, pagination } = await ask(api.GET(`${base}/questions/unanswered`, { params }))
  return { unanswered: { questions, total: pagination.total } }
}
