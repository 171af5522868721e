import { mkdtempSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest'
import { diskMediaStore } from '../../src/adapters/media_store.ts'
import { readConfig } from '../../src/settings/config.ts'
import { connect, type Connection } from '../../src/db/connect.ts'
import { type Demo, readDemo, seedDemo } from '../../src/demo/demo.ts'
import type { components } from '../../src/generated/types.ts'
import type { ServiceConfig } from '../../src/operation.ts'
import { type Collection, editable, type Media, type Product } from '../kit/catalogue.ts'
import { createDatabase, type TestDatabase } from '../kit/database.ts'
import { type Client, startService, type TestService } from '../kit/service.ts'

type Schemas = components['schemas']

const storeOf = ({ dataDir }: ServiceConfig) => diskMediaStore(join(dataDir, 'media'))

/** Whether the check digit is correct. */
function isEan13(barcode: string): boolean {
  const digits = [...barcode].map(Number)
  const weighted = digits.map((digit, place) => digit * (place % 2 === 0 ? 1 : 3))
  return /^\d{13}$/.test(barcode) && weighted.reduce((sum, value) => sum + value, 0) % 10 === 0
}

describe('the demo shop', () => {
  let service: TestService
  let demo: Demo
  let api: Client
  let products: Product[]

  beforeAll(async () => {
    service = await startService()
    await seedDemo(service.db, service.config, storeOf(service.config))
    demo = readDemo(service.config)!
    api = service.api(demo.apiKey)
    products = (await read<{ products: Product[] }>('products?pageSize=100')).products
  })
  afterAll(() => service.close())

  const at = (path: string) => `/v1/workspaces/${demo.workspaceId}/${path}`
  async function read<T>(path: string): Promise<T> {
    const { status, body } = await api.get(at(path))
    expect(status).toBe(200)
    return body as T
  }
  const bySku = (sku: string) => products.find((product) => product.sku === sku)!

  test('has 40 products in every status, some out of stock', async () => {
    const { summary } = await read<Schemas['ProductList']>('products')
    expect(summary).toEqual({ total: 40, active: 36, inactive: 3, outOfStock: 5 })
    expect(products.filter(({ status }) => status === 'DELETED')).toHaveLength(1)
    expect(new Set(products.map(({ sku }) => sku)).size).toBe(40)
    expect(new Set(products.map(({ barcode }) => barcode)).size).toBe(40)
  })

  test('has 500 credits, and the secret that signs payment events', async () => {
    expect(await read('wallet')).toMatchObject({ balance: 500, available: 500 })
    expect(demo.webhookSecret).toBe(service.config.webhookSecret)
  })

  test('has barcodes with correct check digits', () => {
    expect(isEan13('8690000000018')).toBe(false)
    expect(products.map(({ barcode }) => barcode).filter((code) => !isEan13(code))).toEqual([])
  })

  test('has 12 tags, each used by a product', async () => {
    const { tags } = await read<Schemas['TagList']>('tags')
    expect(tags).toHaveLength(12)
    const usedIds = new Set(products.flatMap((product) => product.tags.map(({ id }) => id)))
    expect(tags.filter(({ id }) => !usedIds.has(id))).toEqual([])
  })

  test('has 6 collections in order, each with products, tags and an image', async () => {
    const { collections } = await read<Schemas['CollectionList']>('collections')
    expect(collections.map(shapeOf)).toEqual([
      { name: 'Gül Serisi', products: 8, tags: 2, image: 'Gül Serisi.jpg' },
      { name: 'Hassas Ciltler İçin', products: 9, tags: 2, image: 'Hassas Ciltler İçin.jpg' },
      { name: 'Güneş ve Vücut', products: 9, tags: 2, image: 'Güneş ve Vücut.jpg' },
      { name: 'Saç Bakımı', products: 7, tags: 1, image: 'Saç Bakımı.jpg' },
      { name: 'Makyaj', products: 8, tags: 2, image: 'Makyaj.jpg' },
      { name: 'Hediye Setleri', products: 6, tags: 1, image: 'Hediye Setleri.jpg' },
    ])
    const listedIds = new Set(collections.flatMap(({ productIds }) => productIds))
    expect(products.filter(({ id }) => !listedIds.has(id)).map(({ sku }) => sku)).toEqual([
      'DD-CVT-030',
      'DD-NIA-030',
    ])
    const rose = collections[0]!.products.map(({ sku }) => sku)
    expect(rose.slice(0, 3)).toEqual(['GE-TON-200', 'GE-KRM-050', 'GE-SRM-030'])
  })

  test('serves every image with its type, small and unique', async () => {
    const { media, summary } = await read<Schemas['MediaList']>('media?pageSize=100')
    expect(summary).toEqual({ total: 48, unused: 1, linked: 47, multiLinked: 13 })
    expect(new Set(media.map(({ key }) => key)).size).toBe(48)
    const files = await Promise.all(media.map(load))
    expect(files).toEqual(
      media.map(({ mimeType, size }) => ({ status: 200, type: mimeType, length: String(size) })),
    )
    expect(media.filter(({ size }) => size > 20 * 1024)).toEqual([])
    expect(products.filter(({ images }) => images.length === 0)).toEqual([])
  })

  test('draws the same picture for the same name, and different ones otherwise', async () => {
    const { drawProduct } = await import('../../src/demo/images.ts')
    const [one, two] = await Promise.all([
      drawProduct({ name: 'Gül', hue: 345 }, 'jar'),
      drawProduct({ name: 'Gül', hue: 345 }, 'jar'),
    ])
    expect(one.equals(two)).toBe(true)
    expect(one.equals(await drawProduct({ name: 'Nar', hue: 345 }, 'jar'))).toBe(false)
  })

  test('is found by a Turkish word in another case', async () => {
    const productsFor = async (search: string) =>
      (await read<Schemas['ProductList']>(`products?search=${encodeURIComponent(search)}`)).products
    // Names come first, then what only the text speaks of.
    expect((await productsFor('SABUN')).map(({ name }) => name)).toEqual([
      'Hamam Sabunları Seti 2 Parça',
      'Antakya Defne Sabunu 120 g',
      'Zeytinyağı Sabunu 100 g',
      'Hassas Cilt Temizleme Jeli 200 ml',
    ])
    expect((await productsFor('ışıltılı PUDRA')).map(({ sku }) => sku)).toEqual(['NC-PDR-012'])
    expect((await productsFor('IŞILTILI pudra')).map(({ sku }) => sku)).toEqual(['NC-PDR-012'])
  })

  test('has a question library, and five products with their own questions', async () => {
    const library = await read<Schemas['QuestionLibrary']>('questions')
    expect(library.questions).toHaveLength(7)
    const sets = await Promise.all(
      products.map(({ id }) => read<Schemas['ProductQuestionSet']>(`products/${id}/questions`)),
    )
    expect(sets.filter(({ usesDefaults }) => !usesDefaults)).toHaveLength(5)
    const toner = await read<Schemas['ProductQuestionSet']>(
      `products/${bySku('GE-TON-200').id}/questions`,
    )
    expect(toner.questions[0]?.text).toBe('Gül suyu tonik yerine geçer mi?')
  })

  test('states what products contain, how they are used and where they are sold', () => {
    const { information, description, sales } = bySku('EZ-SBN-100')
    expect(description).toBe(
      'Soğuk yöntemle yapılmış geleneksel sabun. A traditional cold-process soap.',
    )
    expect(information.split('\n').slice(0, 2)).toEqual([
      'İçindekiler / Ingredients: Sodium Olivate, Aqua, Sodium Cocoate, Glycerin, Sodium Chloride',
      'Kullanım / How to use: Islak elde köpürtün, kuru yerde saklayın. Lather in wet hands, keep it dry.',
    ])
    expect(sales.map(({ link }) => new URL(link).hostname)).toEqual([
      'gul-kozmetik.example',
      'pazaryeri.example',
    ])
  })

  test('has a website with the logo of the shop', async () => {
    const { logoImageId, headline } = await read<Schemas['Website']>('website')
    expect(headline).toBe('The care of roses, the glow of your skin')
    const logo = await read<Media>(`media/${logoImageId}`)
    expect([logo.fileName, logo.usageCount]).toEqual(['Logo.webp', 1])
  })

  test('contains only what its owner could write through the API', async () => {
    for (const product of products) {
      const { status } = await api.put(at(`products/${product.id}`)).send(editable(product))
      expect([product.sku, status]).toEqual([product.sku, 200])
    }
    const { updatedAt, ...website } = await read<Schemas['Website']>('website')
    expect(updatedAt).toMatch(/Z$/)
    expect((await api.put(at('website')).send(website)).status).toBe(200)
  })

  test('is seeded once: a second seed is a no-op', async () => {
    const before = readFileSync(join(service.config.dataDir, 'demo.json'), 'utf8')
    await seedDemo(service.db, service.config, storeOf(service.config))
    expect(readFileSync(join(service.config.dataDir, 'demo.json'), 'utf8')).toBe(before)
    expect(statSync(join(service.config.dataDir, 'demo.json')).mode & 0o777).toBe(0o600)
    const { pagination } = await read<Schemas['ProductList']>('products')
    expect(pagination.total).toBe(40)
    const { body } = await api.get('/v1/workspaces')
    const { workspaces } = body as Schemas['WorkspaceList']
    expect(workspaces.map(({ id }) => id)).toEqual([demo.workspaceId])
  })

  function shapeOf({ name, productIds, tags, image }: Collection) {
    return { name, products: productIds.length, tags: tags.length, image: image?.fileName }
  }

  async function load({ url }: Media) {
    const { status, headers } = await service.api().get(new URL(url).pathname)
    return { status, type: headers['content-type'], length: headers['content-length'] }
  }
})

describe('seeding the demo', () => {
  let database: TestDatabase
  const connections: Connection[] = []
  beforeEach(async () => {
    database = await createDatabase()
  })
  afterEach(async () => {
    await Promise.all(connections.splice(0).map((connection) => connection.close()))
    await database.drop()
  })

  /** The parts of a starting process, in its own data folder. */
  function newProcess() {
    const dataDir = mkdtempSync(join(inject('scratchFolder'), 'demo-'))
    const secrets = { secretKey: 'a secret of the tests', webhookSecret: 'whsec_of_the_tests' }
    const config = { ...readConfig({ DATA_DIR: dataDir }), ...secrets }
    const connection = connect(database.url, { max: 1, patient: true, baseUrl: config.baseUrl })
    connections.push(connection)
    return { db: connection.db, config, store: storeOf(config) }
  }

  test('by two concurrent processes makes one shop', async () => {
    const processes = [newProcess(), newProcess()]
    await Promise.all(processes.map(({ db, config, store }) => seedDemo(db, config, store)))
    const demos = processes.map(({ config }) => readDemo(config)).filter((demo) => demo)
    expect(demos).toHaveLength(1)
    const { db } = newProcess()
    const workspaces = await db.selectFrom('workspaces').select('id').execute()
    expect(workspaces).toEqual([{ id: demos[0]?.workspaceId }])
    expect(await db.selectFrom('products').select('id').execute()).toHaveLength(40)
  })

  test('leaves no row and no key when it fails halfway, and succeeds on retry', async () => {
    const { db, config, store } = newProcess()
    let puts = 0
    const put: typeof store.put = (...args) =>
      ++puts > 20 ? Promise.reject(new Error('The disk is full.')) : store.put(...args)
    await expect(seedDemo(db, config, { ...store, put })).rejects.toThrow('The disk is full.')
    const accounts = () => db.selectFrom('accounts').select('email').execute()
    expect(await accounts()).toEqual([])
    expect(readDemo(config)).toBeUndefined()

    await seedDemo(db, config, store)
    expect(await accounts()).toEqual([{ email: 'demo@example.com' }])
    expect(readDemo(config)?.accountEmail).toBe('demo@example.com')
  })

  test('writes nothing to the media store of another environment', async () => {
    const { db, config, store } = newProcess()
    await store.put('environment', Buffer.from('production'), 'text/plain')
    await expect(seedDemo(db, config, store)).rejects.toThrow(
      'The media store belongs to production, and this service to development.',
    )
    expect(await store.list()[Symbol.asyncIterator]().next()).toMatchObject({ done: true })
    expect(readDemo(config)).toBeUndefined()
  })
})
