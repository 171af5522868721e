import type { PublishedProduct } from '../../../queries/catalogue/search/catalogue_search.ts'
import { type Suited, suitedIn } from '../../../language/needs.ts'
import { isFiller } from '../../../language/small_words.ts'
import { type Vector, vectorOfWords } from '../../../language/word_vectors.ts'
import { wordsIn, type TextWords } from './strength.ts'

interface ProductTexts {
  brand: TextWords
  /** Name, brand and tags. */
  names: TextWords
  /** What it says of itself first: what it is, and what for. */
  opening: TextWords
  all: TextWords
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
    opening: wordsIn(/^[^.!?\n]*/.exec(description.trim())?.[0] ?? ''),
    all: wordsIn([names, description, information].join('. ')),
  }
  texts.set(product, found)
  return found
}

const vectors = new WeakMap<PublishedProduct, Vector>()

/** What a product is, as a vector: its name and first sentence. */
export function vectorOfProduct(product: PublishedProduct): Vector {
  const known = vectors.get(product)
  if (known) return known
  const words = [...wordsIn(product.name).words, ...textsOf(product).opening.words]
  const vector = vectorOfWords(
    words.filter((word) => word.length >= 3 && !isFiller(word, undefined)),
  )
  vectors.set(product, vector)
  return vector
}

const suited = new WeakMap<PublishedProduct, Suited>()

/** What a product says that it is for. */
export function suitedOf(product: PublishedProduct): Suited {
  const known = suited.get(product)
  if (known) return known
  const { name, tags, description, information } = product
  const found = suitedIn([description, information], [name, ...tags])
  suited.set(product, found)
  return found
}
