import { packs } from '../../../language/packs.ts'
import { wordsOf } from '../../../language/words.ts'
import type { PublishedProduct } from '../../../queries/catalogue/search/catalogue_search.ts'
import type { Language } from '../../../texts/languages.ts'
import { type Sentence, sentencesOfProduct } from '../finding/sentences.ts'

const usage = packs.flatMap(({ routines }) => wordsOf(routines.usage))

/** The sentences that say how to use the product, then what it is, in the reader's language. */
export function directionsOf(
  product: PublishedProduct,
  language: Language,
  limit: number,
): Sentence[] {
  const isLabelled = ({ label }: Sentence) => label.some((word) => usage.includes(word))
  const tells = ({ meanings }: Sentence) => meanings.has('use')
  const isForeign = (sentence: Sentence) => Number(sentence.language !== language)
  const value = (sentence: Sentence) => (isLabelled(sentence) ? 0 : tells(sentence) ? 1 : 2)
  return [...sentencesOfProduct(product)]
    .sort((a, b) => value(a) - value(b) || isForeign(a) - isForeign(b))
    .slice(0, limit)
}
