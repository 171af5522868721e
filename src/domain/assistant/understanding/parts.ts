import { anyPattern, anyWord, wordSource } from '../../../language/patterns.ts'
import { foldedText } from '../../../language/words.ts'
import { quantitiesAsked } from './quantities.ts'

/* Several questions in one message: "How heavy is it, and where is it made?" */

const openWords = anyWord(({ questions }) => questions.open)
const whether = anyPattern(({ questions }) => questions.whether)
const joins = wordSource(({ questions }) => questions.joins)
const between = new RegExp(
  `(?<=[?;])\\s+|[;,]\\s+(?:(?:${joins})\\s+)?|(?<!\\s)\\s+(?:${joins})\\s+`,
  'iu',
)

/** More are not told apart: a message that long is a story. */
const maxParts = 4
/** Nor so many clauses: each may be read anew with all before it. */
const maxClauses = 40

/** The questions of a message, each as its text; the message itself if it asks one. */
export function partsOf(message: string): string[] {
  const parts: string[] = []
  const clauses = message.split(between)
  if (clauses.length > maxClauses) return [message]
  for (const piece of clauses) {
    const text = piece.trim()
    if (text === '') continue
    // What asks nothing by itself goes on with the part before it, or leads to the first.
    const last = parts.at(-1)
    if (last !== undefined && (!asks(text) || !asks(last)))
      parts[parts.length - 1] = `${last} ${text}`
    else parts.push(text)
  }
  return parts.length < 2 || parts.length > maxParts ? [message] : parts
}

function asks(text: string): boolean {
  const folded = foldedText(text)
  return openWords.test(folded) || whether.test(folded) || quantitiesAsked(text).length > 0
}
