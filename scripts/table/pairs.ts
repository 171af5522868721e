import { packOf } from '../../src/language/packs.ts'
import { entriesOf } from '../../src/language/patterns.ts'
import type { Synset } from './wordnets.ts'

/* Texts that mean the same, in pairs: what the table learns from. */

export type Pair = readonly [string, string]

/** Pairs of one kind, and how many of a hundred are taken from it. */
export interface Kind {
  share: number
  pairs: Pair[]
}

interface WordNets {
  en: ReadonlyMap<string, Synset>
  tr: ReadonlyMap<string, Synset>
}

const commonSense = 3

/** The words that usually have the meaning of a synset. */
const commonWords = ({ literals }: Synset) =>
  literals.filter(({ sense }) => sense <= commonSense).map(({ text }) => text)

export function kindsOfPairs(nets: WordNets): Record<string, Kind> {
  const { en, tr } = nets
  return {
    translations: { share: 30, pairs: [...translationsIn(nets)] },
    definitions: { share: 15, pairs: [...parallelDefinitionsIn(nets)] },
    'English words and what they are': { share: 12, pairs: [...explanationsIn(en)] },
    'Turkish words and what they are': { share: 12, pairs: [...explanationsIn(tr)] },
    synonyms: { share: 8, pairs: [...synonymsIn(en), ...synonymsIn(tr)] },
    lexicon: { share: 8, pairs: [...lexiconPairs()] },
    'sentences of the lexicon': { share: 15, pairs: [...sentencesOfLexicon()] },
  }
}

function* linkedIn({ en, tr }: WordNets): Generator<[Synset, Synset]> {
  for (const synset of tr.values())
    for (const link of synset.links) {
      const linked = en.get(link)
      if (linked) yield [synset, linked]
    }
}

function* translationsIn(nets: WordNets): Generator<Pair> {
  for (const [turkish, english] of linkedIn(nets)) {
    const words = commonWords(english)
    const known = words.length > 0 ? words : english.literals.slice(0, 1).map(({ text }) => text)
    for (const { text } of turkish.literals)
      for (const word of known.slice(0, 3)) {
        yield [text, word]
        for (const form of formsOf(text)) yield [form, word]
      }
  }
}

function* parallelDefinitionsIn(nets: WordNets): Generator<Pair> {
  for (const [turkish, english] of linkedIn(nets)) {
    if (!turkish.definition || !english.definition) continue
    yield [turkish.definition, english.definition]
    const [own] = commonWords(turkish)
    const [other] = commonWords(english)
    if (own && other) yield [`${own}: ${turkish.definition}`, `${other}: ${english.definition}`]
  }
}

function* explanationsIn(net: ReadonlyMap<string, Synset>): Generator<Pair> {
  for (const synset of net.values()) {
    if (!synset.definition) continue
    for (const word of commonWords(synset).slice(0, 2)) yield [word, synset.definition]
    for (const example of synset.examples.slice(0, 2)) yield [example, synset.definition]
  }
}

function* synonymsIn(net: ReadonlyMap<string, Synset>): Generator<Pair> {
  for (const synset of net.values()) {
    const [first, ...others] = commonWords(synset)
    for (const other of others.slice(0, 3)) yield [first!, other]
  }
}

/** Endings that Turkish words are met with, after a back and a front vowel. */
const endings = ['lar', 'da', 'dan', 'i', 'a', 'in', 'li', 'siz', 'la', 'inda']
const verbEndings = ['r', 'ilir', 'abilir', 'maz', 'mayin', 'in', 'ip', 'mali', 'an']

function formsOf(word: string): string[] {
  if (word.includes(' ') || word.length < 3) return []
  const isVerb = /m[ae]k$/.test(word)
  const root = isVerb ? word.slice(0, -3) : word
  const isBack = /[aıou][^aeıioöuü]*$/.test(root)
  const picked = (isVerb ? verbEndings : endings).filter(
    (_, index) => (root.length + index) % 4 === 0,
  )
  return picked.map((ending) => root + (isBack ? ending : ending.replaceAll('a', 'e')))
}

/** The words of every meaning that both packs have. */
function* meaningsInBoth(): Generator<{ en: string[]; tr: string[] }> {
  const listsOf = (language: 'en' | 'tr') =>
    new Map(packOf[language].lexicon.flatMap((list) => Object.entries(list)))
  const turkish = listsOf('tr')
  for (const [meaning, list] of listsOf('en')) {
    const other = turkish.get(meaning)
    if (other !== undefined) yield { en: entriesOf(list), tr: entriesOf(other) }
  }
}

function* lexiconPairs(): Generator<Pair> {
  for (const { en, tr } of meaningsInBoth()) {
    for (const a of en) for (const b of tr) yield [b, a]
    for (const b of en.slice(1)) yield [en[0]!, b]
    for (const b of tr.slice(1)) yield [tr[0]!, b]
  }
}

/** What visitors and products say, in both languages; X stands for a word. */
const templates: readonly Pair[] = [
  ['X mi', 'is it X'],
  ['X var mı', 'does it have X'],
  ['ne kadar X', 'how X is it'],
  ['X için uygun mu', 'is it suitable for X'],
  ['X ile kullanılır mı', 'can it be used with X'],
  ['X nedir', 'what is the X'],
  ['X içeriyor mu', 'does it contain X'],
  ['X değildir', 'it is not X'],
  ['X içermez, X yok', 'without X'],
  ['X nerede', 'where is the X'],
  ['kaç X', 'how many X'],
  ['X ne kadar sürer', 'how long does the X last'],
  ['X dahil mi', 'does the X come with it'],
  ['X için güvenli mi', 'safe for X'],
  ['X vardır', 'it has X'],
  ['hangi X', 'which X'],
  ['bende X var, bana olur mu', 'I have X, is it for me'],
]

/** Every word in some templates, beside another word as in a sentence. */
function* sentencesOfLexicon(): Generator<Pair> {
  const meanings = [...meaningsInBoth()]
  for (const [index, { en, tr }] of meanings.entries())
    for (let turn = 0; turn < 6; turn++) {
      const [turkish, english] = templates[(index * 7 + turn * 5) % templates.length]!
      const other = meanings[(index * 31 + turn * 97 + 1) % meanings.length]!
      const [a, b] = [tr[turn % tr.length]!, en[turn % en.length]!]
      yield [turkish.replaceAll('X', a), english.replaceAll('X', b)]
      yield [
        `${turkish.replaceAll('X', a)} ve ${other.tr[0]}`,
        `${english.replaceAll('X', b)} and ${other.en[0]}`,
      ]
    }
}
