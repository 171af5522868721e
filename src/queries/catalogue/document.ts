import { type RawBuilder, sql } from 'kysely'

/** The words of the product `p` and the ids of its tags, in the same expression as their index. */
export const document = sql`catalogue_document(p.name, p.brand, p.sku, p.barcode, p.description,
  p.information, p.tag_ids)`

/**
 * The workspace, in the exact expression of the document's index: with any other, PostgreSQL would compute
 * the document of every product. The bare workspace tells a sharded database where the rows lie; its
 * collation is one that no index has, so no other index is used.
 */
export function documentIn(workspaceId: RawBuilder<unknown> | string): RawBuilder<unknown> {
  return sql`p.workspace_id = ${workspaceId} collate "C" and p.workspace_id || '' = ${workspaceId}`
}

/**
 * Whether the document matches. The query is hidden from the planner: for a word that most products have,
 * it would read the table and compute every document, 20,000 in seven seconds.
 */
export const documentMatches = (query: RawBuilder<unknown>) =>
  sql`${document} @@ (select ${query}::tsquery)`
