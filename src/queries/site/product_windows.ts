import { type Kysely, sql } from 'kysely'
import { type JsonText, parseJson } from '../../core/json_text.ts'
import { plannedEachTime, prepared, tableOf, workspaceRead } from '../../db/prepared.ts'
import type { Database } from '../../db/schema.ts'
import type { components } from '../../generated/types.ts'
import { productJson } from '../catalogue/product_fields.ts'
import { orderOf } from '../catalogue/product_filters.ts'
import { type Card, cardColumns } from './shop_windows.ts'

/* Raw SQL: a page is drawn from as few statements as there can be. */

type Schemas = components['schemas']

/** A product as its page shows it. */
export interface ProductWindow {
  product: Schemas['Product']
  /** Its own questions; null where those of the shop are asked. */
  questions: Schemas['ProductQuestion'][] | null
  /** Whether answers to its questions are kept. */
  hasAnswers: boolean
}

type WindowRow = Omit<ProductWindow, 'product'> & { json: JsonText<Schemas['Product']> }

const findWindow = workspaceRead<{ workspaceId: string; slug: string }>()(
  'find_product_window',
  (_db, parameter) => sql<WindowRow>`
    select ${productJson(parameter('workspaceId'))} as json, p.questions,
      exists (select from ${tableOf('kept_answers')} k
        where k.workspace_id = ${parameter('workspaceId')} and k.product_id = p.id) as "hasAnswers"
    from ${tableOf('products')} p
    where p.slug = ${parameter('slug')} and p.workspace_id = ${parameter('workspaceId')}
      and p.status = 'ACTIVE'`,
)

/** The published product with this slug; undefined if there is none. */
export async function findProductWindow(
  db: Kysely<Database>,
  workspaceId: string,
  slug: string,
): Promise<ProductWindow | undefined> {
  const [row] = await findWindow(db, { workspaceId, slug })
  return row && { ...row, product: parseJson(row.json) }
}

/** Of a rare tag, its products are sorted; of a common one, the newest products are looked through. */
const newestWithTag = prepared<{ workspaceId: string; tagId: string; limit: number }>()(
  plannedEachTime,
  (_db, parameter) => sql<Card>`
    select ${cardColumns(parameter('workspaceId'))}
    from (select * from products p
      where p.workspace_id = ${parameter('workspaceId')} and p.status = 'ACTIVE'
        and exists (select from product_tags t
          where t.workspace_id = ${parameter('workspaceId')} and t.product_id = p.id
            and t.tag_id = ${parameter('tagId')})
      order by ${orderOf('-createdAt', false)} limit ${parameter('limit')}) p
    order by ${orderOf('-createdAt', false)}`,
)

/** The newest published products with a tag. */
export function listNewestWithTag(
  db: Kysely<Database>,
  workspaceId: string,
  tagId: string,
  limit: number,
): Promise<Card[]> {
  return newestWithTag(db, { workspaceId, tagId, limit })
}
