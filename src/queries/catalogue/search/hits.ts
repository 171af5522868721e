import { type Kysely, sql } from 'kysely'
import type { JsonRows } from '../../../core/json_text.ts'
import { likePatternOf } from '../../../core/text.ts'
import type { Database } from '../../../db/schema.ts'
import type { components } from '../../../generated/types.ts'
import { nameOrder } from '../name_order.ts'
import { findProductIds, readParts } from '../product_lists.ts'

/* Raw SQL: products come in the order in which their ids were found. */

type Schemas = components['schemas']
type Hit = Schemas['CatalogueHit']
type Line = Pick<Schemas['Product'], 'id' | 'name' | 'brand' | 'stock' | 'status'>

export interface SearchedWords {
  search: string
  limit: number
}

/** Products as their list finds them, so that improvements of that search apply here, too. */
export async function findProductHits(
  db: Kysely<Database>,
  workspaceId: string,
  { search, limit }: SearchedWords,
): Promise<Hit[]> {
  const page = { page: 1, pageSize: limit, sort: undefined }
  const { ids } = await findProductIds(db, workspaceId, { search }, page)
  const { rows } = await sql<Line>`
    select p.id, p.name, p.brand, p.stock, p.status
    from unnest(${ids}::text[]) with ordinality as page (id, place)
    join products p on p.workspace_id = ${workspaceId} and p.id = page.id
    order by page.place`.execute(db)
  return rows.map((row) => ({ id: row.id, text: lineOf(row) }))
}

/** The same products, with these fields. */
export async function findProductParts(
  db: Kysely<Database>,
  workspaceId: string,
  { search, limit }: SearchedWords,
  fields: readonly Schemas['ProductField'][],
): Promise<JsonRows<unknown>> {
  const page = { page: 1, pageSize: limit, sort: undefined }
  const { ids } = await findProductIds(db, workspaceId, { search }, page)
  return readParts(db, workspaceId, fields, ids)
}

function lineOf({ name, brand, stock, status }: Line): string {
  const line = `${name} · ${brand} · stock ${stock}`
  return status === 'ACTIVE' ? line : `${line} · ${status}`
}

/** Collections or tags by their names. */
export const findNamedHits =
  (table: 'collections' | 'tags') =>
  (db: Kysely<Database>, workspaceId: string, { search, limit }: SearchedWords): Promise<Hit[]> =>
    db
      .selectFrom(table)
      .select(['id', 'name as text'])
      .where('workspace_id', '=', workspaceId)
      .where('search', 'like', likePatternOf(search))
      .orderBy(nameOrder('name'))
      .orderBy('id')
      .limit(limit)
      .execute()
