import { type Bearer, type Need, type NeedKind, needs, type PlainNeed } from './need_words.ts'
import type { LanguagePack } from './pack.ts'
import { packs } from './packs.ts'
import { anyPattern, anyWord, wordSource } from './patterns.ts'
import { foldedText, wordsOf } from './words.ts'

/* The patterns by which needs are read, made of what the packs have: see `need_words.ts`. */

export const kinds = Object.keys(needs) as NeedKind[]
export const kindByNeed = new Map(
  kinds.flatMap((kind) => needs[kind].map((need): [Need, NeedKind] => [need, kind])),
)
export const kindOfNeed = (need: Need): NeedKind => kindByNeed.get(need)!

const bearers: readonly Bearer[] = ['skin', 'hair']
const plainNeeds: readonly PlainNeed[] = [...needs.season, ...needs.place, ...needs.person]

/** How a language says a type of skin or hair. No pattern mixes the words of two. */
export interface TypePatterns {
  need: Need
  bearer: Bearer
  /** "Dry and sensitive skin", "skin type: dry". */
  named: RegExp
  /** Of a visitor's own: "my skin is dry". */
  told: RegExp
  /** Of people that a product is for. */
  toldOfPeople: RegExp
  /** The type is the whole text, or stands before "için". */
  bare: RegExp
  /** Another word says it. */
  alone: RegExp
  /** A product is for all but this type. */
  excepted: RegExp
  denied: RegExp
  name: RegExp
}

function patternsOf(pack: LanguagePack, bearer: Bearer): TypePatterns[] {
  const words = pack.needs
  const { nouns, types, alone = {} } = words.bearers[bearer]
  const lists = Object.entries(types) as [Need, string][]
  const oneOf = (list: string | undefined) => `(?:${wordSource(() => list, [pack])})`
  const noun = oneOf(nouns)
  const names = oneOf(lists.map(([, list]) => list).join(', '))
  const very = oneOf(words.very)
  const other = `(?:${very} )?[\\w-]+`
  const joined = `(?:,? ${oneOf(words.joins)} |, ?| ?[/–] ?)`
  // What stands between a type and its noun is joined to the type, or is a type, or says no more of the noun.
  const further = `(?:${joined}${other}| (?:${names}|${very}|${oneOf(words.between)}))`
  const kind = `(?: ${oneOf(words.is)})*`
  const verbs = words.verbs === undefined ? '' : ` ${oneOf(words.verbs)}`
  const { except, denied } = words
  return lists.map(([need, list]) => {
    const name = oneOf(list)
    const listed = `\\b${name}${further}{0,3} ${noun}`
    const labelled = `\\b${noun}${kind}: ?(?:${other}${joined})*${name}`
    const told = `\\b${noun}${kind}${verbs}${kind} ${name}`
    const bare = `^(?:${other}${joined})*${name}${further}*$|^${name} ${oneOf(words.after)}`
    const listedOf = (before: string) =>
      `${before} (?:for )?(?:${other}${joined})*(?:${very} )?${name}`
    return {
      need,
      bearer,
      named: every(`(?:${listed}|${labelled})\\b`),
      told: every(`${told}\\b`),
      toldOfPeople: every(
        verbs ? `${told}\\b` : `${told}${further}{0,3} ${oneOf(words.toldBy)}\\b`,
      ),
      bare: every(bearer === 'skin' ? `(?:${bare})\\b` : '(?!)'),
      alone: every(`\\b${oneOf((alone as Partial<Record<Need, string>>)[need])}\\b`),
      excepted: every(
        `\\b${listedOf(oneOf(except.before))}\\b|\\b${name}(?: ${noun}(?: \\w+)?)? ${oneOf(except.after)}\\b`,
      ),
      denied: every(
        `\\b${oneOf(denied.before)} (?:${very} )?${name}\\b|\\b${name}(?: ${noun})? ${oneOf(denied.after)}\\b`,
      ),
      name: new RegExp(`\\b${name}\\b`),
    }
  })
}

const every = (source: string) => new RegExp(source, 'g')

const allTypes = packs.flatMap((pack) => bearers.flatMap((bearer) => patternsOf(pack, bearer)))
/** Hardly any clause has such a word: the others are read no further. */
export const anyType = new RegExp(
  allTypes.flatMap(({ name, alone }) => [name.source, alone.source]).join('|'),
)
export const nounOf = {
  skin: anyWord((pack) => pack.needs.bearers.skin.nouns),
  hair: anyWord((pack) => pack.needs.bearers.hair.nouns),
}
export const plain = plainNeeds.map((need) => ({
  need,
  names: anyWord((pack) => pack.needs.plain[need].names, 'g'),
  says: anyWord((pack) => pack.needs.plain[need].says, 'g'),
  asks: anyWord((pack) => pack.needs.plain[need].asks),
}))

export const anyPlain = new RegExp(
  plain.flatMap(({ names, says, asks }) => [names.source, says.source, asks.source]).join('|'),
)

const colours = every(anyPattern((pack) => pack.needs.colours).source)
/** A text as it is compared here: colours have words that mean something else. */
export const readable = (text: string) =>
  foldedText(text).replaceAll('’', "'").replace(colours, ' ')

/** What is said without a noun is of the skin, unless only hair is spoken of: "dryness". */
export const isOf = (bearer: Bearer, text: string) =>
  bearer === 'hair' ? nounOf.hair.test(text) : nounOf.skin.test(text) || !nounOf.hair.test(text)

export const typesIn = (text: string) =>
  allTypes.filter(({ name, alone }) => name.test(text) || text.search(alone) >= 0)

/** The words that texts say a need by, in every language. */
export function wordsOfNeed(need: Need): string[] {
  const found = packs.flatMap(({ needs: { bearers: of } }) =>
    bearers.flatMap((bearer) => (of[bearer].types as Partial<Record<Need, string>>)[need] ?? []),
  )
  return [...new Set(found.flatMap((list) => wordsOf(list)))]
}
