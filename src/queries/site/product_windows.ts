import { type Kysely, type RawBuilder, sql } from 'kysely'
import { type JsonText, parseJson } from '../../core/json_text.ts'
import { tableOf, workspaceRead } from '../../db/prepared.ts'
import type { Database } from '../../db/schema.ts'
import type { components } from '../../generated/types.ts'
import { productJson } from '../catalogue/product_fields.ts'
import { type Card, cardsOf } from './shop_windows.ts'

/* Raw SQL: a page is drawn from as few statements as possible. */

type Schemas = components['schemas']

/** A product as its page shows it. */
export interface ProductWindow {
  product: Schemas['Product']
  /** The product's own questions; null if the shop's are used. */
  questions: Schemas['ProductQuestion'][] | null
  /** Whether there are kept answers to its questions. */
  hasAnswers: boolean
  /** The newest other products with its first tag. */
  related: Card[]
}

type WindowRow = Omit<ProductWindow, 'product'> & { json: JsonText<Schemas['Product']> }

/** How many products of the tag are read: those shown below a product, and the product itself. */
const relatedRead = 5

/** Ids grow with time, so the newest products of a tag are read by id, without the others. */
function relatedTo(workspace: RawBuilder<unknown>): RawBuilder<Card> {
  return cardsOf(workspace, {
    from: sql`(select r.* from ${tableOf('product_tags')} t
      join ${tableOf('products')} r on r.workspace_id = ${workspace} and r.id = t.product_id
        and r.status = 'ACTIVE'
      where t.workspace_id = ${workspace} and t.tag_id = first.tag_id
      order by t.product_id desc limit ${sql.lit(relatedRead)}) p`,
    beside: sql`p.id`,
    order: sql`p.id desc`,
  })
}

const findWindow = workspaceRead<{ workspaceId: string; slug: string }>()(
  'find_product_window',
  (_db, parameter) => sql<WindowRow>`
    select ${productJson(parameter('workspaceId'))} as json, p.questions,
      exists (select from ${tableOf('kept_answers')} k
        where k.workspace_id = ${parameter('workspaceId')} and k.product_id = p.id) as "hasAnswers",
      coalesce((select json_agg(card) from (${relatedTo(parameter('workspaceId'))}) card), '[]') as related
    from ${tableOf('products')} p
    left join lateral (select l.tag_id from ${tableOf('product_tags')} l
      where l.workspace_id = ${parameter('workspaceId')} and l.product_id = p.id
      order by l.position limit 1) first on true
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
  if (!row) return undefined
  const related = row.related.filter((card) => card.slug !== slug).slice(0, relatedRead - 1)
  return { ...row, product: parseJson(row.json), related }
}
