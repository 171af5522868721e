import { type Kysely, type RawBuilder, sql } from 'kysely'
import { withoutMarkup } from '../../../language/markup.ts'
import type { LookUp } from '../../../language/words.ts'
import { prepared } from '../../../db/prepared.ts'
import type { Database } from '../../../db/schema.ts'
import type { components } from '../../../generated/types.ts'
import { nameOrder } from '../name_order.ts'
import { collectionProductJson } from '../product_fields.ts'

/* Raw SQL: ranks and documents of the full-text search, which the builder cannot express. */

/** The parts of a published product that answers use. Chats share it. */
export interface PublishedProduct {
  readonly id: string
  readonly name: string
  readonly brand: string
  readonly description: string
  readonly information: string
  /** Tag names, in order. */
  readonly tags: readonly string[]
  readonly stock: number
  readonly sales: readonly components['schemas']['SalesEntry'][]
}

/** A product's own suggested questions, null if it has none, and the questions with replies. */
interface SearchRequest {
  questions: components['schemas']['ProductQuestion'][] | null
  replies: { question: string; answer: string }[]
}

/**
 * A query for any of the words. They contain only letters and digits, so no query operator can be injected.
 */
export function anyOf(lookUps: readonly LookUp[]): string {
  const parts = lookUps
    .filter(({ word }) => /^[\p{L}\p{N}_]+$/u.test(word))
    .map(({ word, prefix }) => `'${word}'${prefix ? ':*' : ''}`)
  return parts.length > 0 ? `(${parts.join(' | ')})` : `'\u0001'`
}

function published(workspaceId: string): RawBuilder<unknown> {
  return sql`p.workspace_id = ${workspaceId} and p.status = 'ACTIVE'`
}

/** A workspace's tags, by name. */
export async function listTagNames(
  db: Kysely<Database>,
  workspaceId: string,
  limit: number,
): Promise<{ id: string; name: string }[]> {
  return db
    .selectFrom('tags')
    .select(['id', 'name'])
    .where('workspace_id', '=', workspaceId)
    .orderBy(nameOrder('name'))
    .orderBy('id')
    .limit(limit)
    .execute()
}

function tagNames(workspace: RawBuilder<string>): RawBuilder<string[]> {
  return sql`array(select t.name from product_tags l
    join tags t on t.workspace_id = ${workspace} and t.id = l.tag_id
    where l.workspace_id = ${workspace} and l.product_id = p.id order by l.position)`
}

/** The published products among the given ones, in the given order, with truncated texts. */
export async function listPublishedProducts(
  db: Kysely<Database>,
  workspaceId: string,
  ids: readonly string[],
  characters: number,
): Promise<PublishedProduct[]> {
  if (ids.length === 0) return []
  const { rows } = await sql<PublishedProduct>`
    select p.id, p.name, p.brand, left(p.description, ${characters}) as description,
      left(p.information, ${characters}) as information, p.stock, p.sales,
      ${tagNames(sql`${workspaceId}`)} as tags
    from products p
    where p.id = any(${ids}) and ${published(workspaceId)}`.execute(db)
  const byId = new Map(rows.map((row) => [row.id, asRead(row)]))
  return [...new Set(ids)].flatMap((id) => byId.get(id) ?? [])
}

/**
 * By everything that was read: a product that has not changed stays the same object, under which the
 * assistant caches what it found in the texts. Finding that takes half of a chat's time.
 */
const lately = new Map<string, PublishedProduct>()
/** About 20 MB with what is cached for them. */
const mostCharacters = 100_000
let characters = 0

/** A product as people read it: answers must not quote markup. */
function asRead(product: PublishedProduct): PublishedProduct {
  const { description, information } = product
  const key = JSON.stringify(product)
  const read = lately.get(key) ?? {
    ...product,
    description: withoutMarkup(description),
    information: withoutMarkup(information),
  }
  // A map keeps the order of insertion, so the entry unused for longest is dropped first.
  characters += lately.delete(key) ? 0 : key.length
  lately.set(key, read)
  for (const oldest of lately.keys()) {
    if (characters <= mostCharacters) break
    lately.delete(oldest)
    characters -= oldest.length
  }
  return read
}

/** The ids of published products, at most `limit`. */
export async function listPublishedIds(
  db: Kysely<Database>,
  workspaceId: string,
  limit: number,
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select p.id from products p where ${published(workspaceId)} order by p.id limit ${limit}`.execute(
    db,
  )
  return rows.map(({ id }) => id)
}

const findSubject = prepared<{ workspaceId: string; id: string; characters: number }>()(
  'find_asked_product',
  (_db, parameter) => sql<PublishedProduct & SearchRequest>`
    select p.id, p.name, p.brand, p.stock, p.sales,
      ${tagNames(parameter('workspaceId'))} as tags,
      left(p.description, ${parameter('characters')}) as description,
      left(p.information, ${parameter('characters')}) as information,
      p.questions,
      (select coalesce(json_agg(json_build_object('question', r.question, 'answer', r.answer)
          order by r.updated_at desc, r.id), '[]')
        from question_replies r
        where r.workspace_id = ${parameter('workspaceId')} and r.product_id = ${parameter('id')}
      ) as replies
    from products p
    where p.id = ${parameter('id')} and p.workspace_id = ${parameter('workspaceId')}
      and p.status = 'ACTIVE'`,
)

/** A published product with its own questions, if any, replies to others, and truncated texts. */
export async function findChatProduct(
  db: Kysely<Database>,
  query: { workspaceId: string; id: string; characters: number },
): Promise<({ product: PublishedProduct } & SearchRequest) | undefined> {
  const [row] = await findSubject(db, query)
  if (!row) return undefined
  const { questions, replies, ...product } = row
  return { product: asRead(product), questions, replies }
}

type ProductSummary = components['schemas']['CollectionProduct']

const findSummaries = prepared<{ workspaceId: string; ids: readonly string[] }>()(
  'find_product_summaries',
  (_db, parameter) => sql<{ summary: ProductSummary }>`
    select ${collectionProductJson(parameter('workspaceId'))}::json as summary from products p
    where p.id = any(${parameter('ids')}) and p.workspace_id = ${parameter('workspaceId')}
      and p.status = 'ACTIVE'`,
)

/**
 * The published products among the given ones, without duplicates and in the given order, as visitors see
 * them. The ids come from a model and may be anything.
 */
export async function listProductSummaries(
  db: Kysely<Database>,
  workspaceId: string,
  candidates: readonly string[],
): Promise<ProductSummary[]> {
  // PostgreSQL rejects a text with a NUL even in a comparison.
  const ids = candidates.filter((id) => !id.includes('\0'))
  if (ids.length === 0) return []
  const rows = await findSummaries(db, { workspaceId, ids })
  const byId = new Map(rows.map(({ summary }) => [summary.id, summary]))
  return [...new Set(ids)].flatMap((id) => byId.get(id) ?? [])
}
