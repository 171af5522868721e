import { sentencesOf as sentencesIn } from '../../../language/sentences.ts'
import { wordsOf } from '../../../language/words.ts'
import type { PublishedProduct } from '../../../queries/catalogue/search/catalogue_search.ts'
import type { Language } from '../../../texts/languages.ts'
import type { Meaning } from '../../../language/meanings.ts'
import type { Quantity } from '../../../language/number_words.ts'
import { looksPlanted } from './planted.ts'
import { wordsIn } from './strength.ts'
import { quantitiesIn } from '../understanding/quantities.ts'
import { isFiller, languageOf } from '../../../language/small_words.ts'
import { type Vector, vectorOfWords } from '../../../language/word_vectors.ts'

/** A verbatim sentence of a product's text. */
export interface Sentence {
  text: string
  language: Language | undefined
  /** Folded, with those before the colon at the start of the line: "How to use: …". */
  words: readonly string[]
  /** The same with their marks, if the sentence has any. */
  written: readonly string[] | undefined
  meanings: ReadonlySet<Meaning>
  quantities: ReadonlySet<Quantity>
  /** The words of the label alone. */
  label: string[]
}

const contents = new WeakMap<Sentence, string[]>()

/** The words of a sentence that carry a topic. */
export function contentOf(sentence: Sentence): string[] {
  const known = contents.get(sentence)
  if (known) return known
  const found = sentence.words.filter(
    (word) => word.length >= 3 && !/\d/.test(word) && !isFiller(word, sentence.language),
  )
  contents.set(sentence, found)
  return found
}

const vectors = new WeakMap<Sentence, Vector>()

export function vectorOfSentence(sentence: Sentence): Vector {
  const known = vectors.get(sentence)
  if (known) return known
  const vector = vectorOfWords(sentence.words)
  vectors.set(sentence, vector)
  return vector
}

/** Anything longer is a list or a pasted document, too long for a chat. */
const longest = 600
const mostSentences = 400

const cache = new WeakMap<PublishedProduct, Sentence[]>()

/** The sentences of a product's texts, in order, without those that may have been planted. */
export function sentencesOfProduct(product: PublishedProduct): Sentence[] {
  const sentences =
    cache.get(product) ??
    [product.description, product.information].flatMap(sentencesOf).slice(0, mostSentences)
  cache.set(product, sentences)
  return sentences
}

/** Splits a text into sentences. A label applies to the end of its line. */
export function sentencesOf(text: string): Sentence[] {
  const sentences: Sentence[] = []
  for (const line of text.split(/[\r\n]+/)) {
    const [opening = '', name = ''] = /^([^:.!?]{1,60}):\s/.exec(line) ?? []
    const label = wordsOf(name)
    for (const segment of sentencesIn(line)) {
      const sentence = segment.trim()
      if (sentences.length === mostSentences) return sentences
      if (sentence.length > longest || !/\p{L}/u.test(sentence) || looksPlanted(sentence)) continue
      // Detect the language without the label, which may be bilingual.
      const body = sentence.startsWith(opening) ? sentence.slice(opening.length) : sentence
      const whole = `${sentence} ${sentence.startsWith(opening) ? '' : name}`
      const { words, written, meanings } = wordsIn(whole)
      sentences.push({
        text: sentence,
        language: languageOf(body),
        words,
        written,
        meanings,
        quantities: quantitiesIn(body),
        label,
      })
    }
  }
  return sentences
}
