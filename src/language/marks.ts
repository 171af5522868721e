import { languageOf } from './small_words.ts'
import { foldedText, wordsOf } from './words.ts'

/*
 * Texts are compared without marks, because visitors leave them out. But where both sides have them, they tell
 * words apart: kışın, in winter, is no form of kişi, a person.
 */

const letters = /[\p{L}\p{N}]+/gu

/** The words of a text as they are written, in the order of `wordsOf`; undefined if it has no marks. */
export function markedWordsOf(
  text: string,
  language = languageOf(text),
): readonly string[] | undefined {
  // A circumflex is often left out where other marks are not.
  const bare = text.normalize('NFD').replaceAll('\u0302', '').normalize('NFC')
  const lower = bare.toLocaleLowerCase(language ?? 'en')
  if (foldedText(lower) === lower.replaceAll('i\u0307', 'i')) return undefined
  const marked = lower.match(letters) ?? []
  return marked.length === wordsOf(text).length ? marked : undefined
}

/** Whether two words that begin alike without marks begin differently with them. */
export function differByMarks(a: string | undefined, b: string | undefined): boolean {
  if (a === undefined || b === undefined) return false
  const length = Math.min(a.length, b.length)
  for (let at = 0; at < length; at++) {
    if (a[at] === b[at]) continue
    return foldedText(a[at]!) === foldedText(b[at]!)
  }
  return false
}
