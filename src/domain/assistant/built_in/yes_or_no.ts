import { meaningsOfWord, phrasesIn } from '../../../language/lexicon.ts'
import { differByMarks, markedWordsOf } from '../../../language/marks.ts'
import { isPlain, isSubstance } from '../../../language/meanings.ts'
import type { CertaintyWords, Whether } from '../../../language/pack.ts'
import type { Patterns } from '../../../language/word_lists.ts'
import { packOf, packs } from '../../../language/packs.ts'
import { anyWord } from '../../../language/patterns.ts'
import { areForms, rootsOf } from '../../../language/word_forms.ts'
import { languageOf } from '../../../language/small_words.ts'
import { foldedText, wordsOf } from '../../../language/words.ts'
import type { PublishedProduct } from '../../../queries/catalogue/search/catalogue_search.ts'
import { type Language, languages } from '../../../texts/languages.ts'
import { isWeighty } from '../finding/sayings.ts'
import type { Sentence } from '../finding/sentences.ts'
import { hasForm, wordsIn } from '../finding/strength.ts'
import type { Question, Term } from '../understanding/questions.ts'

/*
 * Whether a text certainly says yes or no to a question. A wrong "Yes" does more harm than none, so everything
 * must fit: the question asks one thing, a clause has every word of it in the form of words that mean nothing
 * else, and how it says it is one of a few ways that have no other reading. Whatever limits a clause leaves
 * the answer without an opening, as does a second clause that says otherwise.
 */

export type Certainty = 'yes' | 'no'

interface AskedWhether {
  kind: Whether
  /** Whether it asks if there is none of something. */
  isLacking: boolean
  terms: readonly Term[]
  /** The language of the product's texts: a short sentence does not tell its own. */
  language: Language
}

/** A longer question has circumstances of its own. */
const longestQuestion = 14
const kinds: readonly Whether[] = ['having', 'suiting', 'doing', 'being']

interface CertaintyReader {
  words: CertaintyWords
  idle: RegExp
  limits: RegExp
  degrees: RegExp
  /** Between clauses. */
  ends: RegExp
}

/** What a pack's words are looked up by, made once. */
const readers = new Map<Language, CertaintyReader>()
for (const language of languages) {
  const pack = packOf[language]
  if (!pack.certainty) continue
  const contrasts = anyWord(({ certainty }) => certainty?.contrasts, '', [pack]).source
  readers.set(language, {
    words: pack.certainty,
    idle: anyWord(({ certainty }) => certainty?.idle, 'g', [pack]),
    limits: anyWord(({ certainty }) => certainty?.limits, '', [pack]),
    degrees: anyWord(({ certainty }) => certainty?.degrees, '', [pack]),
    ends: new RegExp(`[;()!?–—]|\\s-\\s|${contrasts}`, 'iu'),
  })
}

/** A question's words without those that change nothing. */
function plainText(words: readonly string[], reader: CertaintyReader | undefined): string {
  const text = words.join(' ')
  return reader ? text.replace(reader.idle, '').replace(/\s+/g, ' ').trim() : text
}

/** What the quoted sentences certainly say, if no other sentence of the product says otherwise. */
export function certaintyOf(
  question: Question,
  product: PublishedProduct,
  quoted: readonly Sentence[],
  others: readonly Sentence[],
): Certainty | undefined {
  const asked = askedIn(question, product)
  const saidBy = (sentence: Sentence) => asked.flatMap((each) => saidIn(each, sentence))
  const own = new Set(quoted.flatMap(saidBy))
  const [said] = own
  if (said === undefined || own.size > 1) return undefined
  const isDenied = others.some((sentence) => saidBy(sentence).some((other) => other !== said))
  return isDenied ? undefined : said
}

/** Whether a question is answered by yes or no, and clearly so. */
export function asksYesOrNo({ words, language, isOpen }: Question): boolean {
  const reader = readers.get(language)
  const text = plainText(words, reader)
  if (!reader || isOpen || finds(reader.words.unclear, text)) return false
  return kinds.some((kind) => finds(reader.words.asks[kind], text))
}

/** The ways to understand a question that is answered by yes or no; none for any other question. */
function askedIn(question: Question, product: PublishedProduct): AskedWhether[] {
  const { words, language, quantities, given, answerClass, isOpen, wantsOthers } = question
  const reader = readers.get(language)
  if (!reader || isOpen || wantsOthers) return []
  if (quantities.length > 0 || given.length > 0 || words.length > longestQuestion) return []
  const certainty = reader.words
  const text = plainText(words, reader)
  if (/\d/.test(text) || finds(certainty.unclear, text)) return []
  const isOfMaking = finds(certainty.asksMade ?? [], text)
  if (answerClass && !isOfMaking) return []
  const isLacking = finds(certainty.asksLacking, text)
  const asked = kinds.filter((kind) => finds(certainty.asks[kind], text))
  const isOfContent =
    finds(certainty.asksContent ?? [], text) &&
    question.terms.some(({ meanings }) => meanings.some(isSubstance))
  // Whether a product has something is no question of what it does.
  const isOfHaving = isLacking || isOfContent || asked[0] === 'having'
  const ofThing = isOfHaving ? (['having'] as const) : asked
  const named = wordsIn(`${product.name} ${product.brand}`)
  const ofTexts = languageOf(`${product.description} ${product.information}`) ?? language
  return ofThing.flatMap((kind) => {
    // Where it is asked what a product has or suits, light words say no more than that.
    const isAsked = (term: Term) =>
      !(kind === 'having' && connects(term)) &&
      (isWeighty(term) || ((kind === 'being' || kind === 'doing') && !isIdle(term))) &&
      !hasForm(named, term.word)
    const says = (term: Term) => (isOfMaking && isMaking(term)) || (isLacking && isLack(term))
    const terms = question.terms.filter((term) => isAsked(term) && !says(term))
    return terms.length > 0 ? { kind, isLacking, terms, language: ofTexts } : []
  })
}

/** "Go in" and "use" say nothing beside where a thing goes, or how it is used. */
const isIdle = ({ meanings }: Term) =>
  meanings.every((meaning) => meaning === 'go_in' || meaning === 'use')

const isMaking = ({ meanings }: Term) =>
  meanings.some((meaning) => meaning === 'material' || meaning === 'origin')

const lack = new RegExp(
  `^(?:${packs.flatMap(({ demands }) => demands.privative.suffix ?? []).join('|')})$`,
)

/** "Free" in "gluten free" says what is asked of gluten. */
const isLack = ({ word }: Term) => lack.test(` ${word}`)

/** What a product is connected by it has: "connect over Bluetooth". */
const connects = ({ meanings }: Term) =>
  meanings.length > 0 && meanings.every((meaning) => meaning.startsWith('connect'))

const finds = (patterns: Patterns, text: string) => patterns.some((pattern) => pattern.test(text))

/** What the clauses of a sentence certainly say: nothing, one thing, or both. */
function saidIn(asked: AskedWhether, sentence: Sentence): Certainty[] {
  const language = sentence.language ?? asked.language
  const reader = readers.get(language)
  if (!reader) return []
  const { words, limits, degrees, ends } = reader
  return sentence.text.split(ends).flatMap((segment) => {
    const clauses = segment.split(/,\s+/)
    return clauses.flatMap((_, place) => {
      const marked = markedIn(clauses, place, asked.terms, language)
      if (!marked || finds(words.otherSubject, marked.whole)) return []
      const text = marked.whole
      // What a thing is may be denied for a whole list; a verb holds for its own clause.
      const denied = asked.kind === 'being' ? text : marked.clause
      const unmarked = (part: string) => part.replaceAll(/\b\w+#/g, ' ')
      if (limits.test(unmarked(text)) || degrees.test(unmarked(denied))) return []
      const says = {
        yes: finds(words.yes[asked.kind], text) && !finds(words.negative, denied),
        // A number in what is denied may be its limit: "not above 40".
        no: finds(words.no[asked.kind], text) && !/\d/.test(text),
      }
      if (says.yes === says.no) return []
      return [says.yes !== asked.isLacking ? 'yes' : 'no']
    })
  })
}

/** A clause and all around it with the words marked that are asked about, if it has all of them. */
function markedIn(
  clauses: readonly string[],
  place: number,
  terms: readonly Term[],
  language: Language,
): { whole: string; clause: string } | undefined {
  const clause = clauses[place]!
  const words = wordsOf(clause)
  const written = markedWordsOf(clause)
  const marks = new Set<number>()
  for (const term of terms) {
    const found = placesOf(term, words, written, language)
    if (found.length === 0) return undefined
    for (const index of found) marks.add(index)
  }
  const parts = clauses.map((text, index) => tokensOf(text, index === place ? marks : none))
  return { whole: parts.join(' , '), clause: parts[place]! }
}

const none: ReadonlySet<number> = new Set()

/** The words of a clause, and its colons, with marks where they belong. */
function tokensOf(clause: string, marks: ReadonlySet<number>): string {
  let index = -1
  const tokens = foldedText(clause).match(/[\p{L}\p{N}]+|:(?=\s)/gu) ?? []
  return tokens
    .map((token) => (token !== ':' && marks.has(++index) ? `${token}#` : token))
    .join(' ')
}

/** A word so short looks like a form of many words of another language. */
const longestAmbiguous = 4

const shortRoot = 3

/** Whether both are forms of a short word with a meaning, as two forms of a verb are: yakar, yakmaz. */
function haveShortRoot({ word, meanings }: Term, other: string): boolean {
  if (word.slice(0, shortRoot) !== other.slice(0, shortRoot)) return false
  const [own, others] = [rootsOf(word), rootsOf(other)]
  const root = own.find((each) => each.length === shortRoot && others.includes(each))
  return root !== undefined && meaningsOfWord(root).some((meaning) => meanings.includes(meaning))
}

/** Where a clause has a term: its word, or one that means the same thing and nothing else. */
function placesOf(
  term: Term,
  words: readonly string[],
  written: readonly string[] | undefined,
  language: Language,
): number[] {
  const isForeign = term.language !== undefined && term.language !== language
  const isForm = (word: string, index: number) =>
    isForeign && term.word.length <= longestAmbiguous
      ? word === term.word
      : (areForms(term.word, word) || haveShortRoot(term, word)) &&
        !differByMarks(term.written, written?.[index])
  const isSame = (meaning: string) => term.meanings.includes(meaning) && isPlain(meaning)
  const inPhrases = phrasesIn(words)
    .filter(({ meaning }) => isSame(meaning))
    .flatMap(({ start, length }) => Array.from({ length }, (_, offset) => start + offset))
  const alone = words.flatMap((word, index) =>
    isForm(word, index) || meaningsOfWord(word, written?.[index]).some(isSame) ? [index] : [],
  )
  return [...new Set([...inPhrases, ...alone])]
}
