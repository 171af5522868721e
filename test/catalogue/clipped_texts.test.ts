import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  editable,
  givenCollection,
  givenProduct,
  givenShop,
  outcomeOf,
  type Product,
  productBody,
  type Shop,
} from '../kit/catalogue.ts'
import { startService, type TestService } from '../kit/service.ts'
import { list as listCollections, read as readCollection } from './collection_calls.ts'
import { create, read, update } from './products/product_calls.ts'

let service: TestService
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service.close())

const reason =
  'This text was clipped by view=summary. Read the whole one first, or leave it unchanged with a patch.'
const long = { description: 'Roses. '.repeat(60), information: 'Çiçek '.repeat(90) }

const patch = (shop: Shop, id: string, body: object) =>
  shop.api.patch(shop.at(`products/${id}`)).send(body)

async function summaryOf(shop: Shop, id: string): Promise<Product> {
  const { body } = await shop.api.get(shop.at('products')).query({ view: 'summary' })
  return (body as { products: Product[] }).products.find((product) => product.id === id)!
}

describe('the clipped texts of a summary', () => {
  test('cannot be written back, and nothing is changed', async () => {
    const shop = await givenShop(service)
    const product = await givenProduct(shop, long)
    const summary = await summaryOf(shop, product.id)
    const refusal = [400, 'invalid_input', { description: reason, information: reason }]
    const { description, information } = summary
    expect(outcomeOf(await update(shop, product.id, editable(summary)))).toEqual(refusal)
    const part = { description, information }
    expect(outcomeOf(await patch(shop, product.id, part))).toEqual(refusal)
    expect(await read(shop, product.id)).toEqual(product)
  })

  test.each([
    ['a space', (clipped: string) => `${clipped} `],
    ['a word after them', (clipped: string) => `${clipped} Sale!`],
    ['a word before them', (clipped: string) => `Sale! ${clipped}`],
    ['another beginning', (clipped: string) => `Tulips.${clipped.slice(6)}`],
  ])('are recognised with %s', async (_what, changed) => {
    const shop = await givenShop(service)
    const product = await givenProduct(shop, long)
    const { description } = await summaryOf(shop, product.id)
    const sent = { description: changed(description) }
    const refusal = [400, 'invalid_input', { description: reason }]
    expect(outcomeOf(await patch(shop, product.id, sent))).toEqual(refusal)
    const whole = { ...editable(product), ...sent }
    expect(outcomeOf(await update(shop, product.id, whole))).toEqual(refusal)
    expect(await read(shop, product.id)).toEqual(product)
  })

  test('are recognised in the description of a collection', async () => {
    const shop = await givenShop(service)
    const { id } = await givenCollection(shop, { description: long.description })
    const before = await readCollection(shop, id)
    const [summary] = (await listCollections(shop, { view: 'summary' })).collections
    const description = `${summary!.description} More.`
    const answer = await shop.api
      .put(shop.at(`collections/${id}`))
      .send({ name: 'Roses', description, tagIds: [], imageId: null })
    expect(outcomeOf(answer)).toEqual([400, 'invalid_input', { description: reason }])
    expect(await readCollection(shop, id)).toEqual(before)
  })
})

describe('a text that only looks clipped', () => {
  const engraving = 'Engrave a name… [12 characters]'

  test('is a text like any other, in a new product and a new collection', async () => {
    const shop = await givenShop(service)
    const texts = { description: engraving, information: engraving }
    const created = await create(shop, productBody(texts))
    expect([created.status, created.body]).toMatchObject([200, texts])
    expect((await givenCollection(shop, { description: engraving })).description).toBe(engraving)
  })

  test('is written back as it was read', async () => {
    const shop = await givenShop(service)
    const product = await givenProduct(shop, { description: engraving })
    expect((await update(shop, product.id, editable(product))).status).toBe(200)
    expect((await patch(shop, product.id, { description: engraving })).status).toBe(200)
    // As long as it says itself, and thereby its own summary.
    const own = `${'x'.repeat(200)}… [218 characters]`
    expect((await patch(shop, product.id, { description: own })).status).toBe(200)
    expect((await patch(shop, product.id, { description: own })).status).toBe(200)
  })

  test('may take the place of another text of the length it names', async () => {
    const shop = await givenShop(service)
    const { id } = await givenProduct(shop, long)
    const description = `Engrave a name… [${long.description.length} characters]`
    const { status, body } = await patch(shop, id, { description })
    expect([status, body]).toMatchObject([200, { description }])
  })

  test('of one product may be written to another', async () => {
    const shop = await givenShop(service)
    const [one, other] = [await givenProduct(shop, long), await givenProduct(shop)]
    const { description } = await summaryOf(shop, one.id)
    expect((await patch(shop, other.id, { description })).status).toBe(200)
  })
})
