import type { PublishedProduct } from '../../../queries/catalogue/search/catalogue_search.ts'
import { wordsIn, type Words } from './strength.ts'

interface ProductTexts {
  brand: Words
  /** Name, brand and tags. */
  names: Words
  all: Words
}

const texts = new WeakMap<PublishedProduct, ProductTexts>()

/** The words of a product's brand, of what names it, and of all its texts. */
export function textsOf(product: PublishedProduct): ProductTexts {
  const known = texts.get(product)
  if (known) return known
  const { name, brand, tags, description, information } = product
  const names = [name, brand, ...tags].join('. ')
  const found = {
    brand: wordsIn(brand),
    names: wordsIn(names),
    all: wordsIn([names, description, information].join('. ')),
  }
  texts.set(product, found)
  return found
}
