import { Parser } from 'htmlparser2'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { givenCollection, givenProduct, givenTag } from '../../kit/catalogue.ts'
import { startService, type TestService } from '../../kit/service.ts'
import { crawl, givenOpenShop, type OpenShop } from './shop_pages.ts'

let service: TestService
let shop: OpenShop
beforeAll(async () => {
  service = await startService()
  shop = await givenOpenShop(service)
})
afterAll(() => service.close())

const breaks = ['', '">', "'>", '</title>', '</style>', '</script>', '<!--', ']]>', '`>', '\\">']
const runs = [
  '<script>alert(1)</script>',
  '<img src=x onerror=alert(1)>',
  '<svg/onload=alert(1)>',
  '<svg><script>alert(1)</script></svg>',
  '<iframe src="javascript:alert(1)"></iframe>',
  '<a href="javascript:alert(1)">x</a>',
  '<base href="//evil.example/">',
  '<link rel=stylesheet href="//evil.example/">',
  '<meta http-equiv=refresh content="0;url=//evil.example">',
  '<form action="//evil.example"><button>x</button></form>',
  '<math><mtext></form><form><mglyph><style></math><img src onerror=alert(1)>',
  '<object data="data:text/html,x"></object>',
  '<style>*{background:url(//evil.example)}</style>',
  '<details open ontoggle=alert(1)>',
  '" onfocus=alert(1) autofocus x="',
  "' onmouseover=alert(1) x='",
  '{{constructor.constructor("alert(1)")()}}',
  '${alert(1)}',
  '\u2028<script>alert(1)//',
  '&lt;script&gt;alert(1)&lt;/script&gt;',
]
/** 200 texts, each of which runs in some page that does not escape it. */
const payloads = breaks.flatMap((end) => runs.map((run) => end + run))

const known = new Set(
  `html head meta title link style script body a header div img span nav ul li form label input button svg
  circle path main section h1 h2 p footer article dl dt dd br ol textarea select option noscript details summary`.split(
    /\s+/,
  ),
)

/** Everything in a page that is not of our own drawing. */
function foreignIn(html: string): string[] {
  const found: string[] = []
  let script = ''
  let inScript = false
  const parser = new Parser({
    onopentag(name, attributes) {
      if (!known.has(name)) found.push(`<${name}>`)
      const isOwn = /^\/assets\/shop-[\w-]+\.js$/.test(attributes['src'] ?? '')
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

describe('what owners write', () => {
  test('is text in every page, whatever it is', async () => {
    const some = (length: number) => payloads.splice(0, length).join(' ')
    const all = payloads.length
    const website = {
      headline: payloads.shift()!.slice(0, 200),
      tagline: payloads.shift()!.slice(0, 300),
      about: some(40),
      contactEmail: 'a"b@example.com'.replace('"', ''),
      socialLinks: ['https://social.example/"><script>alert(1)</script>'.replaceAll(' ', '')],
      seo: { title: payloads.shift()!.slice(0, 120), description: payloads.shift()!.slice(0, 320) },
    }
    await shop.design(website)
    await shop.api.put(shop.at('workspace')).send({ name: payloads.shift()!.slice(0, 100) })
    const library = [payloads.shift()!, payloads.shift()!].map((text) => ({ text }))
    await shop.api.put(shop.at('questions')).send({ questions: library })
    const tag = await givenTag(shop, payloads.shift())
    while (payloads.length > 0)
      await givenProduct(shop, {
        name: payloads.shift() ?? 'x',
        brand: payloads.shift() ?? '',
        description: some(10),
        information: `${payloads.shift() ?? 'a'}: ${some(10)}\nb: ${payloads.shift() ?? 'c'}`,
        sales: [{ name: runs[0]!, link: 'https://market.example/"><script>alert(1)</script>' }],
        tagIds: [tag.id],
      })
    const { products } = (await shop.api.get(shop.at('products'))).body
    const collection = await givenCollection(shop, {
      name: runs[1]!,
      description: runs.join('\n\n'),
    })
    for (const { id } of products)
      await shop.api.post(shop.at(`collections/${collection.id}/products/${id}`)).expect(200)
    expect(all).toBe(200)

    const pages = await crawl(shop)
    let drawn = 0
    for (const [path, page] of pages) {
      if (page.type !== 'text/html') continue
      drawn++
      expect([path, foreignIn(page.text)]).toEqual([path, []])
    }
    expect(drawn).toBeGreaterThan(15)
  })

  test.each(runs)('is text where a visitor searches for it: %s', async (words) => {
    const page = await shop.visit(`/search?q=${encodeURIComponent(words)}`)
    expect(foreignIn(page.text)).toEqual([])
  })
})
