import { areForms } from '../../core/word_forms.ts'
import { indexOf, type WordIndex } from '../../core/word_index.ts'
import { wordsOf } from '../../core/words.ts'
import type { PublishedProduct } from '../../queries/catalogue/catalogue_search.ts'
import { areRelated, isLight, type Meaning, meaningsOf } from './lexicon.ts'
import { membersOf, type Question, type Term } from './questions.ts'
import type { Sentence } from './sentences.ts'

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
  return { words, meanings: new Set(meaningsOf(words).flat()) }
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
  if (hasForm(text, term.word)) return 1
  const shared = term.meanings.filter((meaning) => meanings.has(meaning))
  // A word with several meanings, of which a light one is shared, has little in common.
  if (shared.some((meaning) => term.isLight || !isLight(meaning)))
    return 0.85 + (0.1 * shared.length) / term.meanings.length
  if (term.meanings.length === 0 && indexIn(text).hasMisspelling(term.word)) return 0.8
  if (term.meanings.some((meaning) => [...meanings].some((other) => areRelated(meaning, other))))
    return 0.45
  return 0
}

const strong = 0.7
const weights = { heavy: 1, light: 0.3, context: 0.2 }

/** Terms that the name of the product answers already: they say which product is meant. */
function contextOf(terms: readonly Term[], product: PublishedProduct): Set<Term> {
  const words = wordsOf(`${product.name} ${product.brand}`)
  return new Set(terms.filter((term) => words.some((word) => areForms(term.word, word))))
}

/** The sentences that answer a question, best first. */
export function matchesOf(
  question: Question,
  product: PublishedProduct,
  sentences: readonly Sentence[],
): Match[] {
  const { terms } = question
  const context = contextOf(terms, product)
  const weightOf = (term: Term) => {
    if (namesWanted(term, question)) return question.quantities.length > 0 ? 0 : weights.light
    if (context.has(term)) return weights.context
    return term.isLight ? weights.light : weights.heavy
  }
  const all = terms.reduce((sum, term) => sum + weightOf(term), 0)
  const heavy = terms.filter(
    (term) => !term.isLight && !context.has(term) && !namesWanted(term, question),
  )
  return sentences
    .map((sentence, position) => {
      const strengths = terms.map((term) => strengthOf(term, sentence))
      const covered = terms.filter((_, index) => strengths[index]! >= strong)
      const sum = terms.reduce(
        (total, term, index) => total + weightOf(term) * strengths[index]!,
        0,
      )
      const related = heavy.some((term) => strengths[terms.indexOf(term)]! > 0)
      const wanted = wantedIn(question, sentence)
      return {
        sentence,
        position,
        covered,
        score: verdictOf({ share: all > 0 ? sum / all : 0, wanted, related, heavy, covered }),
      }
    })
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score || a.position - b.position)
}

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
function wantedIn({ quantities, answerClass }: Question, sentence: Sentence): Wanted {
  if (quantities.length > 0)
    return quantities.some((kind) => sentence.quantities.has(kind)) ? 'present' : 'absent'
  if (answerClass)
    return membersOf(answerClass).some((meaning) => sentence.meanings.has(meaning))
      ? 'listed'
      : 'none'
  return 'none'
}

interface Evidence {
  share: number
  wanted: Wanted
  /** A heavy term is at least related to the sentence. */
  related: boolean
  heavy: readonly Term[]
  covered: readonly Term[]
}

/** Zero if the sentence is no answer. */
function verdictOf({ share, wanted, related, heavy, covered }: Evidence): number {
  if (wanted === 'absent') return 0
  if (wanted !== 'none' && (related || heavy.length === 0)) return 0.5 + share
  if (wanted === 'listed' && heavy.length === 1) return 0.3 + share
  const coveredHeavy = heavy.filter((term) => covered.includes(term)).length
  if (heavy.length === 0) return covered.length > 0 ? share : 0
  if (coveredHeavy === 0) return 0
  const enough = heavy.length <= 3 ? 0.3 : heavy.length <= 6 ? 0.25 : 0.15
  return coveredHeavy / heavy.length >= enough ? share : 0
}
