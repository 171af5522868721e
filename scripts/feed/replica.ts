import { callShop, type FeedShop } from './shop.ts'

/** What a follower keeps, always together: its cursor, and each resource by its id. */
export interface Replica {
  cursor: string | undefined
  resources: Record<string, unknown>
}

interface Page {
  changes: { kind: string; id: string; action: string }[]
  cursor: string
  hasMore: boolean
}

const paths: Record<string, (id: string) => string> = {
  PRODUCT: (id) => `products/${id}`,
  COLLECTION: (id) => `collections/${id}`,
  TAG: (id) => `tags/${id}`,
  MEDIA: (id) => `media/${id}`,
  WEBSITE: () => 'website',
}

/** A resource's own values and links: what it shows of others has entries of its own. */
export function ownOf(resource: unknown): unknown {
  const linked = (value: unknown): unknown =>
    value !== null && typeof value === 'object' && 'id' in value ? value.id : value
  const entries = Object.entries(resource as object).map(([name, value]: [string, unknown]) => [
    name,
    Array.isArray(value) ? value.map(linked) : linked(value),
  ])
  const own = Object.fromEntries(entries) as Record<string, unknown>
  // Counted by those that use it.
  delete own.usageCount
  // Each process names its own address, where none is set.
  if (typeof own.url === 'string') own.url = new URL(own.url).pathname
  return own
}

/**
 * Follows one page, as the guide says; the next replica, or undefined where the service is gone
 * midway, after which the page is read again.
 */
export async function followPage(
  api: string,
  shop: FeedShop,
  { cursor, resources }: Replica,
): Promise<(Replica & { hasMore: boolean }) | undefined> {
  const query = cursor === undefined ? '' : `&after=${cursor}`
  const answer = await callShop(api, shop, `changes?limit=200${query}`)
  if (!answer || answer.status >= 500) return undefined
  if (answer.status !== 200) throw new Error(JSON.stringify(answer.json))
  const page = answer.json as Page
  const next = { ...resources }
  const changed = new Map(page.changes.map(({ id, kind, action }) => [id, { kind, action }]))
  for (const [id, { kind, action }] of changed) {
    if (action === 'DELETE') {
      delete next[id]
      continue
    }
    const read = await callShop(api, shop, paths[kind]!(id))
    if (!read || read.status >= 500) return undefined
    if (read.status === 404) delete next[id]
    else next[id] = ownOf(read.json)
  }
  return { cursor: page.cursor, resources: next, hasMore: page.hasMore }
}

/** The workspace as it stands, read from its lists. */
export async function readSource(api: string, shop: FeedShop): Promise<Record<string, unknown>> {
  const resources: Record<string, unknown> = {}
  for (const [list, kind] of [
    ['products', 'PRODUCT'],
    ['collections', 'COLLECTION'],
    ['tags', 'TAG'],
    ['media', 'MEDIA'],
  ] as const)
    for (let page = 1; ; page++) {
      const answer = await callShop(api, shop, `${list}?pageSize=100&page=${page}`)
      const body = answer!.json as Record<string, { id: string }[]> & {
        pagination: { hasNextPage: boolean }
      }
      for (const { id } of body[list]!)
        resources[id] = ownOf((await callShop(api, shop, paths[kind]!(id)))!.json)
      if (!body.pagination.hasNextPage) break
    }
  resources[shop.workspaceId] = ownOf((await callShop(api, shop, 'website'))!.json)
  return resources
}
