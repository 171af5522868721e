import { type Kysely, sql } from 'kysely'
import type { Database } from '../../db/schema.ts'
import { clipped } from './product_fields.ts'

type ClippedTexts = Partial<Record<'description' | 'information', string | null>>

const columns = {
  products: ['description', 'information'],
  collections: ['description'],
} as const

/** The long texts of a row as `view=summary` clips them; null for a text that it shows whole. */
export async function findClippedTexts(
  db: Kysely<Database>,
  table: keyof typeof columns,
  { workspaceId, id }: { workspaceId: string; id: string },
): Promise<ClippedTexts> {
  const texts = columns[table].map((column) => {
    const text = sql.ref<string>(column)
    return sql<string | null>`nullif(${clipped(text)}, ${text})`.as(column)
  })
  const row = await db
    .selectFrom(table)
    .select(texts)
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .executeTakeFirst()
  return row ?? {}
}
