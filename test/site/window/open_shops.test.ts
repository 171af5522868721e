import request from 'supertest'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { message } from '../../kit/agents.ts'
import { givenCollection, givenMediaRow, givenProduct, givenTag } from '../../kit/catalogue.ts'
import { startService, type TestService } from '../../kit/service.ts'
import { givenCanaries } from '../found/canaries.ts'
import { crawl, givenOpenShop, type OpenShop, textOf } from './shop_pages.ts'
import { unknownIn } from './vocabulary.ts'

let service: TestService
let shop: OpenShop

beforeAll(async () => {
  service = await startService()
  shop = await givenOpenShop(service)
  const [rose, olive] = [await givenTag(shop, 'Rose'), await givenTag(shop, 'Olive')]
  const image = await givenMediaRow(shop)
  for (const [index, name] of ['Rose balm', 'Rose soap', 'Olive soap'].entries())
    await givenProduct(shop, {
      name,
      brand: 'Ana',
      stock: index,
      imageIds: [image.id],
      tagIds: [index < 2 ? rose.id : olive.id],
      barcode: `869000000001${index + 2}`,
      description: 'First paragraph.\n\nSecond & last.',
      information: 'Material: Olive oil\nWeight: 100 g',
    })
  const gifts = await givenCollection(shop, { name: 'Gifts', description: 'For friends.' })
  const { products } = (await shop.api.get(shop.at('products'))).body
  for (const { id } of products)
    await shop.api.post(shop.at(`collections/${gifts.id}/products/${id}`)).expect(200)
  const library = { questions: [{ text: 'Is it vegan?' }] }
  await shop.api.put(shop.at('questions')).send(library).expect(200)
  await shop.design({
    headline: 'From roses',
    about: 'Since 1923.',
    contactEmail: 'hello@example.com',
    socialLinks: ['https://social.example/ana'],
    seo: { title: 'Ana', description: 'Roses and olives' },
  })
})
afterAll(() => service.close())

const factsIn = (html: string): { '@type': string }[] =>
  [...html.matchAll(/<script type="application\/ld\+json">(.*?)<\/script>/g)].map(([, json]) =>
    JSON.parse(json!),
  )

const callShopTool = (name: string, args: object) =>
  request(service.urls.site)
    .post('/mcp')
    .set('Host', new URL(shop.url).host)
    .send(message('tools/call', { name, arguments: args }))
    .then(({ body }) => body as unknown)

/** A shop that search engines may list, with an address to write to. */
async function givenWriting(language: string) {
  const own = await givenOpenShop(service)
  await own.design({ language, contactEmail: 'hello@example.com' })
  const [product] = [await givenProduct(own), await givenProduct(own), await givenProduct(own)]
  return { own, product }
}

describe('the pages of a shop', () => {
  test('are all reached by links, and each names its own address', async () => {
    const pages = await crawl(shop)
    const kinds = [...pages.keys()].map((path) => path.replace(/(?<=\/[pct]\/).*/, '…'))
    expect([...new Set(kinds)].sort()).toEqual(
      [
        '/',
        '/about',
        '/account',
        '/c/…',
        '/collections',
        '/faq',
        '/feedback',
        '/llms.txt',
        '/p/…',
        '/privacy',
        '/products',
        '/products.json',
        '/report',
        '/robots.txt',
        '/search',
        '/search?q=a',
        '/sitemap.xml',
        '/t/…',
        ...[...pages.keys()].filter((path) => path.startsWith('/assets/')),
      ].sort(),
    )
    for (const [path, page] of pages) {
      // Who is not signed in is asked to.
      expect([path, page.status]).toEqual([path, path === '/account' ? 303 : 200])
      expect([path, page.headers['set-cookie']]).toEqual([path, undefined])
      if (page.type !== 'text/html') continue
      const canonical = `http://${shop.subDomain}.localhost:3003${path.replaceAll('&', '&amp;')}`
      expect(page.text).toContain(`<link rel="canonical" href="${canonical}">`)
      expect(page.text).toMatch(/^<!doctype html><html lang="en">/)
    }
  })

  test('name no tag whose page would be empty', async () => {
    const alone = await givenTag(shop, 'For collections')
    await givenCollection(shop, { name: 'Tagged', tagIds: [alone.id] })
    const { text } = await shop.visit('/products')
    expect(text).toContain('href="/t/')
    expect(text).not.toContain(`/t/${alone.id}`)
    expect((await shop.visit(`/t/${alone.id}`)).status).toBe(404)
  })

  test('show the products of a collection above the most of a long text', async () => {
    const own = await givenOpenShop(service)
    const sentence = 'Roses are picked at dawn. '
    const description = `${sentence.repeat(30)}The last word.`
    const { id, slug } = await givenCollection(own, { name: 'Roses', description })
    const product = await givenProduct(own)
    await own.api.post(own.at(`collections/${id}/products/${product.id}`)).expect(200)
    const { text } = await own.visit(`/c/${slug}`)
    const body = text.slice(text.indexOf('<main'))
    const [more, card, end] = ['href="#text"', `/p/${product.slug}`, 'The last word.'].map((part) =>
      body.indexOf(part),
    )
    expect(more).toBeGreaterThan(0)
    expect(card).toBeGreaterThan(more!)
    expect(end).toBeGreaterThan(card!)
    expect(body.lastIndexOf('The last word.')).toBe(end)
  })

  test('are those of the sitemap', async () => {
    const pages = await crawl(shop)
    const mapped = [...textOf(pages.get('/sitemap.xml')!).matchAll(/<loc>([^<]+)<\/loc>/g)]
    const paths = mapped.map(([, url]) =>
      url!.replace(`http://${shop.subDomain}.localhost:3003`, ''),
    )
    const drawn = [...pages].filter(
      ([path, { type }]) => type === 'text/html' && !/^\/(search|feedback|report|t\/)/.test(path),
    )
    expect(paths.sort()).toEqual(drawn.map(([path]) => path).sort())
  })

  test('say nothing of what is not published, nor do feeds and answers to agents', async () => {
    const { words, products: made, tag: hidden } = await givenCanaries(service, shop)
    const told = new Map<string, string>()
    for (const [path, page] of await crawl(shop)) told.set(path, textOf(page))
    for (const [name, args] of [
      ['search_catalog', {}],
      ['search_catalog', { query: 'canary' }],
      ['list_collections', {}],
      ['get_questions', {}],
      ...made.map(({ slug }) => ['get_product', { slug }] as const),
    ] as const)
      told.set(`${name} ${JSON.stringify(args)}`, JSON.stringify(await callShopTool(name, args)))
    for (const [path, text] of told)
      for (const word of words)
        // What was asked for may be repeated.
        expect([path, text.replaceAll(/"slug":"[^"]*"/g, '').includes(word)]).toEqual([path, false])
    for (const word of words.slice(0, 50).filter((_, index) => index % 10 === 0))
      expect((await shop.visit(`/search?q=${word}`)).text).toContain('Nothing found')
    for (const { slug } of made) expect((await shop.visit(`/p/${slug}`)).status).toBe(404)
    expect((await shop.visit(`/t/${hidden.id}`)).status).toBe(404)
  })

  test('tell machines what they show in the words of schema.org', async () => {
    await shop.api
      .put(shop.at('shop-knowledge'))
      .send({ entries: [{ question: 'Is shipping free?', answer: 'Yes.' }] })
      .expect(200)
    const told = new Set<string>()
    for (const [path, { type, text }] of await crawl(shop))
      for (const facts of type === 'text/html' ? factsIn(text) : []) {
        expect([path, unknownIn(facts)]).toEqual([path, []])
        told.add(facts['@type'])
      }
    const kinds = ['BreadcrumbList', 'FAQPage', 'ItemList', 'Organization', 'Product']
    expect([...told].sort()).toEqual(kinds)
    const wrong = { '@type': 'Product', brand: { '@type': 'Brand', motto: '' }, colour: 'red' }
    expect(unknownIn(wrong)).toEqual(['/Product.brand/Brand.motto', '/Product.colour'])
    expect(unknownIn({ '@type': 'Produce' })).toEqual(['/Produce is no type'])
  })

  test('tell machines about a product, without a price, and the number only if it is one', async () => {
    const { products } = (await shop.visit('/products.json')).body
    const factsOf = async (slug: string) => {
      const [, json] = factsIn((await shop.visit(`/p/${slug}`)).text)
      return json!
    }
    const [olive, , balm] = await Promise.all(
      products.map(({ slug }: { slug: string }) => factsOf(slug)),
    )
    expect(balm).toMatchObject({
      '@type': 'Product',
      name: 'Rose balm',
      brand: { '@type': 'Brand', name: 'Ana' },
      gtin: '8690000000012',
      description: 'First paragraph. Second & last.',
    })
    expect(Object.keys(olive)).not.toContain('gtin')
    for (const facts of [olive, balm]) expect(Object.keys(facts)).not.toContain('offers')
  })

  test('show whether a product is in stock, and never how many there are', async () => {
    const { products } = (await shop.visit('/products.json')).body
    expect(
      products.map(({ name, available }: { name: string; available: boolean }) => [
        name,
        available,
      ]),
    ).toEqual([
      ['Olive soap', true],
      ['Rose soap', true],
      ['Rose balm', false],
    ])
    const { text } = await shop.visit(`/p/${products[2].slug}`)
    expect(text).toContain('Sold out')
    expect(text).toContain('<dt>Material</dt><dd>Olive oil</dd>')
  })

  test.each([
    ['en', 'Ask us about any product. We answer by email.', 'by email'],
    ['tr', 'Her ürün hakkında bize sorabilirsiniz. E-postayla yanıtlıyoruz.', 'e-postayla'],
  ])('say in %s how to ask where a shop has no questions', async (language, words, byEmail) => {
    const { own } = await givenWriting(language)
    const library = { questions: [{ text: 'Is it vegan?' }] }
    await own.api.put(own.at('questions')).send(library).expect(200)
    const asked = await own.visit('/faq')
    expect(asked.text).toContain(
      `subject=Is%20it%20vegan%3F">Is it vegan? <small class="soft">${byEmail}</small></a>`,
    )
    expect(asked.headers['x-robots-tag']).toBeUndefined()
    await own.api.put(own.at('questions')).send({ questions: [] }).expect(200)
    const page = await own.visit('/faq')
    expect([page.status, page.headers['x-robots-tag']]).toEqual([200, 'noindex'])
    expect(page.text).toContain(`<p>${words}</p><p><a class="button" href="/products">`)
    expect(page.text).toContain('<a class="button" href="mailto:hello@example.com">')
    expect((await own.visit('/')).text).not.toContain('href="/faq"')
    expect((await own.visit('/sitemap.xml')).text).not.toContain('/faq')
  })

  test.each([
    ['en', 'Write to hello@example.com'],
    ['tr', 'hello@example.com adresine yazın'],
  ])(
    'of a product say in %s how to write where nothing else can be asked',
    async (language, words) => {
      const { own, product } = await givenWriting(language)
      await own.api.put(own.at('questions')).send({ questions: [] }).expect(200)
      const { text } = await own.visit(`/p/${product.slug}`)
      const subject = encodeURIComponent(product.name)
      expect(text).toContain(
        `<a class="button" href="mailto:hello@example.com?subject=${subject}">${words}</a>`,
      )
    },
  )

  test('find products by a search, which is never kept', async () => {
    const found = await shop.visit('/search?q=%20balm%20')
    expect(found.text).toContain('<h1>1 product for “balm”</h1>')
    expect(found.headers['cache-control']).toBe('no-store')
    expect(found.headers['x-robots-tag']).toBe('noindex')
    const none = await shop.visit('/search?q=%3Cscript%3E')
    expect(none.text).toContain('<h1>Nothing found for “&lt;script&gt;”</h1>')
  })

  test('speak the language of the site', async () => {
    await shop.design({ language: 'tr' })
    const page = await shop.visit('/products', { 'Accept-Language': 'en' })
    expect(page.text).toContain('<html lang="tr">')
    expect(page.text).toContain('<h1>Ürünler</h1>')
    const { slug } = await givenProduct(shop, { name: 'ipek şal' })
    const letter = '<span class="none" aria-hidden="true">İ</span>'
    for (const path of ['/products', `/p/${slug}`])
      expect((await shop.visit(path)).text).toContain(letter)
    await shop.design({ language: 'en' })
  })
})

describe('a page in a cache', () => {
  test('may be kept, must be asked for again, and differs after a change', async () => {
    const before = await shop.visit('/products')
    expect(before.headers['cache-control']).toBe('public, no-cache')
    const etag = before.headers['etag']!
    const again = await shop.visit('/products', { 'If-None-Match': etag })
    expect([again.status, again.text]).toEqual([304, ''])
    await givenProduct(shop, { name: 'Newcomer' })
    const after = await shop.visit('/products', { 'If-None-Match': etag })
    expect(after.status).toBe(200)
    expect(after.text).toContain('Newcomer')
  })

  test('does not depend on unknown parameters and headers', async () => {
    const plain = await shop.visit('/products')
    const other = await shop.visit('/products?utm_source=x&page=1', {
      'Accept-Language': 'tr',
      'X-Forwarded-Host': 'evil.example',
      'X-Forwarded-Proto': 'https',
      Cookie: 'a=b',
    })
    expect(other.text).toBe(plain.text)
    expect(plain.headers['vary']).toBe('Accept-Encoding')
  })

  test('runs no script but our own, and can be put in no frame', async () => {
    const { headers } = await shop.visit('/')
    const policy = headers['content-security-policy']!
    for (const part of [
      "default-src 'none'",
      "script-src 'self'",
      "frame-ancestors 'none'",
      "require-trusted-types-for 'script'",
      "base-uri 'none'",
    ])
      expect(policy.split('; ')).toContain(part)
    expect(policy).not.toContain('unsafe')
  })
})
