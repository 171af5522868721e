import { foldedText } from './words.ts'
import { englishStemOf, formsOf, isOneLetterOff, rootsOf } from './word_forms.ts'
import doing from './lexicon/doing.json' with { type: 'json' }
import everyday from './lexicon/everyday.json' with { type: 'json' }
import goods from './lexicon/goods.json' with { type: 'json' }
import home from './lexicon/home.json' with { type: 'json' }
import parts from './lexicon/parts.json' with { type: 'json' }
import people from './lexicon/people.json' with { type: 'json' }
import places from './lexicon/places.json' with { type: 'json' }
import properties from './lexicon/properties.json' with { type: 'json' }
import tech from './lexicon/tech.json' with { type: 'json' }
import textile from './lexicon/textile.json' with { type: 'json' }
import wear from './lexicon/wear.json' with { type: 'json' }

/*
 * Everyday and retail words of both languages, by meaning. A line of the data is one meaning:
 *
 *   ~rain downpour water_column | yağmur sağanak su_geçirmez > weather ~water
 *
 * English words, then Turkish roots, then the meanings it is a kind of, by their first words, or with a
 * tilde only related to: a text about rain answers a question about the weather. An underscore joins the
 * words of a phrase. A tilde at the start marks a meaning that says little by itself.
 */

/** A meaning, by the first word of its line. */
export type Meaning = string

interface Phrase {
  words: string[]
  meaning: Meaning
}

interface Lexicon {
  english: Map<string, Meaning[]>
  turkish: Map<string, Meaning[]>
  /** By the first word, as it stands in the phrase. */
  phrases: Map<string, Phrase[]>
  related: Map<Meaning, Set<Meaning>>
  /** The meanings that are of a kind: almond of nut. */
  kinds: Map<Meaning, Set<Meaning>>
  light: Set<Meaning>
  /** Whole words, for those that are misspelt, by their first letter and length. */
  spellings: Map<string, { spelling: string; meaning: Meaning }[]>
  /** The single words of each meaning: English stems and Turkish roots. */
  words: Map<Meaning, string[]>
}

let loaded: Lexicon | undefined

function lexicon(): Lexicon {
  return (loaded ??= read(
    [properties, textile, home, tech, people, everyday, wear, parts, goods, doing, places].flat(),
  ))
}

function read(lines: readonly string[]): Lexicon {
  const all: Lexicon = {
    english: new Map(),
    turkish: new Map(),
    phrases: new Map(),
    related: new Map(),
    kinds: new Map(),
    light: new Set(),
    spellings: new Map(),
    words: new Map(),
  }
  for (const line of lines) readLine(all, line)
  return all
}

function readLine(
  { english, turkish, phrases, related, kinds, light, spellings, words: wordsOf }: Lexicon,
  line: string,
): void {
  const [sides = '', relations = ''] = line.split('>')
  const [inEnglish = [], inTurkish = []] = sides
    .split('|')
    .map((side) => foldedText(side).match(/[^\s~]+/g) ?? [])
  const [meaning = ''] = inEnglish
  if (line.startsWith('~')) light.add(meaning)
  for (const word of [...inEnglish, ...inTurkish].filter((entry) => entry.includes('_'))) {
    const words = word.split('_')
    add(phrases, words[0]!, { words, meaning })
  }
  for (const word of inEnglish.filter((entry) => !entry.includes('_'))) {
    add(english, englishStemOf(word), meaning)
    add(spellings, spellingKey(word[0], word.length), { spelling: word, meaning })
    add(wordsOf, meaning, englishStemOf(word))
  }
  for (const word of inTurkish.filter((entry) => !entry.includes('_'))) {
    add(turkish, word, meaning)
    add(spellings, spellingKey(word[0], word.length), { spelling: word, meaning })
    add(wordsOf, meaning, word)
  }
  for (const relation of foldedText(relations).match(/\S+/g) ?? []) {
    const other = relation.replace('~', '')
    related.set(meaning, (related.get(meaning) ?? new Set()).add(other))
    related.set(other, (related.get(other) ?? new Set()).add(meaning))
    if (other === relation) kinds.set(other, (kinds.get(other) ?? new Set()).add(meaning))
  }
}

function add<Value>(map: Map<string, Value[]>, key: string, value: Value): void {
  const values = map.get(key)
  if (values) values.push(value)
  else map.set(key, [value])
}

const none: readonly Meaning[] = []
const remembered = new Map<string, readonly Meaning[]>()
const maxRemembered = 20_000

/** The meanings of a folded word by itself: of its English stem, and of its Turkish roots. */
export function meaningsOfWord(word: string): readonly Meaning[] {
  const known = remembered.get(word)
  if (known) return known
  const { english, turkish } = lexicon()
  const [longest, ...shorter] = rootsOf(word).filter((candidate) => turkish.has(candidate))
  // A root that is a letter shorter may be the right one: takılır is of tak, not of takı.
  const roots = longest === undefined ? [] : [longest, ...shorter.filter(isNearly(longest))]
  const found = [
    ...(english.get(englishStemOf(word)) ?? none),
    ...roots.flatMap((root) => turkish.get(root) ?? none),
  ]
  if (remembered.size === maxRemembered) remembered.clear()
  const meanings = found.length > 0 ? [...new Set(found)] : none
  remembered.set(word, meanings)
  return meanings
}

const shortestMisspelt = 6

/** The meanings of the words that a folded word may be a misspelling of. */
export function meaningsOfMisspelt(word: string): readonly Meaning[] {
  if (word.length < shortestMisspelt) return none
  const roots = rootsOf(word).filter(({ length }) => length >= shortestMisspelt)
  const { spellings } = lexicon()
  const found = new Set<Meaning>()
  for (const root of roots)
    for (const length of [root.length - 1, root.length, root.length + 1])
      for (const { spelling, meaning } of spellings.get(spellingKey(word[0], length)) ?? [])
        if (isOneLetterOff(root, spelling)) found.add(meaning)
  return [...found]
}

const spellingKey = (letter: string | undefined, length: number) => `${letter}${length}`

const isNearly = (root: string) => (other: string) => other.length === root.length - 1

/** A phrase of the lexicon among the words of a text. */
export interface FoundPhrase {
  start: number
  length: number
  meaning: Meaning
}

/** The phrases among words, in order. */
export function phrasesIn(words: readonly string[]): FoundPhrase[] {
  const found: FoundPhrase[] = []
  for (const [start, word] of words.entries())
    for (const phrase of phrasesFrom(word))
      if (phrase.words.every((part, place) => isAt(words, start + place, part)))
        found.push({ start, length: phrase.words.length, meaning: phrase.meaning })
  return found
}

function isAt(words: readonly string[], place: number, part: string): boolean {
  const word = words[place]
  return word !== undefined && isFormOf(part, word)
}

/** The meanings of words, those of phrases included. */
export function meaningsOf(words: readonly string[]): Set<Meaning> {
  const found = new Set<Meaning>()
  for (const word of words) for (const meaning of meaningsOfWord(word)) found.add(meaning)
  for (const { meaning } of phrasesIn(words)) found.add(meaning)
  return found
}

const beginning = new Map<string, readonly Phrase[]>()

/** The phrases that a word may begin, remembered: every word of every text is asked for. */
function phrasesFrom(word: string): readonly Phrase[] {
  const known = beginning.get(word)
  if (known) return known
  const { phrases } = lexicon()
  const { stem, roots } = formsOf(word)
  const found = [...new Set([word, stem, ...roots])].flatMap((root) => phrases.get(root) ?? [])
  if (beginning.size === maxRemembered) beginning.clear()
  beginning.set(word, found)
  return found
}

function isFormOf(root: string, word: string): boolean {
  if (word === root || formsOf(word).stem === formsOf(root).stem) return true
  return word.startsWith(root.slice(0, 2)) && formsOf(word).roots.includes(root)
}

/** Whether a meaning says little by itself, as "use" does. */
export function isLight(meaning: Meaning): boolean {
  return lexicon().light.has(meaning)
}

export function areRelated(a: Meaning, b: Meaning): boolean {
  return lexicon().related.get(a)?.has(b) ?? false
}

/** Whether what has this meaning is also of that kind, so that it answers a question about it. */
export function isKindOf(meaning: Meaning, kind: Meaning): boolean {
  return lexicon().kinds.get(kind)?.has(meaning) ?? false
}

/** The beginnings of words with a meaning, then of those that are of its kind. */
export function beginningsOf(meaning: Meaning): string[] {
  const { words, kinds } = lexicon()
  return [meaning, ...(kinds.get(meaning) ?? none)].flatMap((each) => words.get(each) ?? none)
}
