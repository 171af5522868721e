import { type Kysely, sql } from 'kysely'
import {
  isCorrectable,
  isFormOrBeginning,
  neighboursOf,
  searchTermsOf,
  type SearchTerms,
  type SearchWord,
} from '../../../language/search_terms.ts'
import { identityOf } from '../../../db/own_connection.ts'
import { plannedEachTime, tableOf, workspaceRead } from '../../../db/prepared.ts'
import { remembered } from '../../../db/remembered.ts'
import type { Database } from '../../../db/schema.ts'
import type { ProductCounts } from '../counters.ts'
import { document, documentIn } from '../document.ts'
import { lexemeOf } from './search_queries.ts'
import { tagWordsInShop } from './tag_words.ts'

/* Raw SQL: many spellings are looked up in the full-text index by one statement. */

/** The index compares each product that has one spelling with all that are asked for at once. */
const spellingsAtOnce = 30
/** A word in this many products is common enough; more make it no likelier. */
const enough = 100
const separator = ' | '

interface AskedSpellings {
  workspaceId: string
  /** Spellings, several to a line. */
  lines: string[]
}

/**
 * The spellings that occur in a shop's documents, the most common first. Most lines have none and cost one
 * look into the index.
 */
const listFound = workspaceRead<AskedSpellings>()(plannedEachTime, (_db, parameter) => {
  const having = (query: string) => sql`select from ${tableOf('products')} p
    where ${documentIn(parameter('workspaceId'))} and ${document} @@ ${sql.ref(query)}::tsquery`
  return sql<{ spelling: string }>`
    select s.spelling
    from (select l.line from unnest(${parameter('lines')}::text[]) as l (line)
      cross join lateral (${having('l.line')} limit 1) as found offset 0) l
    cross join lateral unnest(string_to_array(l.line, ${separator})) as s (spelling)
    cross join lateral (select count(*) as products
      from (${having('s.spelling')} limit ${enough}) p) as found
    where found.products > 0
    order by found.products desc, s.spelling`
})

interface SearchedShop {
  db: Kysely<Database>
  values: { workspaceId: string }
}

/**
 * The same search with words as the shop spells them, allowing one wrong letter in each; undefined if the
 * shop spells no word differently.
 */
export function correctedTerms(
  place: SearchedShop,
  terms: SearchTerms,
  counts: ProductCounts,
): Promise<SearchTerms | undefined> {
  return readTerms(terms, async (word) => {
    const { isFound, others } = await spellingsOf(place, word, counts)
    return others.reduce(addWord, isFound || others.length === 0 ? [word] : [])
  })
}

/**
 * The same for words with a misspelt end, where the shop has other words with the same beginning. A search
 * for those finds fewer unwanted products, and the wanted ones at once.
 */
export function completedTerms(
  place: SearchedShop,
  terms: SearchTerms,
  counts: ProductCounts,
): Promise<SearchTerms | undefined> {
  return readTerms(terms, async (word) => {
    if (!(await isOnlyBegun(place, word, counts))) return [word]
    const { others } = await spellingsOf(place, word, counts)
    const completed = others.filter((other) => other.startsWith(word.root))
    return completed.reduce(addWord, completed.length === 0 ? [word] : [])
  })
}

async function readTerms(
  terms: SearchTerms,
  read: (word: SearchWord) => Promise<SearchWord[]>,
): Promise<SearchTerms | undefined> {
  const { words } = terms
  if (!isCorrectable(terms) || words.some(({ others }) => others)) return undefined
  const readings: SearchWord[][] = []
  for (const word of words) readings.push(await read(word))
  if (readings.every(([first, ...others], at) => first === words[at] && others.length === 0))
    return undefined
  const { pattern, key } = searchTermsOf(readings.map(([first]) => first!.word).join(' '))
  return { pattern, key, words: readings.map(([first, ...others]) => ({ ...first!, others })) }
}

/** Whether the shop has neither the word nor its root, only words with the same beginning. */
function isOnlyBegun(
  place: SearchedShop,
  { word, root, lookUps }: SearchWord,
  counts: ProductCounts,
): Promise<boolean> {
  return rememberedOf('begun', place, word, counts, async () => {
    if (root === word) return false
    const begun = lookUps.map(lexemeOf)
    const whole = lookUps.map((lookUp) => lexemeOf({ ...lookUp, prefix: false }))
    const own = [lexemeOf({ word, prefix: true }), ...whole]
    const found = await foundIn(place, [[...new Set([...own, ...begun])]])
    return found.length > 0 && !found.some((lookUp) => own.includes(lookUp))
  })
}

interface Spellings {
  /** Whether the shop has forms of the word. */
  isFound: boolean
  /** Its words that are one letter off. */
  others: string[]
}

function spellingsOf(
  place: SearchedShop,
  { word, lookUps }: SearchWord,
  counts: ProductCounts,
): Promise<Spellings> {
  return rememberedOf('spellings', place, word, counts, async () => {
    const neighbours = neighboursOf(word)
    // A number, such as an unknown barcode, has no other spellings.
    if (neighbours.length === 0) return { isFound: false, others: [] }
    const own = lookUps.map(lexemeOf)
    const lexemeOfWord = (other: string) => lexemeOf({ word: other, prefix: false })
    const words = new Map(neighbours.map((other) => [lexemeOfWord(other), other]))
    const found = await foundIn(place, [own, ...inLines([...words.keys()])])
    const tagWords = await tagWordsInShop(place.db, place.values.workspaceId, counts.changes)
    return {
      isFound: own.some((lookUp) => found.includes(lookUp)),
      others: [
        ...found.flatMap((spelling) => words.get(spelling) ?? []),
        ...neighbours.filter((other) => tagWords.has(other)),
      ],
    }
  })
}

function rememberedOf<Value>(
  what: string,
  { db, values: { workspaceId } }: SearchedShop,
  word: string,
  { changes }: ProductCounts,
  read: () => Promise<Value>,
): Promise<Value> {
  const key = JSON.stringify([what, workspaceId, word])
  return remembered(identityOf(db), key, changes, read)
}

async function foundIn(
  { db, values: { workspaceId } }: SearchedShop,
  spellings: readonly string[][],
): Promise<string[]> {
  const lines = spellings.map((line) => line.join(separator))
  const rows = await listFound(db, { workspaceId, lines })
  return rows.map(({ spelling }) => spelling)
}

/** Adds a word, unless another reading finds it already as a form or beginning. */
function addWord(readings: SearchWord[], text: string): SearchWord[] {
  if (readings.some((reading) => isFormOrBeginning(reading, text))) return readings
  return [...readings, ...searchTermsOf(text).words]
}

function inLines(spellings: readonly string[]): string[][] {
  const lines = Math.ceil(spellings.length / spellingsAtOnce)
  return Array.from({ length: lines }, (_, line) =>
    spellings.slice(line * spellingsAtOnce, (line + 1) * spellingsAtOnce),
  )
}
