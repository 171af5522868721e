import { connect } from '../../../src/db/connect.ts'
import { movePages } from '../../../src/queries/catalogue/feed.ts'
import { median, processCpu, processTreeCpu } from '../cpu.ts'
import { call, type CallRequest, load, quantile } from '../load.ts'
import { publishedPath, visitorHeaders } from '../scenarios.ts'
import { type Shop, shopName } from '../seed.ts'
import type { ServiceSide } from '../sides.ts'

/** Cost of a page of a shop, as a multiple of the published list over REST in the same run. */
export interface PageCost {
  name: string
  ratio: number
  limit: number | undefined
  cpu: number
  perSecond: number
  /** Milliseconds that 99 of 100 calls took at most, of eight at a time. */
  p99: number
  /** Of the page as it is sent, compressed. */
  bytes: number
  maxBytes: number
}

interface Parts {
  shop: Shop
  postmaster: number
  service: ServiceSide
  databaseUrl: string
}

type Cost = Pick<PageCost, 'cpu' | 'perSecond' | 'p99'>

interface Effort {
  repetitions: number
  seconds: number
}

/** Pages that are drawn anew before the version moves again: more than connections ask for at once. */
const drawn = { calls: 20, pages: 32 }

/** What every page shows, or nothing that any of them shows, as with most writes. */
type Change = 'the name' | 'nothing'

interface PageScenario {
  name: string
  limit: number | undefined
  maxBytes: number
  /** What changes in the shop before its pages are asked for again, so that each is drawn for its call. */
  change: Change | undefined
  next: () => CallRequest
}

const kilobyte = 1024

async function scenariosOf({ shop, service, databaseUrl }: Parts): Promise<PageScenario[]> {
  const connection = connect(databaseUrl, { max: 1, patient: true })
  const { subDomain } = await connection.db
    .selectFrom('workspaces')
    .select('sub_domain as subDomain')
    .where('id', '=', shop.workspaceId)
    .executeTakeFirstOrThrow()
  const products = await connection.db
    .selectFrom('products')
    .select('slug')
    .where('workspace_id', '=', shop.workspaceId)
    .where('id', 'in', shop.publishedIds.slice(0, drawn.pages))
    .execute()
  await connection.close()
  const headers = {
    Host: `${subDomain}.${new URL(service.site).host.replace('127.0.0.1', 'localhost')}`,
    'User-Agent': 'Mozilla/5.0 (bench)',
    'Accept-Encoding': 'br',
  }
  const lists = Array.from({ length: drawn.pages }, (_, n) => `/products?page=${n + 1}`)
  const kinds = [
    { kind: 'list', paths: lists, limits: [0.8, 0.3, 0.2], maxBytes: 6 * kilobyte },
    {
      kind: 'product',
      paths: products.map(({ slug }) => `/p/${slug}`),
      limits: [0.5, 0.2, 0.2],
      maxBytes: 5 * kilobyte,
    },
  ]
  const scenarios: PageScenario[] = []
  for (const { kind, paths, limits, maxBytes } of kinds) {
    const { headers: sent } = await call(service.site, '', asked(paths[0]!, headers))
    const known = { ...headers, 'If-None-Match': String(sent['etag']) }
    let turn = 0
    const each = () => asked(paths[turn++ % paths.length]!, headers)
    const [drawnLimit, keptLimit, unchangedLimit] = limits
    const same = () => asked(paths[0]!, headers)
    const unchanged = () => asked(paths[0]!, known)
    const ways: Omit<PageScenario, 'maxBytes'>[] = [
      { name: 'drawn', limit: drawnLimit, change: 'the name', next: each },
      { name: 'drawn as it was', limit: undefined, change: 'nothing', next: each },
      { name: 'kept', limit: keptLimit, change: undefined, next: same },
      { name: 'unchanged', limit: unchangedLimit, change: undefined, next: unchanged },
    ]
    for (const way of ways) scenarios.push({ ...way, name: `${kind} page, ${way.name}`, maxBytes })
  }
  return scenarios
}

let visitors = 0

/** Every page is asked for from another address, as visitors do: one alone is held back. */
export function asked(path: string, headers: Record<string, string>): CallRequest {
  const visitor = `198.51.${(visitors >> 8) % 256}.${visitors++ % 256}`
  return { method: 'GET', path, headers: { ...headers, 'X-Forwarded-For': visitor } }
}

/** Measures the pages of the shop beside its published list over REST, in turns. */
export async function measurePages(
  parts: Parts,
  { repetitions, seconds }: Effort,
): Promise<PageCost[]> {
  const { shop, service, databaseUrl } = parts
  const { workspaceId } = shop
  const scenarios = await scenariosOf(parts)
  const connection = connect(databaseUrl, { max: 1, patient: true })
  /** Pages are drawn anew, under another name of the shop if there is one. */
  const move = (name?: string) =>
    connection.db.transaction().execute(async (trx) => {
      if (name !== undefined)
        await trx.updateTable('workspaces').set({ name }).where('id', '=', workspaceId).execute()
      await movePages(trx, workspaceId)
    })
  const rest = (): CallRequest => ({
    method: 'GET',
    path: publishedPath(workspaceId),
    headers: visitorHeaders(shop),
  })

  /** Calls in one or more rounds. What changes before a round is a write, and no page's cost. */
  async function measure(
    round: () => Promise<number[]>,
    { span, change }: { span: number; change?: (round: number) => Promise<void> },
  ): Promise<Cost> {
    const total = () => processCpu(service.pid) + processTreeCpu(parts.postmaster)
    const times: number[] = []
    let [cpu, taken] = [0, 0]
    const begun = performance.now()
    for (let rounds = 0; rounds === 0 || performance.now() - begun < span * 1000; rounds++) {
      await change?.(rounds)
      const [before, startedAt] = [total(), performance.now()]
      times.push(...(await round()))
      cpu += total() - before
      taken += performance.now() - startedAt
    }
    const perSecond = (times.length * 1000) / taken
    return { cpu: cpu / times.length, perSecond, p99: quantile(times, 0.99) }
  }
  async function measurePage({ next, change }: PageScenario, span: number): Promise<Cost> {
    if (!change) {
      const calls = async () => (await load(service.site, '', next, { seconds: span })).times
      return measure(calls, { span: 0 })
    }
    const nameIn = (round: number) => (change === 'the name' ? `${shopName} ${round}` : undefined)
    const calls = async () =>
      (await load(service.site, '', next, { seconds: 60, calls: drawn.calls })).times
    const cost = await measure(calls, { span, change: (round) => move(nameIn(round)) })
    // The tags that readers know are of its pages under this name.
    if (change === 'the name') await move(shopName)
    return cost
  }

  const costs = scenarios.map(() => [] as Cost[])
  const baseline: number[] = []
  try {
    // Until Node has compiled the hot code, a call costs several times as much.
    for (const scenario of scenarios) await measurePage(scenario, 3)
    for (let repetition = 0; repetition < repetitions; repetition++) {
      const restCalls = async () =>
        (await load(service.origin, shop.apiKey, rest, { seconds })).times
      const restCost = await measure(restCalls, { span: 0 })
      baseline.push(restCost.cpu)
      for (const [index, scenario] of scenarios.entries())
        costs[index]!.push(await measurePage(scenario, seconds))
    }
  } finally {
    await connection.close()
  }
  const figures: PageCost[] = []
  for (const [index, { name, limit, maxBytes, next }] of scenarios.entries()) {
    const { headers } = await call(service.site, '', next())
    const middle = (key: keyof Cost) => median(costs[index]!.map((cost) => cost[key]))
    figures.push({
      name,
      limit,
      maxBytes,
      ratio: median(costs[index]!.map(({ cpu }, n) => cpu / baseline[n]!)),
      cpu: middle('cpu'),
      perSecond: middle('perSecond'),
      p99: middle('p99'),
      bytes: Number(headers['content-length'] ?? 0),
    })
  }
  return figures
}
