import { type RawBuilder, sql } from 'kysely'

/** The words of the product `p` and the ids of its tags, as their index has them. */
export const document = sql`catalogue_document(p.name, p.brand, p.sku, p.barcode, p.description,
  p.information, p.tag_ids)`

/**
 * The workspace, in the exact expression of the document's index: with another index, PostgreSQL
 * would compute the document of every product. The bare workspace tells a sharded database where
 * they lie; its collation is one that no index has.
 */
export function documentIn(workspaceId: RawBuilder<unknown> | string): RawBuilder<unknown> {
  return sql`p.workspace_id = ${workspaceId} collate "C" and p.workspace_id || '' = ${workspaceId}`
}

/**
 * Whether the document matches. The query is kept from the planner: for a word of most products it would
 * read the table and compute every document, 20,000 in seven seconds.
 */
export const documentMatches = (query: RawBuilder<unknown>) =>
  sql`${document} @@ (select ${query}::tsquery)`
