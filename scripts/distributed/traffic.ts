import { setTimeout as delay } from 'node:timers/promises'
import { exampleOf } from '../../src/core/examples.ts'
import type { DistributedShops, Shop } from './shops.ts'

/** What clients saw while something happened to the cluster. */
export interface Traffic {
  /** How often each status occurred; a 503 without Retry-After counts as `503 without Retry-After`. */
  statuses: Record<string, number>
  longestMilliseconds: number
  /** Reads that did not show a write that was acknowledged before them. */
  stale: number
  /** Products whose creation was acknowledged. */
  created: CreatedProduct[]
}

export interface CreatedProduct {
  workspaceId: string
  id: string
  /** The stock of an update that was acknowledged. */
  stock?: number
}

interface TrafficAnswer {
  status: string
  body: Record<string, unknown>
}

const clients = 8
let counter = 0

/** Reads and writes of all shops, from several clients at once, for as long as `work` takes. */
export async function duringTraffic(
  shops: DistributedShops,
  work: () => Promise<void>,
): Promise<Traffic> {
  const traffic: Traffic = { statuses: {}, longestMilliseconds: 0, stale: 0, created: [] }
  const end = new AbortController()
  const running = Array.from({ length: clients }, () => runClient(shops, traffic, end.signal))
  try {
    await work()
  } finally {
    end.abort()
  }
  await Promise.all(running)
  return traffic
}

async function runClient(
  shops: DistributedShops,
  traffic: Traffic,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    const shop = shops.shops[counter++ % shops.shops.length]!
    const { body, status } = await timed(traffic, () => createProduct(shops, shop))
    if (status === '200') {
      const product = { workspaceId: shop.workspaceId, id: body['id'] as string }
      traffic.created.push(product)
      await changeAndRead(shops, traffic, product)
    }
    await timed(traffic, () => read(shops, `${shop.path}/products?search=traffic`))
    await timed(traffic, () => read(shops, `${shop.path}/wallet`))
    // A client that is turned away comes back, but not at once.
    if (status !== '200') await delay(20)
  }
}

/** Changes a product that no other client changes, and reads it. */
async function changeAndRead(
  shops: DistributedShops,
  traffic: Traffic,
  product: CreatedProduct,
): Promise<void> {
  const path = pathOf(product)
  const stock = counter++
  const { status } = await timed(traffic, () => send(shops, 'PATCH', path, { stock }))
  if (status === '200') product.stock = stock
  const found = await timed(traffic, () => read(shops, path))
  if (status === '200' && found.status === '200' && found.body['stock'] !== stock) traffic.stale++
}

export const pathOf = ({ workspaceId, id }: CreatedProduct) =>
  `/v1/workspaces/${workspaceId}/products/${id}`

async function timed(traffic: Traffic, call: () => Promise<TrafficAnswer>): Promise<TrafficAnswer> {
  const startedAt = performance.now()
  const answer = await call()
  const took = performance.now() - startedAt
  traffic.longestMilliseconds = Math.max(traffic.longestMilliseconds, took)
  traffic.statuses[answer.status] = (traffic.statuses[answer.status] ?? 0) + 1
  return answer
}

function createProduct(shops: DistributedShops, { path }: Shop): Promise<TrafficAnswer> {
  const number = counter++
  const product = {
    ...exampleOf('ProductUpdate'),
    name: `Traffic ${number}`,
    sku: `traffic-${number}`,
    barcode: `traffic-${number}`,
    imageIds: [],
    tagIds: [],
  }
  return send(shops, 'POST', `${path}/products`, product)
}

export const read = (shops: DistributedShops, path: string): Promise<TrafficAnswer> =>
  send(shops, 'GET', path)

async function send(
  { origin, apiKey }: DistributedShops,
  method: 'GET' | 'POST' | 'PATCH',
  path: string,
  body?: object,
): Promise<TrafficAnswer> {
  const answer = await fetch(`${origin}${path}`, {
    method,
    headers: { Authorization: `Bearer ${apiKey}`, 'Content-Type': 'application/json' },
    ...(body ? { body: JSON.stringify(body) } : {}),
  })
  const json = (await answer.json()) as Record<string, unknown>
  const patient = answer.status !== 503 || answer.headers.has('Retry-After')
  return { status: patient ? `${answer.status}` : '503 without Retry-After', body: json }
}
