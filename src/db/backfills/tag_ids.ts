import { type Kysely, sql } from 'kysely'
import type { StepContext } from '../migration.ts'
import { briefly } from '../online.ts'

/* Raw SQL: a migration knows no types of the schema, which goes on changing. */

const rowsPerBatch = 1000

interface ProductKey {
  workspaceId: string
  id: string
}

/**
 * Writes the tags of products into their rows. Goes by the primary key, which never changes, so products
 * changed meanwhile are not missed.
 */
export async function rebuildTagIds({ db, progress }: StepContext): Promise<void> {
  const { rows } = await sql<{ total: string }>`select count(*) as total from products`.execute(db)
  const total = Number(rows[0]!.total)
  let last: ProductKey = { workspaceId: '', id: '' }
  for (let read = 0; ; progress(Math.min(1, read / total))) {
    const { rows: products } = await sql<ProductKey>`
      select workspace_id as "workspaceId", id from products
      where (workspace_id, id) > (${last.workspaceId}, ${last.id})
      order by workspace_id, id limit ${sql.lit(rowsPerBatch)}`.execute(db)
    for (const workspaceId of new Set(products.map((product) => product.workspaceId)))
      await rebuildTagIdsOf(
        db,
        workspaceId,
        products.flatMap(({ id, ...place }) => (place.workspaceId === workspaceId ? id : [])),
      )
    if (products.length < rowsPerBatch) return
    last = products.at(-1)!
    read += products.length
  }
}

/** Writers of a product's tags lock its row first, so none can write between the statements. */
export function rebuildTagIdsOf(
  db: Kysely<unknown>,
  workspaceId: string,
  ids: string[],
): Promise<void> {
  return briefly(db, async (trx) => {
    await sql`select id from products where workspace_id = ${workspaceId} and id = any(${ids})
      order by id for no key update`.execute(trx)
    const tags = sql`array(select l.tag_id from product_tags l
      where l.workspace_id = ${workspaceId} and l.product_id = p.id order by l.position)`
    await sql`update products p set tag_ids = ${tags}
      where p.workspace_id = ${workspaceId} and p.id = any(${ids})
        and p.tag_ids is distinct from ${tags}`.execute(trx)
  })
}
