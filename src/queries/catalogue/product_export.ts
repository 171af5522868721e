import { type Kysely, sql } from 'kysely'
import { csvLine, listItem } from '../../core/csv.ts'
import { nameKeysOf } from '../../core/text.ts'
import { selectList } from '../../db/read_fields.ts'
import type { Database } from '../../db/schema.ts'
import type { components } from '../../generated/types.ts'
import { storedProduct } from './product_fields.ts'
import { conditionsOf, filterValuesOf, type ProductFilters } from './product_filters.ts'
import { findProductIds } from './product_lists.ts'
import { groupsOf, type Weight } from './weighed_rows.ts'

/* Raw SQL: lists are weighed, and links aggregated, by expressions that the lists share. */

type Stored = Omit<components['schemas']['ProductUpdate'], 'imageIds' | 'tagIds'>

/**
 * A product as a row for the import; tags and collections by name if the name is unambiguous, else by id.
 */
interface ExportedProduct extends Stored {
  id: string
  tags: string[]
  collections: string[]
  images: string[]
}

type LinkedName = { id: string; name: string }
type StoredProduct = Omit<ExportedProduct, 'tags' | 'collections'> & {
  tags: LinkedName[]
  collections: LinkedName[]
}

type Column = keyof ExportedProduct

const stored = storedProduct.readFrom('p')

/** The columns of the file, in order: every stored field, with sales at the end. */
const allColumns: readonly Column[] = [
  'id',
  ...(Object.keys(stored) as (keyof Stored)[]).filter((field) => field !== 'sales'),
  'tags',
  'collections',
  'images',
  'sales',
]

export interface ExportForm {
  format: 'csv' | 'ndjson'
  /** Whether the reader may see collections. Without their column an import leaves them alone. */
  withCollections: boolean
}

const idsOfPage = 500

/**
 * The products of a filter as the lines of a file, oldest first, or ranked if there is a search. Each part
 * is a group of products of limited size, read once the part before it was taken: while the reader is slow,
 * no connection is held and nothing large is kept. A product that changes meanwhile is exported as it is
 * when read.
 */
export async function* exportProducts(
  db: Kysely<Database>,
  workspaceId: string,
  filters: ProductFilters,
  { format, withCollections }: ExportForm,
): AsyncIterable<string> {
  const columns = allColumns.filter((column) => withCollections || column !== 'collections')
  const ambiguous = await findAmbiguous(db, workspaceId)
  if (format === 'csv') yield csvLine(columns)
  for await (const weights of listWeights(db, workspaceId, filters))
    for (const ids of groupsOf(weights)) {
      const products = await readProducts(db, workspaceId, ids)
      const lines = products.map((product) => lineOf(named(product, ambiguous), columns, format))
      if (lines.length > 0) yield lines.join('')
    }
}

/** The ids and weights of the matches, in batches. */
async function* listWeights(
  db: Kysely<Database>,
  workspaceId: string,
  filters: ProductFilters,
): AsyncIterable<Weight[]> {
  const isSearch = filters.search.trim() !== ''
  const sent = new Set<string>()
  for (let page = 1, after = ''; ; page++) {
    const found = isSearch
      ? await findSearchedIds(db, workspaceId, filters, page)
      : await findIdsAfter(db, workspaceId, filters, after)
    if (found.length === 0) return
    after = found.at(-1)!
    // A search has no stable order to continue from: products that moved to a later page are not repeated.
    const fresh = isSearch ? found.filter((id) => !sent.has(id)) : found
    if (isSearch) for (const id of fresh) sent.add(id)
    yield await weigh(db, workspaceId, fresh)
  }
}

async function findSearchedIds(
  db: Kysely<Database>,
  workspaceId: string,
  filters: ProductFilters,
  page: number,
): Promise<string[]> {
  const place = { page, pageSize: idsOfPage, sort: undefined }
  const { ids } = await findProductIds(db, workspaceId, filters, place)
  return ids.slice(1, -1).split(',').filter(Boolean)
}

async function findIdsAfter(
  db: Kysely<Database>,
  workspaceId: string,
  filters: ProductFilters,
  after: string,
): Promise<string[]> {
  const values = filterValuesOf(workspaceId, filters)
  const { rows } = await sql<{ id: string }>`
    select p.id from products p
    where ${conditionsOf(filters, (name) => sql`${values[name]}`)} and p.id > ${after}
    order by p.id limit ${idsOfPage}`.execute(db)
  return rows.map(({ id }) => id)
}

async function weigh(
  db: Kysely<Database>,
  workspaceId: string,
  ids: readonly string[],
): Promise<Weight[]> {
  const { rows } = await sql<{ id: string; bytes: number }>`
    select p.id, octet_length(p.description) + octet_length(p.information)
      + octet_length(p.sales::text) + 600 as bytes
    from unnest(${ids}::text[]) with ordinality as page (id, place)
    join products p on p.workspace_id = ${workspaceId} and p.id = page.id
    order by page.place`.execute(db)
  return rows.map(({ id, bytes }) => [id, bytes])
}

async function readProducts(
  db: Kysely<Database>,
  workspaceId: string,
  ids: readonly string[],
): Promise<StoredProduct[]> {
  const linked = (table: string, link: string, column: string, order: string) => sql`
    coalesce((select json_agg(json_build_object('id', o.id, 'name', o.name)
        order by ${sql.ref(`l.${order}`)}, o.id)
      from ${sql.table(link)} l
      join ${sql.table(table)} o on o.workspace_id = ${workspaceId} and o.id = ${sql.ref(`l.${column}`)}
      where l.workspace_id = ${workspaceId} and l.product_id = p.id), '[]')`
  const { rows } = await sql<StoredProduct>`
    select p.id, ${sql.join(selectList(stored))}, ${linked('tags', 'product_tags', 'tag_id', 'position')} as tags,
      ${linked('collections', 'collection_products', 'collection_id', 'collection_id')} as collections,
      array(select i.media_id from product_images i
        where i.workspace_id = ${workspaceId} and i.product_id = p.id order by i.position) as images
    from unnest(${ids}::text[]) with ordinality as page (id, place)
    join products p on p.workspace_id = ${workspaceId} and p.id = page.id
    order by page.place`.execute(db)
  return rows
}

/** Tags and collections with an ambiguous name: another has the same, or it looks like an id. */
async function findAmbiguous(
  db: Kysely<Database>,
  workspaceId: string,
): Promise<ReadonlySet<string>> {
  const ambiguous = new Set<string>()
  for (const table of ['tags', 'collections'] as const) {
    const rows = await db
      .selectFrom(table)
      .select(['id', 'name'])
      .where('workspace_id', '=', workspaceId)
      .execute()
    const holders = new Map<string, string[]>()
    for (const { id, name } of rows)
      for (const key of nameKeysOf(name)) holders.set(key, [...(holders.get(key) ?? []), id])
    for (const ids of holders.values()) if (ids.length > 1) for (const id of ids) ambiguous.add(id)
    for (const { id, name } of rows) if (/^(tag|coll)_/.test(name.trim())) ambiguous.add(id)
  }
  return ambiguous
}

function named(product: StoredProduct, ambiguous: ReadonlySet<string>): ExportedProduct {
  const names = (linked: LinkedName[]) =>
    linked.map(({ id, name }) => (ambiguous.has(id) ? id : name))
  return { ...product, tags: names(product.tags), collections: names(product.collections) }
}

function lineOf(
  product: ExportedProduct,
  columns: readonly Column[],
  format: ExportForm['format'],
): string {
  if (format === 'ndjson') {
    const row = Object.fromEntries(columns.map((column) => [column, product[column]]))
    return `${JSON.stringify(row)}\n`
  }
  const list = (items: string[]) => items.map(listItem).join('|')
  const sales = product.sales.map(({ name, link }) => `${listItem(name)}=${listItem(link)}`)
  return csvLine(
    columns.map((column) => {
      if (column === 'sales') return sales.join('|')
      const value = product[column]
      return Array.isArray(value) ? list(value) : value
    }),
  )
}
