import { Parser } from 'htmlparser2'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { templates } from '../../../src/domain/site/templates.ts'
import { givenMediaRow, givenProduct, givenTag } from '../../kit/catalogue.ts'
import { startService, type TestService } from '../../kit/service.ts'
import { givenOpenShop, type OpenShop } from '../window/shop_pages.ts'
import { headOf } from './heads.ts'

let service: TestService
let shop: OpenShop
beforeAll(async () => {
  service = await startService()
  shop = await givenOpenShop(service)
  await shop.api.put(shop.at('workspace')).send({ name: 'Ana' }).expect(200)
  await shop.design({ seo: { title: '', description: '' } })
  const tagIds = [(await givenTag(shop, 'Balms')).id]
  for (let count = 0; count < 6; count++) {
    const images = [await givenMediaRow(shop), await givenMediaRow(shop), await givenMediaRow(shop)]
    const imageIds = images.map(({ id }) => id)
    await givenProduct(shop, {
      name: `Balm ${count}`,
      description: 'It is a balm.',
      imageIds,
      tagIds,
    })
  }
})
afterAll(() => service.close())

describe('robots.txt', () => {
  const robotsOf = async (of: OpenShop) => {
    const { status, type, text, headers } = await of.visit('/robots.txt')
    return { status, type, text, tag: headers['x-robots-tag'] }
  }
  const textOf = ({ url }: OpenShop) =>
    `User-agent: *\nDisallow: /search\nDisallow: /out/\n\nSitemap: ${url}/sitemap.xml\n`

  test('lets robots read an open shop, but for its search and the links that leave it', async () => {
    const expected = { status: 200, type: 'text/plain', text: textOf(shop), tag: undefined }
    expect(await robotsOf(shop)).toEqual(expected)
  })

  test('lets them read a new shop, whose pages say that they are not to be listed', async () => {
    const fresh = await givenOpenShop(service)
    const expected = { status: 200, type: 'text/plain', text: textOf(fresh), tag: undefined }
    expect(await robotsOf(fresh)).toEqual(expected)
    const { headers, text } = await fresh.visit('/')
    expect([headers['x-robots-tag'], headOf(text).meta['robots']]).toEqual(['noindex', 'noindex'])
  })

  test('is the notice of a closed shop, which is not to be listed', async () => {
    await shop.design({ accessPolicy: { visibility: 'CLOSED' } })
    const { text, ...rest } = await robotsOf(shop)
    await shop.design({ accessPolicy: { visibility: 'PUBLIC' } })
    expect(rest).toEqual({ status: 403, type: 'text/html', tag: 'noindex' })
    expect(headOf(text)).toMatchObject({ title: 'Ana is closed', meta: { robots: 'noindex' } })
  })
})

describe('the head of a page', () => {
  const site = { 'og:site_name': 'Ana', 'og:locale': 'en_GB' }

  /** What the page at a path says of itself; pictures have a test of their own. */
  async function toldAt(path: string) {
    const { title, meta, canonical } = headOf((await shop.visit(path)).text)
    const isTold = ([name]: string[]) => /^og:(?!image)|^description$|^robots$/.test(name!)
    return { title, canonical, ...Object.fromEntries(Object.entries(meta).filter(isTold)) }
  }

  const told = (path: string, title: string, description: string, type = 'website') => ({
    title,
    description,
    canonical: shop.url + path,
    ...site,
    'og:type': type,
    'og:title': title,
    'og:description': description,
    'og:url': shop.url + path,
  })

  test('says to messengers what it says to search engines', async () => {
    const home = 'Ana: 6 products to look through.'
    expect(await toldAt('/')).toEqual(told('/', 'Ana', home))
    const list = 'All 6 products of Ana, the newest first.'
    expect(await toldAt('/products')).toEqual(told('/products', 'Products · Ana', list))
    const product = told('/p/balm-1', 'Balm 1 · Ana', 'It is a balm.', 'product')
    expect(await toldAt('/p/balm-1')).toEqual(product)
  })

  test('names its own address without what a link adds to it', async () => {
    const query = '?utm_source=mail&page=1'
    expect((await toldAt(`/products${query}`)).canonical).toBe(`${shop.url}/products`)
    expect((await toldAt(`/p/balm-1${query}`)).canonical).toBe(`${shop.url}/p/balm-1`)
  })

  test('says what the owner wrote for search engines, at home', async () => {
    await shop.design({ seo: { title: 'Soap & balm', description: 'By "hand"' } })
    expect(await toldAt('/')).toEqual(told('/', 'Soap & balm', 'By "hand"'))
    await shop.design({ seo: { title: '', description: '' } })
  })

  test('says which language it speaks', async () => {
    await shop.design({ language: 'tr' })
    expect(await toldAt('/products')).toMatchObject({
      title: 'Ürünler · Ana',
      'og:title': 'Ürünler · Ana',
      'og:locale': 'tr_TR',
    })
    await shop.design({ language: 'en' })
  })

  test('of a page that is not there has no address and is not to be listed', async () => {
    const title = 'Page not found · Ana'
    const expected = { title, ...site, 'og:type': 'website', 'og:title': title, robots: 'noindex' }
    expect(await toldAt('/nothing-here')).toEqual({ ...expected, canonical: undefined })
  })
})

/** Pictures that a page shows, in order: what a browser is told to fetch first, and what later. */
async function picturesAt(path: string): Promise<string[]> {
  const found: string[] = []
  const parser = new Parser({
    onopentag(tag, { loading = 'eager', fetchpriority = 'usual' }) {
      if (tag === 'img') found.push(`${loading} ${fetchpriority}`)
    },
  })
  parser.write((await shop.visit(path)).text)
  parser.end()
  return found
}

const first = 'eager high'
const inView = 'eager usual'
const later = 'lazy usual'

describe('the first picture of a page is fetched first, and those out of view later', () => {
  test('in a list, where four are in view', async () => {
    const expected = [first, inView, inView, inView, later, later]
    expect(await picturesAt('/products')).toEqual(expected)
    expect(await picturesAt('/search?q=balm')).toEqual(expected)
  })

  test('of a product, whose others follow, and those of related ones', async () => {
    const pictures = await picturesAt('/p/balm-1')
    expect(pictures.slice(0, 3)).toEqual([first, later, later])
    expect([...new Set(pictures.slice(3))]).toEqual([later])
  })

  test.each(templates.map(({ key }) => key))('at home in %s', async (templateKey) => {
    await shop.design({ templateKey })
    const [one, ...others] = await picturesAt('/')
    expect(one).toBe(first)
    expect(others).not.toContain(first)
    expect(others.at(-1)).toBe(later)
    await shop.design({ templateKey: 'minimal' })
  })
})
