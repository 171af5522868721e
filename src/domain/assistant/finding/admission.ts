import { mapInTurns } from '../../../fairness/yielding.ts'
import { type Need, needs } from '../../../language/need_words.ts'
import { kindOfNeed } from '../../../language/need_patterns.ts'
import { packs } from '../../../language/packs.ts'
import { anyPattern, anyWord, wordSource } from '../../../language/patterns.ts'
import { foldedText, wordsOf } from '../../../language/words.ts'
import type { PublishedProduct } from '../../../queries/catalogue/search/catalogue_search.ts'
import type { Constraints } from '../understanding/constraints.ts'
import { hasForm, strengthOf, wordsIn, type TextWords } from './strength.ts'
import type { Term } from '../understanding/questions.ts'
import { suitedOf, textsOf } from './product_texts.ts'
import { itself, somehow, strong } from './weights.ts'

/*
 * Which products a visitor's demands admit. They hold before anything is chosen: what a product's text
 * warns of excludes it, and what the text leaves open excludes it too where harm could follow.
 */

interface Clause extends TextWords {
  text: string
  isNegative: boolean
  isWarning: boolean
}

const negative = anyPattern(({ products }) => products.negative)
const warning = anyWord(({ products }) => products.warning)
const clauseEnd = new RegExp(`[;,:]\\s| (?:${wordSource(({ products }) => products.contrasts)}) `)

/** How words say that there is none of something: behind a word, and by their own end or beginning. */
const privativeBy = (part: 'suffix' | 'ending' | 'beginning') =>
  packs.flatMap(({ demands }) => demands.privative[part] ?? []).join('|') || '(?!)'
const suffix = privativeBy('suffix')
const endings = privativeBy('ending')
const privativeTag = new RegExp(`(?:${endings})\\b`)
const privativeWord = new RegExp(`(?:${endings})$|^(?:${privativeBy('beginning')})`)

const clauses = new WeakMap<PublishedProduct, Clause[]>()

/** The product's text and tags in clauses: a negation holds for its own clause alone. */
function clausesOf(product: PublishedProduct): Clause[] {
  const known = clauses.get(product)
  if (known) return known
  const { description, information, tags } = product
  const parts = `${description}\n${information}`.split(/(?<=[.!?])\s+|\n+/)
  const all = parts.flatMap((sentence) => {
    const isWarningInAll = warning.test(foldedText(sentence))
    return sentence.split(clauseEnd).map((part): Clause => {
      const text = foldedText(part)
      const isWarning = warning.test(text) || (part.length < 60 && isWarningInAll)
      return { ...wordsIn(part), text, isNegative: negative.test(text), isWarning }
    })
  })
  for (const tag of tags) {
    const text = foldedText(tag)
    const isNegative = negative.test(text) || privativeTag.test(text)
    all.push({ ...wordsIn(tag), text, isNegative, isWarning: false })
  }
  clauses.set(product, all)
  return all
}

/** The products that the visitor chose and that may stay: nothing in them is harmful or unwanted. */
export function harmlessOf(
  products: readonly PublishedProduct[],
  constraints: Constraints,
): Promise<Set<PublishedProduct>> {
  return admittedOf(products, { ...constraints, needs: new Set(), time: undefined })
}

/** The products that may be suggested under the constraints. Other calls get their turn in between. */
export async function admittedOf(
  products: readonly PublishedProduct[],
  constraints: Constraints,
): Promise<Set<PublishedProduct>> {
  const makers = makersIn(products, constraints)
  const verdicts = await mapInTurns(
    products,
    (product) =>
      isAdmitted(product, constraints) && (makers.size === 0 || makers.has(product.brand)),
  )
  return new Set(products.filter((_, index) => verdicts[index]))
}

/** The brands that alone are wanted, as far as any product is of one. */
function makersIn(
  products: readonly PublishedProduct[],
  { onlyOf }: Constraints,
): ReadonlySet<string> {
  if (onlyOf.length === 0) return new Set()
  const brands = [...new Set(products.map(({ brand }) => brand))]
  return new Set(
    brands.filter((brand) => {
      const words = wordsOf(brand)
      return words.length > 0 && onlyOf.some((only) => words.every((word) => only.has(word)))
    }),
  )
}

function isAdmitted(product: PublishedProduct, constraints: Constraints): boolean {
  const { without, freeOf, mustBe, circumstances, time, inStockOnly } = constraints
  return (
    // Of demands that were not all read, none is known to be met.
    !constraints.areTooMany &&
    (!inStockOnly || product.stock > 0) &&
    without.every((term) => !has(product, term)) &&
    freeOf.every((term) => isFreeOf(product, term)) &&
    mustBe.every((term) => isConfirmed(product, term)) &&
    circumstances.every((term) => !warnsOf(product, term)) &&
    [...constraints.needs].every((need) => suits(product, need)) &&
    (!constraints.isForBaby || isForBaby(product)) &&
    (time === undefined || (timeOf(product) ?? time) === time) &&
    suitsAnimal(product, circumstances)
  )
}

/** Whether the product is, has or is made by something. */
function has(product: PublishedProduct, term: Term): boolean {
  const { brand, names, all } = textsOf(product)
  if (hasForm(brand, term.word)) return true
  if (strengthOf(term, names) >= somehow) return !isFreeOfName(product, term)
  // No clause has what the whole text has not.
  if (strengthOf(term, all) < strong) return false
  return clausesOf(product).some(
    (clause) => !saysWithout(clause, term) && strengthOf(term, clause) >= strong,
  )
}

/** A name such as "Sugar-free" has the word, but not the thing. */
function isFreeOfName(product: PublishedProduct, { word, synonyms = [] }: Term): boolean {
  const text = foldedText([product.name, ...product.tags].join('. '))
  return [word, ...synonyms.map((words) => words.at(-1)!)].some((each) =>
    new RegExp(`\\b${each.slice(0, 4)}\\w*(?:${suffix})\\b`).test(text),
  )
}

/** Whether a clause says that there is none of it: "no perfume", "parfümsüz". */
function saysWithout(clause: Clause, term: Term): boolean {
  if (strengthOf(term, clause) < strong) return false
  return clause.isNegative || clause.words.some((word) => isPrivative(word, term))
}

/** "parfümsüz", "unscented": without it by the form of the word. */
function isPrivative(word: string, term: Term): boolean {
  if (!privativeWord.test(word)) return false
  return strengthOf(term, { words: [word], meanings: wordsIn(word).meanings }) >= strong
}

function isFreeOf(product: PublishedProduct, term: Term): boolean {
  if (strengthOf(term, textsOf(product).all) < strong) return false
  const all = [...clausesOf(product), nameClause(product)]
  return all.some((clause) => strengthOf(term, clause) >= itself && saysWithout(clause, term))
}

function nameClause({ name }: PublishedProduct): Clause {
  const text = foldedText(name)
  return { ...wordsIn(name), text, isNegative: negative.test(text), isWarning: false }
}

function isConfirmed(product: PublishedProduct, term: Term): boolean {
  if (strengthOf(term, textsOf(product).all) < strong) return false
  const all = [...clausesOf(product), nameClause(product)]
  const about = all.filter((clause) => strengthOf(term, clause) >= strong)
  return about.length > 0 && about.every((clause) => !clause.isNegative)
}

/** Whether the product's text warns of a circumstance of the visitor. */
function warnsOf(product: PublishedProduct, term: Term): boolean {
  if (isExpecting(term) && isRisky(product)) return true
  if (strengthOf(term, textsOf(product).all) < somehow) return false
  const about = [...clausesOf(product), nameClause(product)].filter(
    (clause) => strengthOf(term, clause) >= somehow,
  )
  // "Never leave your baby alone on it" is said of what is made for babies.
  const isMeantFor = about.some((clause) => !clause.isWarning && !clause.isNegative)
  return about.some((clause) => clause.isWarning && !(isMeantFor && supervision.test(clause.text)))
}

const supervision = anyWord(({ products }) => products.supervision)

/** Whether a product says that it is for babies, and not only warns of something. */
function isForBaby(product: PublishedProduct): boolean {
  return [...clausesOf(product), nameClause(product)].some(
    ({ meanings, isWarning, isNegative }) =>
      !isWarning && !isNegative && (meanings.has('baby') || meanings.has('newborn')),
  )
}

const isExpecting = ({ meanings }: Term) =>
  meanings.includes('pregnant') || meanings.includes('breastfeed')

/** Retinoids are advised against in pregnancy even where a text does not say so. */
function isRisky(product: PublishedProduct): boolean {
  return textsOf(product).all.meanings.has('retinol')
}

/** A product that says what it is for suits nothing else of the kind; one that does not suits all. */
function suits(product: PublishedProduct, need: Need): boolean {
  const { to, notTo, toAll } = suitedOf(product)
  if (notTo.has(need)) return false
  const kind = kindOfNeed(need)
  if (to.has(need) || toAll.has(kind)) return true
  // What does not say so may irritate sensitive skin.
  return need !== 'sensitive_skin' && !needs[kind].some((other) => to.has(other))
}

const morning = anyWord(({ products }) => products.morning)
const evening = anyWord(({ products }) => products.evening)
const notByDay = anyPattern(({ products }) => products.notByDay)

/** The time of day a product is for, by its name, else by its text; undefined if for any. */
function timeOf(product: PublishedProduct): Constraints['time'] {
  const name = foldedText([product.name, ...product.tags].join('. '))
  const texts = [name, clausesOf(product).flatMap(dayOf).join('. ')]
  for (const text of texts) {
    const [day, night] = [morning.test(text), evening.test(text)]
    if (day !== night) return day ? 'morning' : 'evening'
    if (day) return undefined
  }
  return undefined
}

/** Clauses that say when to use it, and not when not to. */
function dayOf({ text, isWarning, isNegative }: Clause): string[] {
  return isWarning || isNegative || notByDay.test(text) ? [] : [text]
}

const animals = ['dog', 'cat', 'bird', 'hamster', 'rabbit']

/** A product for another animal than the visitor's is left out. */
function suitsAnimal(product: PublishedProduct, terms: readonly Term[]): boolean {
  const mine = animals.filter((animal) => terms.some(({ meanings }) => meanings.includes(animal)))
  if (mine.length === 0) return true
  const { names, all } = textsOf(product)
  const namedIn = ({ meanings }: TextWords) => animals.filter((animal) => meanings.has(animal))
  const theirs = namedIn(names).length > 0 ? namedIn(names) : namedIn(all)
  return theirs.length === 0 || theirs.some((animal) => mine.includes(animal))
}
