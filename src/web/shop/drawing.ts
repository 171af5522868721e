import type { ChatAnswer } from './answers.ts'

/** The words of a conversation, in the language of the shop. */
export interface ConversationWords {
  thinking: string
  sources: string
  signIn: string
  failed: string
  silent: string
  left: string
  lastLeft: string
}

/** An element of plain attributes and texts: nothing of an answer is ever markup. */
export function make<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  attributes: Record<string, string> = {},
  ...children: (Node | string)[]
): HTMLElementTagNameMap[Tag] {
  const element = document.createElement(tag)
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value)
  element.append(...children)
  return element
}

/** Whether a key asks what was written: Enter, where it neither begins a line nor ends a composed word. */
export const asks = ({ key, shiftKey, isComposing }: KeyboardEvent): boolean =>
  key === 'Enter' && !shiftKey && !isComposing

export interface Shown {
  answer: Pick<ChatAnswer, 'products' | 'citations' | 'steps'>
  words: Pick<ConversationWords, 'sources'>
  /** The origin of the shop; empty on its own pages. */
  shop: string
  /** Whether the page may show pictures of the shop; pages of others may not allow it. */
  hasPictures: boolean
  /** The product that the page is about. */
  productId: string | undefined
  /** Leads to a sentence of the page; false if it is not there. */
  goTo?: (sentence: string) => boolean
}

/** The words of an answer; a routine is told by its steps, and only begins with words. */
export function wordsOf({ response, steps }: ChatAnswer): string {
  return steps?.length ? (response.split('\n')[0] ?? '') : response
}

/** What an answer says beside its words: steps or sources, and products. */
export function detailsOf(shown: Shown): HTMLElement[] {
  const { answer, productId } = shown
  const { steps = [], products, citations } = answer
  const slugs = new Map(products.map(({ id, slug }) => [id, slug]))
  const told = new Set([productId, ...steps.map((step) => step.productId)])
  const others = products.filter(({ id }) => !told.has(id))
  return [
    ...(steps.length > 0 ? [stepsOf(shown, steps)] : []),
    ...(steps.length === 0 && citations.length > 0 ? [sourcesOf(shown, slugs)] : []),
    ...(others.length > 0 ? [cardsOf(shown, others)] : []),
  ]
}

type RoutineStep = NonNullable<ChatAnswer['steps']>[number]

/** Each step with its product, and the way to use it as a link to where the shop says so. */
function stepsOf(shown: Shown, steps: RoutineStep[]): HTMLElement {
  const { answer, shop } = shown
  const byId = new Map(answer.products.map((product) => [product.id, product]))
  const items = steps.map(({ title, productId, instructions }) => {
    const product = productId === null ? undefined : byId.get(productId)
    const head = make('strong', {}, title)
    if (!product) return make('li', {}, head, make('span', {}, instructions))
    const page = pathOf(shop, product.slug)
    const name = make('a', { class: 'name', href: page }, product.name)
    const source = answer.citations.find(
      (citation) => citation.productId === productId && instructions.includes(citation.sentence),
    )
    const how = source
      ? make('a', { class: 'how', href: page + fragmentOf(source.sentence) }, instructions)
      : make('span', { class: 'how' }, instructions)
    const text = make('div', {}, head, name, how)
    return make('li', {}, ...pictureOf(shown, product), text)
  })
  return make('ol', { class: 'steps' }, ...items)
}

/** Names the small file of a picture, as `src/site/parts/srcset.ts` does. A GIF may move, and has none. */
function smallOf(url: string): string {
  return url.replace(/\.(?!gif$)[a-z]+$/, '-320.webp')
}

/** The cover of a product. */
function pictureOf(
  { hasPictures }: Shown,
  { images: [cover] }: ChatAnswer['products'][number],
): HTMLElement[] {
  if (!cover || !hasPictures) return []
  const sizes = { width: '160', height: '160' }
  const image = make('img', { src: smallOf(cover.url), alt: '', loading: 'lazy', ...sizes })
  return [make('span', { class: 'picture' }, image)]
}

const longestQuote = 160

function sourcesOf(shown: Shown, slugs: Map<string, string>): HTMLElement {
  const { answer, words, shop, productId, goTo } = shown
  const items = answer.citations.map((citation) => {
    const { sentence } = citation
    const quote = `“${sentence.length > longestQuote ? `${sentence.slice(0, longestQuote)}…` : sentence}”`
    const slug = citation.productId === null ? undefined : slugs.get(citation.productId)
    const page = slug === undefined ? `${shop}/faq` : pathOf(shop, slug)
    const link = make('a', { href: page + fragmentOf(sentence) }, quote)
    if (goTo && citation.productId === productId)
      link.addEventListener('click', (event) => void (goTo(sentence) && event.preventDefault()))
    return make('li', {}, citation.productId !== null && slug === undefined ? quote : link)
  })
  return make('div', { class: 'sources' }, make('p', {}, words.sources), make('ul', {}, ...items))
}

function cardsOf(shown: Shown, products: ChatAnswer['products']): HTMLElement {
  const cards = products.map((product) => {
    const title = make('span', { class: 'name' }, product.name)
    const maker = make('span', { class: 'brand' }, product.brand)
    const link = { href: pathOf(shown.shop, product.slug) }
    const card = make('a', link, ...pictureOf(shown, product), title, maker)
    return make('li', { class: 'card' }, card)
  })
  return make('ul', { class: 'found' }, ...cards)
}

function pathOf(shop: string, slug: string): string {
  return `${shop}/p/${encodeURIComponent(slug)}`
}

/** Browsers scroll to the text by themselves; its ends are enough to find it. */
function fragmentOf(sentence: string): string {
  const words = sentence.trim().split(/\s+/)
  const part = (some: string[]) => encodeURIComponent(some.join(' ')).replaceAll('-', '%2D')
  if (words.length <= 12) return `#:~:text=${part(words)}`
  return `#:~:text=${part(words.slice(0, 5))},${part(words.slice(-5))}`
}
