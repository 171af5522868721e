import { type Kysely, type RawBuilder, sql } from 'kysely'
import { notFound } from '../../core/errors.ts'
import { storableText } from '../../core/text.ts'
import { tableOf, workspaceRead } from '../../db/prepared.ts'
import type { Database } from '../../db/schema.ts'
import type { components } from '../../generated/types.ts'
import { meaningsOf } from '../../language/lexicon.ts'
import { withoutMarkup } from '../../language/markup.ts'
import { wordsOf } from '../../language/words.ts'
import { getAiShop } from './ai_shops.ts'

/* Raw SQL: what answers quote is looked up in long texts, which need not leave the database. */

type Citations = components['schemas']['Citations']

/** What an answer rests on, as it is stored. */
type StoredCitation = Citations[number] & {
  /** The name of a product that the answer mentions: nothing that it quotes. */
  isName?: true
  /**
   * What it says of a field of a product, in its own words: a tag or a place of sale, or that there is stock.
   * Where there is no answer, the ids of the tags that gave none, as an array's text.
   */
  field?: Field
}

type Field = 'stock' | 'tag' | 'tags' | 'sale'

export interface ProductKey {
  workspaceId: string
  productId: string
}

/** A stored answer; visitors see one of present texts that stands. */
interface StoredAnswer {
  key: Buffer
  answer: string | null
  citations: StoredCitation[]
  isMade: boolean
  /** Whether it was made from the product's present texts. */
  isOfTexts: boolean
  /** Whether all else that it rests on still stands. */
  stands: boolean
}

interface AnswerRow extends Omit<StoredAnswer, 'stands'> {
  /** What it cites and was not found as it was cited: it is gone, or needs a closer look. */
  unsaid: StoredCitation[]
}

const textHash = sql<Buffer>`sha256(convert_to(concat_ws(e'\\n', p.name, p.brand, p.description,
  p.information), 'UTF8'))`

/** What answers about a product are made from: the hash of its texts, and the ids of its tags. */
interface AnswerBasis {
  hash: Buffer
  tagIds: readonly string[]
}

export async function getAnswerBasis(
  db: Kysely<Database>,
  { workspaceId, productId }: ProductKey,
): Promise<AnswerBasis> {
  const product = await db
    .selectFrom('products as p')
    .select(['p.tag_ids as tagIds', textHash.as('hash')])
    .where('p.workspace_id', '=', workspaceId)
    .where('p.id', '=', productId)
    .executeTakeFirst()
  if (!product) throw notFound('product')
  return product
}

/** As `withoutMarkup` knows it: answers quote what people read of it. */
const isPlain = (text: string) => sql`${sql.ref(text)} !~* '<[a-z/!]|&[#a-z]'`

const says = (text: string) => sql`(strpos(${sql.ref(text)}, c.sentence) > 0 and ${isPlain(text)})`

/** Whether a citation stands; a lookup for each and no join, which could read the whole catalogue. */
function isSaid(workspace: RawBuilder<unknown>): RawBuilder<boolean> {
  return sql`case when c."productId" is null then exists (select from ${tableOf('question_replies')} r
      where r.workspace_id = ${workspace} and r.product_id = k.product_id and r.answer = c.sentence)
    else (select case when c."isName" then o.name = c.sentence
          when c.field = 'stock' then (o.stock > 0) = (c.sentence <> '0')
          when c.field = 'sale' then exists (select from json_array_elements(o.sales) s
            where c.sentence in (s->>'link', s->>'name'))
          when c.field = 'tag' then exists (select from ${tableOf('product_tags')} l
            join ${tableOf('tags')} t on t.workspace_id = ${workspace} and t.id = l.tag_id
            where l.workspace_id = ${workspace} and l.product_id = o.id and t.name = c.sentence)
          when c.field = 'tags' then o.tag_ids <@ c.sentence::text[]
          else ${says('o.description')} or ${says('o.information')} end
        from ${tableOf('products')} o
        where o.workspace_id = ${workspace} and o.id = c."productId" and o.status = 'ACTIVE') is true
    end`
}

/* One hash of the product's own texts stands for all answers, and for what they quote of these. */
const findStored = workspaceRead<ProductKey>()(
  'list_kept_answers',
  (_db, parameter) => sql<AnswerRow>`
    with own as materialized (select ${textHash} as hash from ${tableOf('products')} p
      where p.workspace_id = ${parameter('workspaceId')} and p.id = ${parameter('productId')})
    select k.question_key as key, k.answer, k.citations, k.making_until is null as "isMade",
      k.text_hash = own.hash as "isOfTexts",
      (select coalesce(json_agg(c), '[]')
        from jsonb_to_recordset(k.citations)
          c ("productId" text, sentence text, "isName" boolean, field text)
        where (c."productId" is distinct from k.product_id or c.field is not null)
          and not ${isSaid(parameter('workspaceId'))}) as unsaid
    from ${tableOf('kept_answers')} k cross join own
    where k.workspace_id = ${parameter('workspaceId')}
      and k.product_id = ${parameter('productId')}`,
)

/** The stored answers to questions about a product, made or not. */
export async function listStored(
  db: Kysely<Database>,
  product: ProductKey,
): Promise<StoredAnswer[]> {
  const rows = await findStored(db, product)
  const unsaid = rows.flatMap((row) => (row.isOfTexts ? row.unsaid : []))
  const gone = await listGone(db, product.workspaceId, unsaid)
  return rows.map(({ unsaid: own, ...row }) => ({
    ...row,
    stands: !own.some((citation) => gone.has(citation)),
  }))
}

/**
 * Those that neither the shop says of itself nor a published product in a text with markup. The shop's words
 * lie on another node of a distributed database, and only the language knows markup.
 */
async function listGone(
  db: Kysely<Database>,
  workspaceId: string,
  unsaid: readonly StoredCitation[],
): Promise<Set<StoredCitation>> {
  const ofShop = unsaid.some(({ productId }) => productId === null)
  const { knowledge } = ofShop ? await getAiShop(db, workspaceId) : { knowledge: [] }
  const known = new Set(knowledge.map(({ answer }) => answer))
  const ids = unsaid.flatMap((one) => (one.productId && isQuote(one) ? one.productId : []))
  const texts = await listTexts(db, workspaceId, [...new Set(ids)])
  const stands = (one: StoredCitation) => {
    const { productId, sentence } = one
    if (productId === null) return known.has(sentence)
    return isQuote(one) && texts.get(productId)?.some((text) => text.includes(sentence))
  }
  return new Set(unsaid.filter((citation) => !stands(citation)))
}

/** Whether a citation is quoted, and not only said. */
export const isQuote = ({ isName, field }: StoredCitation) => !isName && !field

/** The texts of published products as people read them. */
async function listTexts(
  db: Kysely<Database>,
  workspaceId: string,
  ids: readonly string[],
): Promise<Map<string, string[]>> {
  if (ids.length === 0) return new Map()
  const products = await db
    .selectFrom('products')
    .select(['id', 'description', 'information'])
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', sql<string>`any(${ids})`)
    .where('status', '=', 'ACTIVE')
    .execute()
  return new Map(products.map(({ id, ...texts }) => [id, Object.values(texts).map(withoutMarkup)]))
}

/** A product's fields as they were when an answer was made. */
interface Fields {
  id: string
  name: string
  stock: number
  tags: readonly string[]
  sales: readonly { name: string; link: string }[]
}

/**
 * An answer, null if there is none, what it quotes, the product that was asked about, and the published ones that it
 * mentions.
 */
export interface AnswerToKeep {
  answer: string | null
  citations: Citations
  product: Fields
  /** The ids of its tags. */
  tagIds: readonly string[]
  products: readonly (Pick<Fields, 'id' | 'name' | 'stock'> & {
    tags: readonly { name: string }[]
  })[]
}

/**
 * What an answer rests on: what it quotes, and what it says without quoting, which are the names of other
 * products and fields of all. The hash of the product's own texts covers its name. That there is no answer
 * rests on the product's tags: a new one may give it.
 */
export function restsOf({
  answer,
  citations,
  product,
  tagIds,
  products,
}: AnswerToKeep): StoredCitation[] {
  if (answer === null)
    return [{ productId: product.id, sentence: `{${tagIds.join()}}`, field: 'tags' }]
  const others = products.filter(({ id }) => id !== product.id)
  const all = [
    product,
    ...others.map((other) => ({ ...other, tags: other.tags.map(({ name }) => name), sales: [] })),
  ]
  const unquoted = answer.replaceAll(/“[^”]*”/g, ' ')
  return [
    ...citations.map(({ productId, sentence }) => ({
      productId,
      sentence: storableText(sentence),
    })),
    ...others.map(({ id, name }) => ({ productId: id, sentence: name, isName: true as const })),
    ...all.flatMap((one) => fieldsSaid(unquoted, withoutNames(unquoted, all), one)),
  ]
}

/** Names of products, and what is quoted, may have the word of a tag. */
function withoutNames(text: string, products: readonly Fields[]): string {
  return products.reduce((rest, { name }) => rest.replaceAll(name, ' '), text)
}

/** What an answer says of a product's fields, without what it quotes; a link may have a name in it. */
function fieldsSaid(
  unquoted: string,
  own: string,
  { id, stock, tags, sales }: Fields,
): StoredCitation[] {
  const words = wordsOf(own)
  const text = ` ${words.join(' ')} `
  const isNamed = (name: string) => text.includes(` ${wordsOf(name).join(' ')} `)
  const said = (field: Field, sentence: string) => ({ productId: id, sentence, field })
  return [
    ...(meaningsOf(words).has('stock') ? [said('stock', stock > 0 ? '1' : '0')] : []),
    ...tags.filter(isNamed).map((tag) => said('tag', tag)),
    ...sales.flatMap(({ name, link }) => [
      ...(unquoted.includes(link) ? [said('sale', link)] : []),
      ...(isNamed(name) ? [said('sale', name)] : []),
    ]),
  ]
}
