import { indexOf, type WordIndex } from '../../../language/word_index.ts'
import { wordsOf } from '../../../language/words.ts'
import type { PublishedProduct } from '../../../queries/catalogue/search/catalogue_search.ts'
import { meaningsOf } from '../../../language/lexicon.ts'
import {
  areRelated,
  isKindOf,
  isLight,
  type Meaning,
  membersOf,
} from '../../../language/meanings.ts'
import type { Quantity } from '../../../language/pack.ts'
import { countsIn } from '../understanding/quantities.ts'
import { type Question, type Term, termsOf } from '../understanding/questions.ts'
import type { Sentence } from './sentences.ts'
import { bonuses, enough, inWords, relatedCover, strengths, strong, weights } from './weights.ts'

/** How well a sentence answers a question. */
export interface Match {
  sentence: Sentence
  position: number
  score: number
  /** The terms it covers. */
  covered: Term[]
}

/** The words of a text and what they mean. */
export interface Words {
  words: readonly string[]
  meanings: ReadonlySet<Meaning>
}

export function wordsIn(text: string): Words {
  const words = wordsOf(text)
  return { words, meanings: meaningsOf(words) }
}

const indexes = new WeakMap<readonly string[], WordIndex>()

/** The index of a text's words, made once: every term of a message is looked up in it. */
function indexIn({ words }: Words): WordIndex {
  const known = indexes.get(words)
  if (known) return known
  const index = indexOf(words)
  indexes.set(words, index)
  return index
}

/** Whether a text has a word or a form of it. */
export function hasForm(text: Words, word: string): boolean {
  return indexIn(text).hasForm(word)
}

/** The strength of a term in a text: its word, its meaning, a related one, or a misspelling. */
export function strengthOf(term: Term, text: Words): number {
  const { meanings } = text
  if (hasForm(text, term.word)) return strengths.word
  if (term.synonyms?.some((phrase) => phrase.every((word) => hasForm(text, word))))
    return strengths.synonym
  const shared = term.meanings.filter((meaning) => meanings.has(meaning))
  // A word with several meanings, of which a light one is shared, has little in common.
  if (shared.some((meaning) => term.isLight || !isLight(meaning)))
    return strengths.meaning + (strengths.allMeanings * shared.length) / term.meanings.length
  const answers = (asked: Meaning) => [...meanings].some((other) => isKindOf(other, asked))
  if (term.meanings.some(answers)) return strengths.kind
  if (term.meanings.length === 0 && indexIn(text).hasMisspelling(term.word))
    return strengths.misspelling
  if (term.meanings.some((meaning) => [...meanings].some((other) => areRelated(meaning, other))))
    return strengths.related
  return 0
}

/** Terms that the name of the product answers already: they say which product is meant. */
function contextOf(
  { terms, language }: Question,
  product: PublishedProduct,
  sentences: readonly Sentence[],
): Set<Term> {
  const name = wordsIn(`${product.name} ${product.brand}`)
  const isSaid = (term: Term) => sentences.some((sentence) => hasForm(sentence, term.word))
  const isCrossing = sentences.every((sentence) => sentence.language !== language)
  return new Set(
    terms.filter(
      (term) =>
        hasForm(name, term.word) ||
        (isCrossing && !isSaid(term) && strengthOf(term, name) >= strong),
    ),
  )
}

/** The sentences that answer a question, best first. */
export function matchesOf(
  question: Question,
  product: PublishedProduct,
  sentences: readonly Sentence[],
): Match[] {
  const { terms } = question
  const counted = countedOf(question, product)
  const context = contextOf(question, product, sentences)
  const weightOf = (term: Term) => {
    if (namesWanted(term, question))
      return question.quantities.length > 0 ? weights.measured : weights.light
    if (context.has(term)) return weights.context
    return term.isLight ? weights.light : weights.heavy
  }
  const all = terms.reduce((sum, term) => sum + weightOf(term), 0)
  const heavy = terms.filter(
    (term) => !term.isLight && !context.has(term) && !namesWanted(term, question),
  )
  const intents = terms.filter((term) => isDecisive(term) && !namesWanted(term, question))
  const measured = sentences.filter(
    (sentence) => wantedIn(question, counted, sentence) === 'present',
  )
  const isOnlyOne = measured.length === 1 && isSpecific(question)
  return sentences
    .map((sentence, position) => {
      const found = terms.map((term) => strengthOf(term, sentence))
      const covered = terms.filter((_, index) => found[index]! >= strong)
      const sum = terms.reduce((total, term, index) => total + weightOf(term) * found[index]!, 0)
      const ofHeavy = heavy.map((term) => found[terms.indexOf(term)]!)
      const related = ofHeavy.some((strength) => strength > 0)
      const wanted = wantedIn(question, counted, sentence)
      return {
        sentence,
        position,
        covered,
        score: verdictOf({
          saysIntents: intents.every((term) => found[terms.indexOf(term)]! > 0),
          share: all > 0 ? sum / all : 0,
          wanted,
          isOnlyOne,
          related,
          coverage: coverageOf(ofHeavy),
          heavy,
          terms: terms.length,
          covered,
          asksWhether: question.asksWhether,
        }),
      }
    })
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score || a.position - b.position)
}

/** What is asked about a thing: a sentence about the thing that does not say it is no answer. */
const decisive: ReadonlySet<Meaning> = new Set([
  'look_after',
  'warranty',
  'origin',
  'price',
  'discount',
  'ship',
  'return',
  'certificate',
])

const isDecisive = ({ meanings }: Term) => meanings.some((meaning) => decisive.has(meaning))

/** What is to be counted: the product itself, where nothing else is named. */
function countedOf({ quantities, counted }: Question, { name }: PublishedProduct): readonly Term[] {
  const isCount = quantities.length === 1 && quantities[0] === 'count'
  return counted.length > 0 || !isCount ? counted : termsOf(name)
}

/** Whether hardly anything but the answer can have a number of this kind. */
function isSpecific({ quantities, counted }: Question): boolean {
  return counted.length > 0 || quantities.every((kind) => !unspecific.has(kind))
}

const unspecific = new Set<Quantity>(['duration', 'frequency', 'length', 'share', 'count'])

type Wanted = 'present' | 'listed' | 'absent' | 'none'

/** The words that name the kind of thing asked for: "colours", "how heavy". */
const naming: Record<string, readonly Meaning[]> = {
  material: ['material', 'fabric'],
  colour: ['colour', 'version'],
  place: ['origin'],
  ingredient: ['ingredient', 'contain'],
  weight: ['heavy', 'thick'],
  length: ['wide', 'high', 'deep', 'long_length', 'length', 'big', 'size', 'thick', 'large'],
  volume: ['capacity', 'big'],
  power: ['power'],
  voltage: ['volt'],
  sound: ['noise'],
  temperature: ['heat'],
  duration: ['how_long', 'hour', 'minute'],
  frequency: ['often', 'daily', 'weekly', 'monthly', 'hour', 'minute'],
  people: ['serving_people'],
  energy: ['calorie'],
  age: ['age', 'old', 'child', 'baby'],
  brightness: ['bright'],
  pressure: ['pressure'],
}

function namesWanted({ meanings }: Term, { quantities, answerClass }: Question): boolean {
  const kinds = answerClass ? [...quantities, answerClass] : quantities
  const members = answerClass ? membersOf(answerClass) : []
  return (
    members.some((meaning) => meanings.includes(meaning)) ||
    kinds.some((kind) => naming[kind]?.some((meaning) => meanings.includes(meaning)))
  )
}

/** Whether the sentence has the number, or the kind of thing, that the question asks for. */
function wantedIn(
  { quantities, given, answerClass }: Question,
  counted: readonly Term[],
  sentence: Sentence,
): Wanted {
  if (counted.length > 0) return counts(sentence, counted) ? 'present' : 'absent'
  if (quantities.length > 0)
    return quantities.some((kind) => sentence.quantities.has(kind)) ? 'present' : 'absent'
  if (answerClass)
    return membersOf(answerClass).some((meaning) => sentence.meanings.has(meaning))
      ? 'listed'
      : 'none'
  // Their size, age or weight matters where the text gives a bound of it.
  if (given.some((kind) => sentence.quantities.has(kind))) return 'listed'
  return 'none'
}

/** Whether the sentence has a number of what is counted: "five brightness levels". */
function counts({ text }: Sentence, counted: readonly Term[]): boolean {
  return countsIn(text).some((after) => {
    const words = wordsIn(after.join(' '))
    return counted.some((term) => strengthOf(term, words) >= strong)
  })
}

interface Evidence {
  /** It speaks of what is decisive in the question. */
  saysIntents: boolean
  share: number
  wanted: Wanted
  /** No other sentence has what is wanted. */
  isOnlyOne: boolean
  /** A heavy term is at least related to the sentence. */
  related: boolean
  /** The share of the heavy terms that it covers. */
  coverage: number
  heavy: readonly Term[]
  /** The number of all terms. */
  terms: number
  covered: readonly Term[]
  asksWhether: boolean
}

/** Zero if the sentence is no answer. */
function verdictOf({
  saysIntents,
  share,
  wanted,
  isOnlyOne,
  related,
  coverage,
  heavy,
  terms,
  covered,
  asksWhether,
}: Evidence): number {
  if (!saysIntents) return 0
  // What is asked for as a number may be said in words: "knee-length".
  if (wanted === 'absent') return covered.length === terms && terms > 1 ? share * inWords : 0
  if (wanted !== 'none' && (related || heavy.length === 0)) return bonuses.wanted + share
  if (wanted === 'listed' && heavy.length === 1) return bonuses.wantedAlone + share
  if (wanted === 'present' && isOnlyOne && heavy.length <= 1) return bonuses.wantedAlone + share
  if (heavy.length === 0) return covered.length > 0 ? share : 0
  return coverage >= enoughOf(heavy.length, asksWhether) ? share : 0
}

/** The share of the heavy terms to be covered. Whether a product has something must be about it. */
function enoughOf(heavy: number, asksWhether: boolean): number {
  const { whether, few, several, many } = enough
  if (asksWhether) return whether
  if (heavy <= few.topics) return few.share
  return heavy <= several.topics ? several.share : many
}

/** What is only related covers a term by half, and alone answers nothing. */
function coverageOf(found: readonly number[]): number {
  const covered = found.filter((strength) => strength >= strong).length
  const related = found.filter((strength) => strength > 0 && strength < strong).length
  const share = (covered + related * relatedCover.each) / Math.max(1, found.length)
  const isEnough = share >= relatedCover.alone && related >= relatedCover.least
  return covered > 0 || isEnough ? share : 0
}
