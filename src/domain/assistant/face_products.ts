import type { Kysely } from 'kysely'
import { packs } from '../../language/packs.ts'
import { anyPattern, anyWord, wordSource } from '../../language/patterns.ts'
import { foldedText } from '../../language/words.ts'
import type { Database } from '../../db/schema.ts'
import type { PublishedProduct } from '../../queries/catalogue/search/catalogue_search.ts'
import type { AiShop, Citation, FaceConcern } from './ai_model.ts'
import { breachIn } from './provider/answer_guard.ts'
import { looksPlanted } from './finding/planted.ts'
import { findProductsFor } from './finding/retrieval.ts'
import { piecesOf } from './provider/sources.ts'

interface Need {
  /** Words to look for, in the languages of catalogues. */
  search: string
  /** What a sentence must speak of, folded. */
  about: RegExp
  /** What it must say the product does about it. */
  helps: RegExp
  /** Tags that say so by themselves. */
  tags: RegExp
}

const needs: Record<FaceConcern, Need> = {
  redness: needOf('redness'),
  unevenness: needOf('unevenness'),
  dryness: needOf('dryness'),
  shine: needOf('shine'),
  dullness: needOf('dullness'),
}

function needOf(concern: FaceConcern): Need {
  const begins = (list: 'about' | 'helps' | 'tags') =>
    new RegExp(`\\b(?:${wordSource(({ faces }) => faces.concerns[concern][list])})`)
  return {
    search: packs.map(({ faces }) => faces.concerns[concern].search).join(' '),
    about: begins('about'),
    helps: begins('helps'),
    tags: begins('tags'),
  }
}

/** A sentence that warns is no recommendation, however many of the words it has. */
const warning = anyPattern(({ faces }) => faces.warning)

/** Other than for the face. */
const elsewhere = anyWord(({ faces }) => faces.elsewhere)

const maxCandidates = 30
const maxForConcern = 2

/** A product that fits, and the sentence that says so; a tag may say it, too. */
interface Fit {
  productId: string
  name: string
  citation: Citation | undefined
}

/** Published products in stock that say themselves that they do something about a concern. */
export async function productsForFace(
  db: Kysely<Database>,
  shop: AiShop,
  concerns: readonly FaceConcern[],
): Promise<Fit[]> {
  const fits = new Map<string, Fit>()
  for (const concern of concerns) {
    const need = needs[concern]
    const candidates = await findProductsFor(db, shop, need.search, maxCandidates)
    const fitting = candidates.flatMap((product) => fitOf(product, need) ?? [])
    for (const fit of fitting.slice(0, maxForConcern))
      if (!fits.has(fit.productId)) fits.set(fit.productId, fit)
  }
  return [...fits.values()]
}

export function fitOf(product: PublishedProduct, need: Need | FaceConcern): Fit | undefined {
  const { about, helps, tags } = typeof need === 'string' ? needs[need] : need
  const { id, name, stock } = product
  if (stock === 0 || elsewhere.test(foldedText(name))) return undefined
  const sentence = [product.description, product.information].flatMap(piecesOf).find((piece) => {
    const folded = foldedText(piece)
    const fits = about.test(folded) && helps.test(folded)
    return fits && !warning.test(folded) && !elsewhere.test(folded) && isHarmless(piece, product)
  })
  const isTagged = product.tags.some((tag) => tags.test(foldedText(tag)))
  if (sentence === undefined && !isTagged) return undefined
  const citation = sentence === undefined ? undefined : { productId: id, sentence }
  return { productId: id, name, citation }
}

/** A planted address or promise must not become a reason to buy. */
function isHarmless(piece: string, { name, brand }: PublishedProduct): boolean {
  const isClean = breachIn(piece, { links: [], names: [name, brand], rules: '' }) === undefined
  return isClean && !looksPlanted(piece)
}
