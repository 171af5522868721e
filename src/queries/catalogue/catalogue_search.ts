import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { LookUp } from '../../core/words.ts'
import { prepared } from '../../db/prepared.ts'
import type { Database } from '../../db/schema.ts'
import type { components } from '../../generated/types.ts'
import { collectionProductJson } from './product_fields.ts'

/** A product that visitors may see, as far as answers speak of it. */
export interface PublishedProduct {
  id: string
  name: string
  brand: string
  description: string
  information: string
  /** Names, in order. */
  tags: string[]
  stock: number
  sales: components['schemas']['SalesEntry'][]
}

type Question = components['schemas']['ProductQuestion']

/** Alternatives for one thing that is looked for. */
export type Term = readonly LookUp[]

const words = sql`catalogue_words(p.name, p.brand, p.description, p.information)`

/** No operator of the query language comes from outside: a word is letters and digits alone. */
function queryOf(term: Term): string {
  const parts = term
    .filter(({ word }) => /^[\p{L}\p{N}]+$/u.test(word))
    .map(({ word, prefix }) => `'${word}'${prefix ? ':*' : ''}`)
  return `(${parts.join(' | ')})`
}

function published(workspaceId: string): RawBuilder<unknown> {
  return sql`p.workspace_id = ${workspaceId} and p.status = 'ACTIVE'`
}

/** Published, in the words of the index of words: with another one they would all be computed. */
function indexed(workspaceId: string): RawBuilder<unknown> {
  return sql`p.workspace_id || '' = ${workspaceId} and p.status || '' = 'ACTIVE'`
}

/**
 * For each term the products whose text has it, unsorted, and never more than the limit: a term
 * that reaches it is a common one, and which of its products are named is left to chance.
 */
export async function listHits(
  db: Kysely<Database>,
  workspaceId: string,
  terms: readonly Term[],
  limit: number,
): Promise<string[][]> {
  const { rows } = await sql<{ term: number; id: string }>`
    select t.n::integer as term, hit.id
    from unnest(${terms.map(queryOf)}::text[]) with ordinality as t (query, n)
    cross join lateral (select p.id from products p
      where ${indexed(workspaceId)} and ${words} @@ t.query::tsquery limit ${limit}) hit
    `.execute(db)
  return terms.map((_, index) => rows.flatMap(({ term, id }) => (term === index + 1 ? id : [])))
}

/** The first products, by id, whose text has every one of the terms. */
export async function listWithAll(
  db: Kysely<Database>,
  workspaceId: string,
  terms: readonly Term[],
  limit: number,
): Promise<string[]> {
  // The matches are gathered before they are sorted: read in the order of ids instead, the words
  // of every product on the way would have to be computed.
  const { rows } = await sql<{ id: string }>`
    with matches as materialized (select p.id from products p where ${indexed(workspaceId)}
      and ${words} @@ ${terms.map(queryOf).join(' & ')}::tsquery)
    select id from matches order by id limit ${limit}`.execute(db)
  return rows.map((row) => row.id)
}

/** The tags of a workspace, by name. */
export async function listTagNames(
  db: Kysely<Database>,
  workspaceId: string,
  limit: number,
): Promise<{ id: string; name: string }[]> {
  return db
    .selectFrom('tags')
    .select(['id', 'name'])
    .where('workspace_id', '=', workspaceId)
    .orderBy('name')
    .orderBy('id')
    .limit(limit)
    .execute()
}

/** Published products with one of these tags, unsorted, and never more than the limit. */
export async function listTagged(
  db: Kysely<Database>,
  workspaceId: string,
  tagIds: readonly string[],
  limit: number,
): Promise<string[]> {
  if (tagIds.length === 0) return []
  const { rows } = await sql<{ id: string }>`
    select p.id from product_tags l join products p on p.id = l.product_id
    where l.tag_id = any(${tagIds}) and ${published(workspaceId)}
    limit ${limit}`.execute(db)
  return rows.map((row) => row.id)
}

const tagNames = sql`array(select t.name from product_tags l join tags t on t.id = l.tag_id
  where l.product_id = p.id order by l.position)`

/** Those of the products that are published, in the order given, their texts cut to a length. */
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
      ${tagNames} as tags
    from products p
    where p.id = any(${ids}) and ${published(workspaceId)}`.execute(db)
  const known = new Map(rows.map((row) => [row.id, row]))
  return [...new Set(ids)].flatMap((id) => known.get(id) ?? [])
}

const findAsked = prepared<{ workspaceId: string; id: string; characters: number }>()(
  'find_asked_product',
  (_db, parameter) => sql<PublishedProduct & { questions: Question[] }>`
    select p.id, p.name, p.brand, p.stock, p.sales, ${tagNames} as tags,
      left(p.description, ${parameter('characters')}) as description,
      left(p.information, ${parameter('characters')}) as information,
      coalesce(p.questions, w.question_library) as questions
    from products p join workspaces w on w.id = p.workspace_id
    where p.id = ${parameter('id')} and p.workspace_id = ${parameter('workspaceId')}
      and p.status = 'ACTIVE'`,
)

/** A published product and the questions beside it, its texts cut to a length. */
export async function findAskedProduct(
  db: Kysely<Database>,
  asked: { workspaceId: string; id: string; characters: number },
): Promise<{ product: PublishedProduct; questions: Question[] } | undefined> {
  const [row] = await findAsked(db, asked)
  if (!row) return undefined
  const { questions, ...product } = row
  return { product, questions }
}

type ProductSummary = components['schemas']['CollectionProduct']

const findSummaries = prepared<{ workspaceId: string; ids: readonly string[] }>()(
  'find_product_summaries',
  (_db, parameter) => sql<{ summary: ProductSummary }>`
    select ${collectionProductJson} as summary from products p
    where p.id = any(${parameter('ids')}) and p.workspace_id = ${parameter('workspaceId')}
      and p.status = 'ACTIVE'`,
)

/**
 * Those of the products that are published, each once and in the order given, as visitors see them.
 * The ids may be anything that a model has said.
 */
export async function listProductSummaries(
  db: Kysely<Database>,
  workspaceId: string,
  named: readonly string[],
): Promise<ProductSummary[]> {
  // PostgreSQL does not even compare with a text that holds a NUL.
  const ids = named.filter((id) => !id.includes('\0'))
  if (ids.length === 0) return []
  const rows = await findSummaries(db, { workspaceId, ids })
  const known = new Map(rows.map(({ summary }) => [summary.id, summary]))
  return [...new Set(ids)].flatMap((id) => known.get(id) ?? [])
}
