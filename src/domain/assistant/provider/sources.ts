import { beginningOf } from '../../../core/text.ts'
import { sentencesOf } from '../../../language/sentences.ts'
import { sameWord, wordsOf } from '../../../language/words.ts'
import type { PublishedProduct } from '../../../queries/catalogue/search/catalogue_search.ts'
import type { Citation, OwnerReply } from '../ai_model.ts'
import { looksPlanted } from '../finding/planted.ts'
import { cutToSend, dataSize } from './prompt_sizes.ts'

/** A product as a model sees it. `mark` cites its fields, the marks in `text` its sentences. */
export interface ShownProduct {
  id: string
  mark: string
  name: string
  brand?: string
  tags?: string[]
  inStock?: boolean
  sales?: PublishedProduct['sales']
  text?: Record<string, string>
  /** By mark; question and reply apart, so that no visitor's words pass for the shop's. */
  replies?: Record<string, { visitorAsked: string; shopReplied: string }>
}

/**
 * What a model was shown in one call. Its answer cites by mark: `s3` a sentence, `p1` a product's
 * fields, and the fixed marks of the shop. Anything else it may not rest on.
 */
export interface ShownSources {
  /** Shows a product within a size; undefined if not even its name fits. */
  show(product: PublishedProduct, size: number): ShownProduct | undefined
  /** What the shop answers of itself, by mark, as far as it fits: what is asked about first. */
  showKnowledge(entries: readonly OwnerReply[], size: number): Record<string, OwnerReply>
  /** Adds what the shop replied about a product that was shown, as far as it fits. */
  addReplies(data: ShownProduct, replies: readonly OwnerReply[], size: number): void
  /** The products shown so far. */
  products(): readonly PublishedProduct[]
  /** The links of these products, as far as they were shown. */
  links(): string[]
  isKnown(mark: string): boolean
  /** The product that a mark belongs to; undefined for the shop's own marks. */
  productOf(mark: string): string | undefined
  /** The sentence behind a mark, if it has one. */
  citationOf(mark: string): Citation | undefined
  /** Everything behind a mark, which a sentence that cites it may say; undefined for the shop's own. */
  textOf(mark: string): string | undefined
  /** Everything that was shown. */
  texts(): readonly string[]
  /** The marks of a product's sentences, or of all sentences. */
  sentencesOf(productIds: ReadonlySet<string> | undefined): string[]
}

const longestName = 120
const shortestName = 40
const longestTag = 40
const maxTags = 12
const maxSales = 3
const longestLink = 300

/**
 * The question decides which sentences of a long text are shown. The shop's marks stand for what it says
 * of itself: its contact data (`shop`) and its owner's instructions (`owner`), if it says any.
 */
export function createSources(question: string, shopMarks: readonly string[]): ShownSources {
  const shown = new Map<string, { product: PublishedProduct; data: ShownProduct }>()
  const owners = new Map<string, string>()
  const sentences = new Map<string, Citation>()
  const texts = new Map<string, string>()
  const asked = [...new Set(wordsOf(question))].filter((word) => word.length > 3)

  function show(product: PublishedProduct, size: number): ShownProduct | undefined {
    const earlier = shown.get(product.id)
    if (earlier) return dataSize(earlier.data) <= size ? earlier.data : undefined
    const mark = `p${shown.size + 1}`
    const data = headOf(product, mark, size)
    if (!data) return undefined
    shown.set(product.id, { product, data })
    owners.set(mark, product.id)
    texts.set(mark, fieldsText(product))
    if (data.text) addText(data.text, product, size - dataSize(data))
    return data
  }

  function addText(text: Record<string, string>, product: PublishedProduct, size: number): void {
    for (const sentence of fittingPieces(product, asked, size)) {
      const mark = `s${sentences.size + 1}`
      text[mark] = sentence
      owners.set(mark, product.id)
      sentences.set(mark, { productId: product.id, sentence })
      texts.set(mark, sentence)
    }
  }

  function addReplies(data: ShownProduct, replies: readonly OwnerReply[], size: number): void {
    let left = size
    for (const { question, answer } of replies) {
      if (looksPlanted(`${question} ${answer}`)) continue
      const reply = { visitorAsked: question, shopReplied: answer }
      left -= dataSize(reply) + markSize
      if (left < 0) return
      const mark = `s${sentences.size + 1}`
      data.replies = { ...data.replies, [mark]: reply }
      owners.set(mark, data.id)
      sentences.set(mark, { productId: null, sentence: answer })
      texts.set(mark, `${question} ${answer}`)
    }
  }

  function showKnowledge(entries: readonly OwnerReply[], size: number): Record<string, OwnerReply> {
    const shownEntries: Record<string, OwnerReply> = {}
    let left = size
    const score = ({ question, answer }: OwnerReply) => scoreOf(`${question} ${answer}`, asked)
    for (const entry of [...entries].sort((a, b) => score(b) - score(a))) {
      const cost = dataSize(entry) + markSize
      if (cost > left || looksPlanted(`${entry.question} ${entry.answer}`)) continue
      left -= cost
      const mark = `s${sentences.size + 1}`
      shownEntries[mark] = entry
      sentences.set(mark, { productId: null, sentence: entry.answer })
    }
    return shownEntries
  }

  return {
    show,
    showKnowledge,
    addReplies,
    products: () => [...shown.values()].map(({ product }) => product),
    links: () =>
      [...shown.values()].flatMap(({ data }) => (data.sales ?? []).map(({ link }) => link)),
    isKnown: (mark) => owners.has(mark) || sentences.has(mark) || shopMarks.includes(mark),
    productOf: (mark) => owners.get(mark),
    citationOf: (mark) => sentences.get(mark),
    textOf: (mark) => texts.get(mark),
    texts: () => [...texts.values()],
    sentencesOf: (productIds) =>
      [...sentences.keys()].filter((mark) => !productIds || productIds.has(owners.get(mark)!)),
  }
}

/** What a product's fields say; a mark of it cites all of them. */
function fieldsText({ name, brand, tags, sales }: PublishedProduct): string {
  return [name, brand, ...tags, ...sales.flatMap((entry) => [entry.name, entry.link])].join('. ')
}

/** A product's fields; only its name where the space is short. */
function headOf(product: PublishedProduct, mark: string, size: number): ShownProduct | undefined {
  const { id, name, brand, tags, stock, sales } = product
  const whole: ShownProduct = {
    id,
    mark,
    name: cutToSend(name, longestName),
    brand: cutToSend(brand, longestName),
    tags: tags.slice(0, maxTags).map((tag) => cutToSend(tag, longestTag)),
    inStock: stock > 0,
    // Half a link leads elsewhere: a long one is left out.
    sales: sales
      .filter(({ link }) => link.length <= longestLink)
      .slice(0, maxSales)
      .map((entry) => ({ name: cutToSend(entry.name, longestTag), link: entry.link })),
    text: {},
  }
  if (dataSize(whole) <= size) return whole
  const least = { id, mark, name: cutToSend(name, shortestName) }
  return dataSize(least) <= size ? least : undefined
}

/** What a piece costs beside its own text: its mark, quotes and a comma. */
const markSize = 14

/** The pieces of a product's text that fit, those with words of the question first; in text order. */
function fittingPieces(product: PublishedProduct, asked: string[], size: number): string[] {
  const texts = [product.description, product.information]
  // What was planted need not be resisted by a model that never sees it.
  const pieces = texts.flatMap(piecesOf).filter((piece) => !looksPlanted(piece))
  const costs = pieces.map((piece) => dataSize(piece) + markSize)
  if (costs.reduce((sum, cost) => sum + cost, 0) <= size) return pieces
  const ranked = pieces
    .map((piece, position) => ({ piece, position, score: scoreOf(piece, asked) }))
    .sort((a, b) => b.score - a.score || a.position - b.position)
  let left = size
  const fitting = ranked.filter(({ position }) => {
    if (costs[position]! > left) return false
    left -= costs[position]!
    return true
  })
  return fitting.sort((a, b) => a.position - b.position).map(({ piece }) => piece)
}

function scoreOf(piece: string, asked: readonly string[]): number {
  const words = wordsOf(piece)
  return asked.filter((word) => words.some((other) => sameWord(word, other))).length
}

/** Longer sentences, such as lists of ingredients, are shown in several pieces. */
const longestPiece = 400
const maxPieces = 2_000

/** A text in verbatim pieces: its sentences, the long ones divided. */
export function piecesOf(text: string): string[] {
  const pieces: string[] = []
  for (const line of text.split(/[\r\n]+/))
    for (const segment of sentencesOf(line)) {
      for (const piece of divided(segment.trim()))
        if (/[\p{L}\p{N}]/u.test(piece)) pieces.push(piece)
      if (pieces.length >= maxPieces) return pieces.slice(0, maxPieces)
    }
  return pieces
}

/** Divides at the last comma, semicolon or space that keeps a piece short enough. */
function divided(sentence: string): string[] {
  const pieces: string[] = []
  let rest = sentence
  while (rest.length > longestPiece) {
    const window = beginningOf(rest, longestPiece)
    const comma = Math.max(window.lastIndexOf(','), window.lastIndexOf(';')) + 1
    const end = comma || window.lastIndexOf(' ') + 1 || window.length
    pieces.push(rest.slice(0, end).trim())
    rest = rest.slice(end)
  }
  return [...pieces, rest.trim()]
}
