import { type Meaning, membersOf } from '../../../language/meanings.ts'
import type { Quantity } from '../../../language/number_words.ts'
import type { PublishedProduct } from '../../../queries/catalogue/search/catalogue_search.ts'
import { countsIn } from '../understanding/quantities.ts'
import { type Question, type Term, termsOf } from '../understanding/questions.ts'
import type { Sentence } from './sentences.ts'
import { strengthOf, wordsIn } from './strength.ts'
import { strong } from './weights.ts'

/* What a question wants to be told: a number, or a thing of some class. */

/** What is to be counted: the product itself, where nothing else is named. */
export function countedOf(
  { quantities, counted }: Question,
  { name }: PublishedProduct,
): readonly Term[] {
  const isCount = quantities.length === 1 && quantities[0] === 'count'
  return counted.length > 0 || !isCount ? counted : termsOf(name)
}

/** Whether hardly anything but the answer can have a number of this kind. */
export function isSpecific({ quantities, counted }: Question): boolean {
  return counted.length > 0 || quantities.every((kind) => !unspecific.has(kind))
}

const unspecific = new Set<Quantity>(['duration', 'frequency', 'length', 'share', 'count'])

export type WantedState = 'present' | 'listed' | 'absent' | 'none'

/** The words that name the kind of thing asked for: "colours", "how heavy". */
const naming: Record<string, readonly Meaning[]> = {
  material: ['material', 'fabric'],
  colour: ['colour', 'version'],
  // "Where is it made?", not of what.
  place: ['origin', 'material'],
  ingredient: ['ingredient', 'contain'],
  weight: ['heavy', 'thick'],
  length: ['wide', 'high', 'deep', 'long_length', 'length', 'big', 'size', 'thick', 'large'],
  volume: ['capacity', 'big'],
  power: ['power'],
  voltage: ['volt'],
  sound: ['noise'],
  temperature: ['heat'],
  duration: ['how_long', 'hour', 'minute'],
  frequency: ['often', 'daily', 'weekly', 'monthly', 'hour', 'minute', 'day', 'bedtime'],
  people: ['serving_people'],
  energy: ['calorie'],
  age: ['age', 'old', 'child', 'baby'],
  brightness: ['bright'],
  pressure: ['pressure'],
}

export function namesWanted(
  { meanings }: Term,
  {
    quantities,
    answerClass,
  }: Pick<Question, 'quantities'> & Partial<Pick<Question, 'answerClass'>>,
): boolean {
  const kinds = answerClass ? [...quantities, answerClass] : quantities
  const members = answerClass ? membersOf(answerClass) : []
  return (
    members.some((meaning) => meanings.includes(meaning)) ||
    kinds.some((kind) => naming[kind]?.some((meaning) => meanings.includes(meaning)))
  )
}

/** Whether the sentence has the number, or the kind of thing, that the question asks for. */
export function wantedIn(
  { quantities, given, answerClass }: Question,
  counted: readonly Term[],
  sentence: Sentence,
): WantedState {
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
