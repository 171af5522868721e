import type { Language } from '../texts/languages.ts'
import { kindsIn, type Meaning } from './meanings.ts'
import type { LanguagePack } from './pack.ts'
import { packOf, packs } from './packs.ts'
import { entriesOf } from './patterns.ts'
import { differByMarks } from './marks.ts'
import { isFiller } from './small_words.ts'
import { formsOf, isOneLetterOff, rootsOf } from './word_forms.ts'
import { closeness as closenessOf, type Vector, vectorOfWord } from './word_vectors.ts'
import { foldedText } from './words.ts'

/* Everyday and retail words of every pack, by meaning. */

interface Phrase {
  words: string[]
  meaning: Meaning
}

/** A meaning of a word, and the word with its marks. */
interface LexiconEntry {
  meaning: Meaning
  written: string
}

interface Lexicon {
  /** For each pack, the meanings of its single words, by stem or as they stand. */
  meanings: { pack: LanguagePack; byWord: Map<string, LexiconEntry[]> }[]
  /** By the first word, as it stands in the phrase. */
  phrases: Map<string, Phrase[]>
  /** The words of each phrase of a meaning. */
  phrasesOf: Map<Meaning, string[][]>
  /** Whole words, for those that are misspelt, by their first letter and length. */
  spellings: Map<string, { spelling: string; meaning: Meaning }[]>
  /** The single words of each meaning, as `meanings` has them. */
  words: Map<Meaning, string[]>
}

let loaded: Lexicon | undefined

function lexicon(): Lexicon {
  return (loaded ??= read())
}

function read(): Lexicon {
  const all: Lexicon = {
    meanings: packs.map((pack) => ({ pack, byWord: new Map() })),
    phrases: new Map(),
    phrasesOf: new Map(),
    spellings: new Map(),
    words: new Map(),
  }
  for (const { pack, byWord } of all.meanings)
    for (const [meaning, list] of pack.lexicon.flatMap(Object.entries) as [Meaning, string][])
      for (const written of entriesOf(list)) {
        const entry = foldedText(written)
        if (entry.includes(' ')) {
          const words = entry.split(' ')
          add(all.phrases, words[0]!, { words, meaning })
          add(all.phrasesOf, meaning, words)
          continue
        }
        const word = pack.forms.stemOf?.(entry) ?? entry
        add(byWord, word, { meaning, written: written.toLowerCase() })
        add(all.spellings, spellingKey(entry[0], entry.length), { spelling: entry, meaning })
        add(all.words, meaning, word)
      }
  return all
}

function add<Value>(map: Map<string, Value[]>, key: string, value: Value): void {
  const values = map.get(key)
  if (values) values.push(value)
  else map.set(key, [value])
}

const none: readonly Meaning[] = []
const remembered = new Map<string, readonly Meaning[]>()
const maxRemembered = 20_000

/**
 * The meanings of a folded word by itself, in every language; its marks, if it has any, tell which. A small
 * word of its text's language is no word of another: "is" is not iş, work, in an English text.
 */
export function meaningsOfWord(
  word: string,
  written?: string,
  language?: Language,
): readonly Meaning[] {
  const only = language !== undefined && isFiller(word, language) ? language : undefined
  const key = `${word} ${written ?? ''} ${only ?? ''}`
  const known = remembered.get(key)
  if (known) return known
  const found = lexicon().meanings.flatMap(({ pack, byWord }) => {
    const { forms } = pack
    if (only !== undefined && pack !== packOf[only]) return []
    const entriesFor = (root: string) =>
      byWord.get(root)?.filter((entry) => !differByMarks(entry.written, written)) ?? []
    if (forms.stemOf) {
      const own = entriesFor(forms.stemOf(word))
      const verb = own.length > 0 ? undefined : forms.verbOf?.(word)
      return verb === undefined ? own : entriesFor(forms.stemOf(verb))
    }
    const roots = [word, ...(forms.rootsOf?.(word) ?? [])]
    const [longest, ...shorter] = roots.filter((root) => entriesFor(root).length > 0)
    // A root that is a letter shorter may be the right one: takılır is of tak, not of takı.
    const likely = longest === undefined ? [] : [longest, ...shorter.filter(isNearly(longest))]
    return likely.flatMap(entriesFor)
  })
  if (remembered.size === maxRemembered) remembered.clear()
  const meanings = found.length > 0 ? [...new Set(found.map(({ meaning }) => meaning))] : none
  remembered.set(key, meanings)
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

/** How close a word must be to one of the lexicon to be taken for its like. */
const nearEnough = 0.5
const shortestNear = 4

const near = new Map<string, readonly Meaning[]>()

/** The meanings of the word of the lexicon that lies nearest to a word that it does not have. */
export function meaningsNear(word: string): readonly Meaning[] {
  if (word.length < shortestNear || /\d/.test(word)) return none
  const known = near.get(word)
  if (known) return known
  const vector = vectorOfWord(word)
  let best = nearEnough
  let meanings: Meaning[] = []
  for (const { spelling, meaning } of [...lexicon().spellings.values()].flat()) {
    // Words that begin alike are forms or misspellings, or have nothing in common.
    if (spelling.length < shortestNear || spelling.slice(0, 3) === word.slice(0, 3)) continue
    const closeness = closenessOf(vector, vectorInLexicon(spelling))
    if (closeness < best) continue
    meanings = closeness === best ? [...meanings, meaning] : [meaning]
    best = closeness
  }
  if (near.size === maxRemembered) near.clear()
  near.set(word, meanings)
  return meanings
}

const vectors = new Map<string, Vector>()

function vectorInLexicon(spelling: string): Vector {
  const vector = vectors.get(spelling) ?? vectorOfWord(spelling)
  vectors.set(spelling, vector)
  return vector
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

const shortestPart = 3

/** Words written apart that a line has as one: "pillow case", "dish washer". */
export function compoundsIn(words: readonly string[]): FoundPhrase[] {
  const { spellings } = lexicon()
  return words.slice(1).flatMap((second, start) => {
    const first = words[start]!
    if (first.length < shortestPart || second.length < shortestPart) return []
    const whole = first + second
    const lines = spellings.get(spellingKey(whole[0], whole.length)) ?? []
    const own = lines.filter(({ spelling }) => spelling === whole)
    return own.map(({ meaning }) => ({ start, length: 2, meaning }))
  })
}

function isAt(words: readonly string[], place: number, part: string): boolean {
  const word = words[place]
  return word !== undefined && isFormOf(part, word)
}

/** The meanings of the words of a text, those of phrases included. */
export function meaningsOf(
  words: readonly string[],
  written?: readonly string[],
  language?: Language,
): Set<Meaning> {
  const found = new Set<Meaning>()
  for (const [index, word] of words.entries())
    for (const meaning of meaningsOfWord(word, written?.[index], language)) found.add(meaning)
  for (const { meaning } of phrasesIn(words)) found.add(meaning)
  return found
}

const beginning = new Map<string, readonly Phrase[]>()

/** The phrases that a word may begin, remembered: every word of every text is asked for. */
function phrasesFrom(word: string): readonly Phrase[] {
  const known = beginning.get(word)
  if (known) return known
  const { phrases } = lexicon()
  const { stems, roots } = formsOf(word)
  const found = [...new Set([word, ...stems, ...roots])].flatMap((root) => phrases.get(root) ?? [])
  if (beginning.size === maxRemembered) beginning.clear()
  beginning.set(word, found)
  return found
}

function isFormOf(root: string, word: string): boolean {
  if (word === root) return true
  const { stems, roots } = formsOf(word)
  if (formsOf(root).stems.some((stem) => stems.includes(stem))) return true
  return word.startsWith(root.slice(0, 2)) && roots.includes(root)
}

/** The beginnings of words with a meaning, then of those that are of its kind. */
export function beginningsOf(meaning: Meaning): string[] {
  const { words } = lexicon()
  return [meaning, ...kindsIn(meaning)].flatMap((each) => words.get(each) ?? none)
}

/** The words at a place of the phrases of so many words with a meaning: "bag" of "uyku tulumu". */
export function wordsAt(meaning: Meaning, { place, length }: { place: number; length: number }) {
  const phrases = lexicon().phrasesOf.get(meaning) ?? []
  return phrases.filter((words) => words.length === length).map((words) => words[place]!)
}
