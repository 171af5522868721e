import { Parser } from 'htmlparser2'
import { getAnswerBasis } from '../../../src/queries/assistant/stored_answers.ts'
import { wordingOf } from '../../../src/queries/assistant/unanswered_questions.ts'
import { limits } from '../../../src/generated/limits.ts'
import { givenCollection, givenProduct, givenTag, type Product } from '../../kit/catalogue.ts'
import type { TestService } from '../../kit/service.ts'
import { givenOpenShop, type OpenShop } from './shop_pages.ts'

const breaks = ['', '">', "'>", '</title>', '</style>', '</script>', '<!--', ']]>', '`>', '\\">']
/** Each of them, if it ran, would set `ran` or send the browser to another host. */
export const runs = [
  '<script>ran=1</script>',
  '<img src=x onerror=ran=1>',
  '<svg/onload=ran=1>',
  '<svg><script>ran=1</script></svg>',
  '<iframe src="javascript:parent.ran=1"></iframe>',
  '<a href="javascript:ran=1">x</a>',
  '<base href="//evil.example/">',
  '<link rel=stylesheet href="//evil.example/">',
  '<meta http-equiv=refresh content="0;url=//evil.example">',
  '<form action="//evil.example"><button>x</button></form>',
  '<math><mtext></form><form><mglyph><style></math><img src onerror=ran=1>',
  '<object data="data:text/html,x"></object>',
  '<style>*{background:url(//evil.example)}</style>',
  '<details open ontoggle=ran=1>',
  '" onfocus=ran=1 autofocus x="',
  "' onmouseover=ran=1 x='",
  '{{constructor.constructor("ran=1")()}}',
  '${ran=1}',
  '\u2028<script>ran=1//',
  '&lt;script&gt;ran=1&lt;/script&gt;',
]
/** 200 texts, each of which runs in some page that does not escape it. */
export const payloads = breaks.flatMap((end) => runs.map((run) => end + run))

/** All of these texts, joined as far as a field is long. */
export function filling(length: number, texts = payloads): string[] {
  const filled: string[] = []
  for (const text of texts.map((each) => each.slice(0, length))) {
    const joined = `${filled.at(-1) ?? ''} ${text}`.trimStart()
    if (filled.length > 0 && joined.length <= length) filled[filled.length - 1] = joined
    else filled.push(text)
  }
  return filled
}

const everything = payloads.join(' ')
const product = limits.ProductUpdate
/** In chats, shops name no addresses but their own: the others are refused. */
const withoutAddress = payloads.filter((text) => !/\/\/evil|javascript:|data:|r\.c/.test(text))

export interface HostileShop extends OpenShop {
  products: Product[]
  /** Questions that the shop answers itself, in words that visitors use. */
  asked: string[]
}

/** A shop whose owner has written every payload into every field that a shop has many of. */
export async function givenHostileShop(service: TestService): Promise<HostileShop> {
  const shop = await givenOpenShop(service)
  await shop.design({ accessPolicy: { challenge: 'OFF', guestDailyRequests: 1000 } })
  await shop.api
    .put(shop.at('questions'))
    .send(asQuestions(firstOf(payloads)))
    .expect(200)
  const tagIds: string[] = []
  for (const name of filling(160)) tagIds.push((await givenTag(shop, name)).id)
  const [names, brands, skus] = [product.name, product.brand, product.sku].map(({ maxLength }) =>
    filling(maxLength),
  ) as [string[], string[], string[]]
  const link = 'https://market.example/"><script>ran=1</script>'
  const sales = filling(product.sales.items.name.maxLength).map((name) => ({ name, link }))
  const lines = payloads.map((text) => (text.length <= 60 ? `${text}: ${text}` : text))
  const products: Product[] = []
  const most = Math.max(names.length, brands.length, skus.length)
  for (let index = 0; index < most; index++)
    products.push(
      await givenProduct(shop, {
        name: names[index] ?? `A balm ${index}`,
        brand: brands[index] ?? 'A brand',
        sku: skus[index] ?? `sku ${index}`,
        description: index === 0 ? `It is made for dry skin.\n\n${everything}` : '',
        information: index === 0 ? lines.join('\n') : '',
        sales: index === 0 ? sales : [],
        tagIds: index < 2 ? tagIds.slice(index * 100, (index + 1) * 100) : [],
      }),
    )
  await inCollections(shop, products)
  await keepAnswers(service, shop, products)
  return { ...shop, products, asked: await answerQuestions(shop) }
}

const asQuestions = (texts: string[]) => ({ questions: texts.map((text) => ({ text })) })
/** As many as a list of questions takes. */
const firstOf = (texts: string[]) => filling(300, texts).slice(0, 20)
const lastOf = (texts: string[]) => filling(300, texts).slice(-20)

async function inCollections(shop: OpenShop, products: Product[]): Promise<void> {
  for (const name of filling(limits.CollectionCreate.name.maxLength)) {
    const { id } = await givenCollection(shop, { name, description: everything })
    await shop.api.post(shop.at(`collections/${id}/products/${products[0]!.id}`)).expect(200)
  }
}

/** Product questions, some with an answer for all visitors, as a model that was misled would word it. */
async function keepAnswers(
  { db }: TestService,
  shop: OpenShop,
  products: Product[],
): Promise<void> {
  const { api, workspaceId } = shop
  const lists = [firstOf(payloads), lastOf(payloads)]
  for (const [index, { id: productId }] of products.slice(0, 4).entries()) {
    const texts = lists[index % 2]!
    await api
      .put(shop.at(`products/${productId}/questions`))
      .send(asQuestions(texts))
      .expect(200)
    if (index < 2) continue
    const { hash: textHash } = await getAnswerBasis(db, { workspaceId, productId })
    const citations = JSON.stringify(payloads.map((sentence) => ({ productId, sentence })))
    const answers = texts.map((text) => ({
      workspace_id: workspaceId,
      product_id: productId,
      question_key: wordingOf(text).key,
      text_hash: textHash,
      answer: everything,
      citations,
    }))
    await db
      .insertInto('kept_answers')
      .values(answers)
      .onConflict((on) => on.doNothing())
      .execute()
  }
}

/** The shop's own answers. */
async function answerQuestions(shop: OpenShop): Promise<string[]> {
  const asked = [
    'Is shipping free?',
    'Do you wrap gifts?',
    'Where is your shop?',
    'Can I pay later?',
  ]
  const answers = filling(2000, withoutAddress)
  const natural = asked.slice(0, answers.length)
  const hostile = filling(300, withoutAddress).map((question) => ({
    question,
    answer: answers[0]!,
  }))
  const entries = natural.map((question, index) => ({ question, answer: answers[index]! }))
  await shop.api
    .put(shop.at('shop-knowledge'))
    .send({ entries: [...entries, ...hostile] })
    .expect(200)
  return natural
}

const known = new Set(
  `html head meta title link style script body a header div img span nav ul li form label input button svg
  circle path main section h1 h2 p q footer article dl dt dd br ol textarea select option noscript details
  summary`.split(/\s+/),
)

/** Everything in a page that is not of our own drawing. */
export function foreignIn(html: string): string[] {
  const found: string[] = []
  let script = ''
  let inScript = false
  const parser = new Parser({
    onopentag(name, attributes) {
      if (!known.has(name)) found.push(`<${name}>`)
      const isOwn = /^\/assets\/(?:scheme|shop)-[\w-]+\.js$/.test(attributes['src'] ?? '')
      inScript = name === 'script' && !isOwn
      if (inScript && attributes['type'] !== 'application/ld+json') found.push('a script')
      script = ''
      for (const [attribute, value] of Object.entries(attributes)) {
        if (attribute.startsWith('on') || attribute === 'style') found.push(`${name} ${attribute}`)
        const isLink = ['href', 'src', 'action'].includes(attribute)
        if (isLink && !/^(\/(?!\/)|#|mailto:|https?:\/\/)/.test(value))
          found.push(`${name} ${value}`)
        if (isLink && new URL(value, 'http://own.example').host === 'evil.example')
          found.push(value)
      }
    },
    ontext: (text) => void (inScript && (script += text)),
    onclosetag(name) {
      if (name === 'script' && inScript) JSON.parse(script)
      inScript = false
    },
    oncomment: (comment) => void found.push(`<!--${comment}`),
  })
  parser.write(html)
  parser.end()
  return found
}

/** All that a page says, as a browser reads it. */
export function wordsOf(html: string): string {
  let words = ''
  const parser = new Parser({ ontext: (text) => void (words += text) })
  parser.write(html)
  parser.end()
  return words
}
