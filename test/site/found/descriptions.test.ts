import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { givenCollection, givenProduct, givenTag } from '../../kit/catalogue.ts'
import { startService, type TestService } from '../../kit/service.ts'
import { crawl, givenOpenShop, type OpenShop, signIn } from '../window/shop_pages.ts'
import { headOf, mappedIn } from './heads.ts'

let service: TestService
/** Its owner has written nothing but names. */
let shop: OpenShop
let tagId: string
beforeAll(async () => {
  service = await startService()
  shop = await givenOpenShop(service)
  await shop.api.put(shop.at('workspace')).send({ name: 'Ana' }).expect(200)
  tagId = (await givenTag(shop, 'Rose')).id
  const nothing = { description: '', information: '', tagIds: [tagId] }
  const balm = await givenProduct(shop, { name: 'Balm', ...nothing })
  const soap = await givenProduct(shop, { name: 'Soap', ...nothing })
  for (const [name, { id }] of [
    ['Gifts', balm],
    ['New', soap],
  ] as const) {
    const collection = await givenCollection(shop, { name })
    await shop.api.post(shop.at(`collections/${collection.id}/products/${id}`)).expect(200)
  }
  const library = { questions: [{ text: 'Is it vegan?' }] }
  await shop.api.put(shop.at('questions')).send(library).expect(200)
  const modes = { fastEnabled: true, comprehensiveEnabled: true, sector: 'BEAUTY' }
  await shop.api.put(shop.at('ai-settings')).send(modes).expect(200)
  await shop.design({ accessPolicy: { challenge: 'OFF' } })
})
afterAll(() => service.close())

const descriptionAt = async (path: string, headers = {}) => {
  const { meta } = headOf((await shop.visit(path, headers)).text)
  expect([path, meta['og:description']]).toEqual([path, meta['description']])
  return meta['description']
}

async function describedIn(paths: string[]): Promise<Record<string, string | undefined>> {
  const described: Record<string, string | undefined> = {}
  for (const path of paths) described[path] = await descriptionAt(path)
  return described
}

const english = {
  '/': 'Ana: 2 products to look through.',
  '/about': 'About Ana, and how to write to us.',
  '/c/gifts': 'The collection “Gifts” of Ana.',
  '/c/new': 'The collection “New” of Ana.',
  '/collections': 'The 2 collections of Ana.',
  '/face':
    'Choose a picture of your face. The assistant says what it shows, and which products speak of it.',
  '/faq': 'What visitors ask us most often.',
  '/p/balm': 'Balm at Ana.',
  '/p/soap': 'Soap at Ana.',
  '/privacy': 'What Ana keeps of its visitors, for how long, and how you can delete it.',
  '/products': 'All 2 products of Ana, the newest first.',
  '/routine':
    'Tell us about your skin, and get a routine from the products of this shop, in the order of use.',
}

const turkish = {
  '/': 'Ana: göz atabileceğiniz 2 ürün.',
  '/about': 'Ana hakkında ve bize nasıl yazabileceğiniz.',
  '/c/gifts': 'Ana mağazasının “Gifts” koleksiyonu.',
  '/c/new': 'Ana mağazasının “New” koleksiyonu.',
  '/collections': 'Ana mağazasının 2 koleksiyonu.',
  '/face':
    'Yüzünüzün bir fotoğrafını seçin. Asistan fotoğrafta ne gördüğünü ve hangi ürünlerin bununla ilgili olduğunu söyler.',
  '/faq': 'Ziyaretçilerimizin en çok sordukları.',
  '/p/balm': 'Ana mağazasında Balm.',
  '/p/soap': 'Ana mağazasında Soap.',
  '/privacy':
    'Ana ziyaretçilerinin hangi bilgilerinin ne kadar süreyle saklandığı ve bunları nasıl silebileceğiniz.',
  '/products': 'Ana mağazasının 2 ürünü, en yenileri başta.',
  '/routine':
    'Cildinizi anlatın; bu mağazanın ürünlerinden, kullanım sırasıyla bir rutin hazırlayalım.',
}

describe('where the owner has written nothing', () => {
  test.each([
    ['en', english],
    ['tr', turkish],
  ] as const)('each page of the sitemap says in %s what it is', async (language, expected) => {
    await shop.design({ language })
    expect(await describedIn((await mappedIn(shop)).sort())).toEqual(expected)
  })

  test.each([
    [
      'en',
      {
        '/search': 'Search the products of Ana.',
        '/search?q=balm': 'Search the products of Ana.',
        '/sign-in': 'We email you a code. There is no password to remember.',
        '/feedback':
          'Ana reads every message. Write your email address into it if you would like a reply.',
        '/report':
          'Is this shop misleading, unlawful or pretending to be another? Tell the people who run the service. The shop does not see what you write.',
        '/account': 'Your details and conversations at Ana.',
        [`/t/`]: 'Products with the tag Rose',
      },
    ],
    [
      'tr',
      {
        '/search': 'Ana ürünleri arasında arayın.',
        '/search?q=balm': 'Ana ürünleri arasında arayın.',
        '/sign-in': 'Size bir kod gönderiyoruz. Hatırlanacak bir parola yok.',
        '/feedback': 'Ana her mesajı okur. Yanıt isterseniz mesajınıza e-posta adresinizi yazın.',
        '/report':
          'Bu mağaza yanıltıcı mı, yasa dışı mı ya da başkasıymış gibi mi davranıyor? Hizmeti işletenlere bildirin. Yazdıklarınızı mağaza görmez.',
        '/account': 'Ana mağazasındaki bilgileriniz ve konuşmalarınız.',
        '/t/': 'Rose etiketli ürünler',
      },
    ],
  ] as const)('so does each page beside it in %s', async (language, expected) => {
    await shop.design({ language })
    const customer = await signIn(service, shop, `${language}@example.com`)
    for (const [path, description] of Object.entries(expected)) {
      const at = path === '/t/' ? path + tagId : path
      expect([at, await descriptionAt(at, customer)]).toEqual([at, description])
    }
  })

  test('a shop without products says that it opens soon', async () => {
    const fresh = await givenOpenShop(service)
    const said: (string | undefined)[] = []
    for (const path of ['/', '/products'])
      said.push(headOf((await fresh.visit(path)).text).meta['description'])
    expect(said).toEqual(['A workspace opens soon.', 'There is nothing here yet.'])
  })
})

describe('what the owner has written', () => {
  beforeAll(() =>
    shop.design({
      language: 'en',
      headline: 'From roses',
      tagline: 'By hand',
      about: `Since 1923. ${'We make soap. '.repeat(40)}`,
    }),
  )

  test('stands first, cut between words', async () => {
    expect(await descriptionAt('/')).toBe('From roses By hand')
    const about = `Since 1923. ${'We make soap. '.repeat(10)}We…`
    expect(await descriptionAt('/about')).toBe(about)
  })

  test('for search engines is that of the home page alone, and whole', async () => {
    const description = 'Roses and olives, '.repeat(15).trim()
    await shop.design({ seo: { title: 'Ana', description } })
    expect(await descriptionAt('/')).toBe(description)
    expect(await descriptionAt('/products')).toBe(english['/products'])
    expect(await descriptionAt('/collections')).toBe(english['/collections'])
    await shop.design({ seo: { title: '', description: '' } })
  })
})

describe('every page of a shop with much in it', () => {
  const long = 'a very long name, '.repeat(8).trim()

  beforeAll(async () => {
    const collection = await givenCollection(shop, { name: long, description: 'For friends.' })
    for (let count = 0; count < 25; count++) {
      const texts = {
        description: count === 0 ? '' : `It has the number ${count}.`,
        information: '',
      }
      const { id } = await givenProduct(shop, { name: `${long} ${count}`, ...texts })
      await shop.api.post(shop.at(`collections/${collection.id}/products/${id}`)).expect(200)
    }
    await shop.api
      .put(shop.at('workspace'))
      .send({ name: 'Ana and her daughters, '.repeat(3).trim() })
      .expect(200)
  })

  test('has a short description, which is that of no other page', async () => {
    const pages = await crawl(shop)
    const pathOf = new Map<string, string>()
    let drawn = 0
    for (const [path, { type, status, text }] of pages) {
      if (type !== 'text/html' || status !== 200) continue
      const { meta } = headOf(text)
      const description = meta['description'] ?? ''
      expect([path, description.length > 0 && description.length <= 160]).toEqual([path, true])
      expect([path, meta['og:description']]).toEqual([path, description])
      if (path.startsWith('/search')) continue
      drawn += 1
      expect([path, pathOf.get(description)]).toEqual([path, undefined])
      pathOf.set(description, path)
    }
    expect(drawn).toBeGreaterThan(35)
    expect([...pages.keys()]).toEqual(expect.arrayContaining(await mappedIn(shop)))
    const second = headOf((await shop.visit('/products?page=2')).text).meta['description']
    expect(second).toMatch(/^Page 2 of 2 · All 27 products of Ana/)
  })
})
