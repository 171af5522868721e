import type { PublishedProduct } from '../../queries/catalogue/catalogue_search.ts'
import { wordsIn, type Words } from './matching.ts'

const texts = new WeakMap<PublishedProduct, { names: Words; all: Words }>()

/** The words of a product's name, brand and tags, and of all its texts. */
export function textsOf(product: PublishedProduct): { names: Words; all: Words } {
  const known = texts.get(product)
  if (known) return known
  const { name, brand, tags, description, information } = product
  const names = [name, brand, ...tags].join('. ')
  const both = {
    names: wordsIn(names),
    all: wordsIn([names, description, information].join('. ')),
  }
  texts.set(product, both)
  return both
}
