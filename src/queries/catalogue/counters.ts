import { type Kysely, type RawBuilder, sql, type Transaction } from 'kysely'
import { prepared, tableOf, workspaceRead } from '../../db/prepared.ts'
import { jsonObject, type ReadFields, selectList } from '../../db/read_fields.ts'
import type { Database } from '../../db/schema.ts'
import type { components } from '../../generated/types.ts'
import {
  dueNow,
  type FeedColumns,
  feedColumns,
  type FeedEntry,
  insertEntries,
  takeHead,
} from './feed.ts'

/* Raw SQL: parts of the writes that change a row, its counter and the feed in one statement. */

export interface ProductCounts {
  active: number
  inactive: number
  deleted: number
  outOfStock: number
  /** Version of the catalogue: different after every change of its products. */
  changes: number
}

export interface CatalogueCounts extends ProductCounts {
  mediaTotal: number
  mediaLinked: number
  mediaMultiLinked: number
  tags: number
  collections: number
}

const sum = (column: Counter): RawBuilder<number> =>
  sql`coalesce(sum(c.${sql.ref(column)}), 0)::bigint`

const productFields: ReadFields<ProductCounts> = {
  active: sum('products_active'),
  inactive: sum('products_inactive'),
  deleted: sum('products_deleted'),
  outOfStock: sum('products_out_of_stock'),
  changes: sum('changes'),
}

/** Product counts, from the rows `c` of a workspace's counters. */
export const productCounts = jsonObject(productFields).as('counts')

const sumCounters = workspaceRead<{ workspaceId: string }>()('sum_counters', (db, parameter) =>
  db
    .selectFrom('catalogue_counters as c')
    .select(
      selectList<CatalogueCounts>({
        ...productFields,
        mediaTotal: sum('media_total'),
        mediaLinked: sum('media_linked'),
        mediaMultiLinked: sum('media_multi_linked'),
        tags: sum('tags_total'),
        collections: sum('collections_total'),
      }),
    )
    .where('c.workspace_id', '=', parameter('workspaceId')),
)

/** The workspace's counts, from the maintained counters. */
export async function getCatalogueCounts(
  db: Kysely<Database>,
  workspaceId: string,
): Promise<CatalogueCounts> {
  const [counts] = await sumCounters(db, { workspaceId })
  return counts!
}

type Counter = Exclude<keyof Database['catalogue_counters'], 'workspace_id' | 'slot'>

/** What a write adds to each counter of its workspace. */
export type CounterChange = Record<Counter, number>

const unchanged: CounterChange = {
  products_active: 0,
  products_inactive: 0,
  products_deleted: 0,
  products_out_of_stock: 0,
  media_total: 0,
  media_linked: 0,
  media_multi_linked: 0,
  tags_total: 0,
  collections_total: 0,
  changes: 0,
}
const counters = Object.keys(unchanged) as Counter[]

type CountedProduct = Pick<components['schemas']['Product'], 'status' | 'stock'>

function countsOf({ status, stock }: CountedProduct): Partial<CounterChange> {
  return {
    [`products_${status.toLowerCase()}`]: 1,
    products_out_of_stock: status !== 'DELETED' && stock === 0 ? 1 : 0,
  }
}

/** The change of a product; it is new without `before`, and deleted without `after`. */
export function changeOfProduct({
  before,
  after,
}: {
  before?: CountedProduct
  after?: CountedProduct
}): CounterChange {
  const change = { ...unchanged, changes: 1 }
  const [minus, plus] = [before ? countsOf(before) : {}, after ? countsOf(after) : {}]
  for (const counter of counters) change[counter] += (plus[counter] ?? 0) - (minus[counter] ?? 0)
  return change
}

/** Whether a product that was for sale has run out. */
export function runsOut(before: CountedProduct, after: CountedProduct): boolean {
  const isListed = before.status !== 'DELETED' && after.status !== 'DELETED'
  return isListed && before.stock > 0 && after.stock === 0
}

/**
 * Adds to the counters of a workspace. There are 64 rows of them, of which a connection writes to one, so
 * writers of a workspace rarely meet; readers add them up. Comes last in its transaction, except for the
 * feed: a writer that holds a counter waits for nothing that another writer could hold.
 */
export function addToCounters(
  workspaceId: RawBuilder<unknown>,
  added: (counter: Counter) => RawBuilder<unknown>,
  from: RawBuilder<unknown>,
): RawBuilder<unknown> {
  const names = sql.join(counters.map((counter) => sql.ref(counter)))
  const sums = counters.map((counter) => {
    const column = sql.ref(counter)
    return sql`${column} = c.${column} + excluded.${column}`
  })
  return sql`insert into ${tableOf('catalogue_counters')} as c (workspace_id, slot, ${names})
    select ${workspaceId}, pg_backend_pid() % 64, ${sql.join(counters.map(added))} ${from}
    on conflict (workspace_id, slot) do update set ${sql.join(sums)} returning slot`
}

/** Changes of two counters: images of `used` that are in use at all, and by several. */
export const linkedImages = {
  media_linked: sql`count(*) filter (where uses >= 1) - count(*) filter (where uses_before >= 1)`,
  media_multi_linked: sql`
    count(*) filter (where uses >= 2) - count(*) filter (where uses_before >= 2)`,
}

type ChangeParameters = CounterChange &
  FeedColumns & { workspaceId: string; imageIds: string[]; uses: number[]; now: Date }

const countChange = prepared<ChangeParameters>()('count_change', (_db, parameter) => {
  const workspaceId = parameter('workspaceId')
  const columns = {
    kinds: sql`${parameter('kinds')}::text[]`,
    resourceIds: sql`${parameter('resourceIds')}::text[]`,
    actions: sql`${parameter('actions')}::text[]`,
  }
  const added = (counter: Counter) => {
    const change = sql`${parameter(counter)}::bigint`
    return counter in linkedImages
      ? sql`${change} + ${linkedImages[counter as keyof typeof linkedImages]}`
      : change
  }
  return sql`
    with used as (
      update ${tableOf('media')} m set usage_count = m.usage_count + image.uses
      from unnest(${parameter('imageIds')}::text[], ${parameter('uses')}::integer[])
        as image (id, uses)
      where m.workspace_id = ${workspaceId} and m.id = image.id
      returning m.usage_count as uses, m.usage_count - image.uses as uses_before),
    counted as (${addToCounters(sql`${workspaceId}::text`, added, sql`from used`)}),
    head as (${takeHead(
      sql`${workspaceId}::text`,
      columns.kinds,
      sql`from counted where cardinality(${columns.kinds}) > 0`,
    )})
    ${insertEntries(sql`${workspaceId}::text`, columns, sql`${parameter('now')}::timestamptz`)}`
})

/** What a write has changed. */
interface WrittenChange {
  counters?: Partial<CounterChange>
  /** The change in the number of uses of each image, by id. The caller has locked the images. */
  images?: ReadonlyMap<string, number>
  /** The resources that followers of the change feed must read again. */
  entries: readonly FeedEntry[]
}

/** Counts a write and records it in the change feed, in one statement. */
export async function recordChange(
  trx: Transaction<Database>,
  workspaceId: string,
  { counters: change = {}, images = new Map(), entries }: WrittenChange,
  now: Date,
): Promise<void> {
  const changes = { ...unchanged, ...change }
  const [imageIds, uses] = [[...images.keys()], [...images.values()]]
  const feed = feedColumns(dueNow(trx, workspaceId, entries))
  await countChange(trx, { ...changes, workspaceId, imageIds, uses, ...feed, now })
}

/** The change in the number of uses of each image after a write; images without a change are left out. */
export function changedUses(
  before: readonly string[],
  after: readonly string[],
): Map<string, number> {
  const uses = new Map<string, number>()
  for (const id of after) uses.set(id, (uses.get(id) ?? 0) + 1)
  for (const id of before) uses.set(id, (uses.get(id) ?? 0) - 1)
  return new Map([...uses].filter(([, more]) => more !== 0))
}
