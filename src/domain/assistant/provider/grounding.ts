import { packs } from '../../../language/packs.ts'
import { languageOf } from '../../../language/small_words.ts'
import { foldedText } from '../../../language/words.ts'
import { strengthOf, wordsIn, type TextWords } from '../finding/strength.ts'
import { somehow, strong } from '../finding/weights.ts'
import { type Term, termsOf } from '../understanding/questions.ts'

/*
 * Whether a sentence of a model says what the text that it cites says. Words are compared by form and
 * meaning, so that a model may put things in its own words and in another language.
 */

/** A sentence with so many words that its source does not have is about something else. */
const foreign = { words: 2, share: 2 / 3 }

/** Whether a sentence may rest on a text: its numbers stand there, and most of what it speaks of. */
export function restsOn(sentence: string, source: string, question: string): boolean {
  if (!hasNumbersOf(sentence, `${source} ${question}`)) return false
  const terms = comparable(sentence, source)
  const words = wordsIn(`${source} ${question}`)
  const missing = terms.filter((term) => strengthOf(term, words) < somehow)
  return missing.length < foreign.words || missing.length / terms.length <= foreign.share
}

/** Whether a text says all that a sentence does, which then needs no mark. */
export function isSaidBy(sentence: string, source: string): boolean {
  if (!hasNumbersOf(sentence, source)) return false
  const terms = comparable(sentence, source)
  const words: TextWords = wordsIn(source)
  return terms.length > 0 && terms.every((term) => strengthOf(term, words) >= strong)
}

/** The topics of a sentence that can be compared with a text: in another language, what has a meaning. */
function comparable(sentence: string, source: string): Term[] {
  const isSame = languageOf(sentence) === languageOf(source)
  return termsOf(sentence).filter(
    ({ isLight, meanings }) => !isLight && (isSame || meanings.length > 0),
  )
}

const values = new Map(
  packs.flatMap(({ numbers }) =>
    Object.entries(numbers.values).map(([word, value]): [string, string] => [word, String(value)]),
  ),
)

function hasNumbersOf(sentence: string, source: string): boolean {
  const said = numbersIn(source)
  for (const word of foldedText(source).match(/\p{L}+/gu) ?? [])
    if (values.has(word)) said.add(values.get(word)!)
  return [...numbersIn(sentence)].every((number) => said.has(number))
}

function numbersIn(text: string): Set<string> {
  const numbers = text.match(/\d+(?:[.,]\d+)*/g) ?? []
  return new Set(numbers.map((number) => number.replaceAll(',', '.')))
}
