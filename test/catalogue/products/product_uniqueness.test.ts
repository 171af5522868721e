import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { products } from '../../../src/demo/products.ts'
import {
  editable,
  givenProduct,
  givenShop,
  outcomeOf,
  type Product,
  productBody,
  type ProductWrite,
  duplicateErrors,
} from '../../kit/catalogue.ts'
import { startService, type TestService, unique } from '../../kit/service.ts'
import { create, read, update } from './product_calls.ts'

let service: TestService
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service.close())

describe('uniqueness', () => {
  test('names every colliding field at once', async () => {
    const shop = await givenShop(service)
    const first = await givenProduct(shop)
    const { name, sku, barcode } = first
    const answer = await create(shop, productBody({ name, sku, barcode }))
    expect(answer.body).toEqual({
      status: 409,
      code: 'duplicate',
      message: 'Other products have some of these values.',
      fieldErrors: duplicateErrors,
    })
    const two = productBody({ sku, barcode })
    const fieldErrors = { sku: duplicateErrors.sku, barcode: duplicateErrors.barcode }
    expect(outcomeOf(await create(shop, two))).toEqual([409, 'duplicate', fieldErrors])
    const { id } = await givenProduct(shop)
    expect(outcomeOf(await update(shop, id, two))).toEqual([409, 'duplicate', fieldErrors])
    const three = productBody({ name, sku, barcode })
    expect(outcomeOf(await update(shop, id, three))).toEqual([409, 'duplicate', duplicateErrors])
  })

  test('names fields that collide with different products', async () => {
    const shop = await givenShop(service)
    const { name } = await givenProduct(shop)
    const { barcode } = await givenProduct(shop)
    expect(outcomeOf(await create(shop, productBody({ name, barcode })))).toEqual([
      409,
      'duplicate',
      { name: duplicateErrors.name, barcode: duplicateErrors.barcode },
    ])
  })

  test.each([
    ['case', 'Rose Oil', 'ROSE oil'],
    ['spaces', 'Rose Oil', '  Rose\u00a0 \tOil '],
    ['full width', 'Rose Oil 5', 'Ｒｏｓｅ　Ｏｉｌ　５'],
    ['sharp s', 'Große Straße', 'GROSSE STRASSE'],
    ['final sigma', 'ΟΔΟΣ', 'οδος'],
    ['composition', 'Caf\u00e9', 'CAFE\u0301'],
    ['what is not shown', 'Rose Oil', 'Ro\u200bse O\u00adil'],
    ['Turkish case with ı', 'Gül Yağı', 'GÜL YAĞI'],
    ['Turkish case with i', 'Kır çiçeği', 'KIR ÇİÇEĞİ'],
    ['English case in Turkish', 'çiçeği', 'ÇIÇEĞI'],
    ['the dot of a capital', 'İpek', 'ipek'],
    ['a capital without a dot', 'KIT-9', 'kıt-9'],
  ])('does not count %s', async (_what, value, same) => {
    const shop = await givenShop(service)
    await givenProduct(shop, { name: value, sku: value, barcode: value })
    const again = productBody({ name: same, sku: same, barcode: same })
    expect(outcomeOf(await create(shop, again))).toEqual([409, 'duplicate', duplicateErrors])
  })

  test.each([
    ['Kır Çiçeği', 'Kir Çiçeği'],
    ['Açık Sarı', 'Açik Sari'],
    ['Ilık Su', 'İlik Su'],
  ])('tells %s from %s, which a search finds together', async (one, other) => {
    const shop = await givenShop(service)
    const first = await givenProduct(shop, { name: one, sku: one, barcode: one })
    const second = await givenProduct(shop, { name: other, sku: other, barcode: other })
    for (const search of [one, other]) {
      const answer = await shop.api.get(shop.at('products')).query({ search, sort: 'createdAt' })
      expect((answer.body as { products: Product[] }).products).toEqual([first, second])
    }
  })

  test('is checked per field, and lets a product keep its own values', async () => {
    const shop = await givenShop(service)
    const value = unique('value')
    const product = await givenProduct(shop, { name: value, sku: value, barcode: value })
    const { status, body } = await update(shop, product.id, {
      ...editable(product),
      name: value.toUpperCase(),
    })
    expect(status).toBe(200)
    expect(body.name).toBe(value.toUpperCase())
    const crossed = productBody({ name: `${value} 2`, sku: `${value} 3`, barcode: `${value} 4` })
    await givenProduct(shop, crossed)
    await givenProduct(shop, { name: crossed.sku, sku: crossed.barcode, barcode: crossed.name })
  })

  test('is per workspace: another one may have the same values', async () => {
    const body = productBody()
    const first = await givenProduct(await givenShop(service), body)
    const second = await givenProduct(await givenShop(service), body)
    expect(second).toMatchObject({ name: first.name, sku: first.sku, barcode: first.barcode })
    expect(first.slug).toBe(body.name)
    expect(second.slug).toBe(`${body.name}-${second.id.slice(-8)}`)
  })

  test('ignores deleted products, but a restored one collides', async () => {
    const shop = await givenShop(service)
    const old = await givenProduct(shop)
    const values = editable(old)
    await update(shop, old.id, { ...values, status: 'DELETED' }).expect(200)
    const next = await givenProduct(shop, values)
    for (const status of ['ACTIVE', 'INACTIVE'] as const)
      expect(outcomeOf(await update(shop, old.id, { ...values, status }))).toEqual([
        409,
        'duplicate',
        duplicateErrors,
      ])
    expect((await read(shop, old.id)).status).toBe('DELETED')
    await shop.api.delete(shop.at(`products/${next.id}`)).expect(200)
    expect((await update(shop, old.id, values)).body.status).toBe('ACTIVE')
  })

  test('lets a product be created as deleted with the values of another', async () => {
    const shop = await givenShop(service)
    const { name, sku, barcode } = await givenProduct(shop)
    const answer = await create(shop, productBody({ name, sku, barcode, status: 'DELETED' }))
    expect(answer.status).toBe(200)
    expect(answer.body).toMatchObject({ name, sku, barcode, status: 'DELETED' })
  })

  test('lets a deleted product be edited while another one has its values', async () => {
    const shop = await givenShop(service)
    const old = await givenProduct(shop)
    const deleted: ProductWrite = { ...editable(old), status: 'DELETED' }
    await update(shop, old.id, deleted).expect(200)
    await givenProduct(shop, editable(old))
    const { status, body } = await update(shop, old.id, { ...deleted, brand: 'Another' })
    expect([status, body.brand]).toEqual([200, 'Another'])
  })
})

describe('Turkish capitals', () => {
  const demoNames = products.map(({ name }) => name)
  const inCapitals = (text: string) => text.toLocaleUpperCase('tr')

  test('of every demo name are refused as its duplicate', async () => {
    const shop = await givenShop(service)
    for (const name of demoNames) await givenProduct(shop, { name })
    for (const name of demoNames) {
      const answer = await create(shop, productBody({ name: inCapitals(name) }))
      expect([name, ...outcomeOf(answer)]).toEqual([
        name,
        409,
        'duplicate',
        { name: duplicateErrors.name },
      ])
    }
  })

  test('written at the same time make one product and conflicts', async () => {
    const shop = await givenShop(service)
    const names = ['Gül yağı sirkesi', 'GÜL YAĞI SİRKESİ', 'gül yağı sirkesi', 'GÜL yağı SİRKESİ']
    const answers = await Promise.all(
      Array.from({ length: 12 }, (_, index) =>
        create(shop, productBody({ name: names[index % names.length]! })),
      ),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(11).fill(409)])
  })

  test('are refused by an update and a restored product, and free a name when they go', async () => {
    const shop = await givenShop(service)
    const [small, other] = [
      await givenProduct(shop, { name: 'Sarı ipek' }),
      await givenProduct(shop),
    ]
    const capitals = { ...editable(other), name: 'SARI İPEK' }
    const refusal = [409, 'duplicate', { name: duplicateErrors.name }]
    expect(outcomeOf(await update(shop, other.id, capitals))).toEqual(refusal)
    await update(shop, small.id, { ...editable(small), status: 'DELETED' }).expect(200)
    await update(shop, other.id, capitals).expect(200)
    expect(outcomeOf(await update(shop, small.id, editable(small)))).toEqual(refusal)
    await update(shop, other.id, { ...capitals, name: 'Kirmizi' }).expect(200)
    await update(shop, small.id, editable(small)).expect(200)
  })
})

describe('slugs', () => {
  test.each([
    ['深圳 茶', 'shenzhen-cha'],
    ['Московский чай', 'moskovskiy-chay'],
    ['ILIK Şişe Çayı', 'ilik-sise-cayi'],
    ['شاي أخضر', 'shy-khdr'],
  ])('write %s as %s', async (name, slug) => {
    const shop = await givenShop(service)
    expect((await givenProduct(shop, { name })).slug).toBe(slug)
  })

  test('have a fallback, get a suffix if taken, and survive a rename', async () => {
    const shop = await givenShop(service)
    const nameless = await givenProduct(shop, { name: '***' })
    expect(nameless.slug).toBe('product')
    const second = await givenProduct(shop, { name: '???' })
    expect(second.slug).toBe(`product-${second.id.slice(-8)}`)
    const base = unique('rose')
    const rose = await givenProduct(shop, { name: base })
    const accented = await givenProduct(shop, { name: base.replace('o', 'ö') })
    expect([rose.slug, accented.slug]).toEqual([base, `${base}-${accented.id.slice(-8)}`])
    const renamed = await update(shop, rose.id, { ...editable(rose), name: unique('other') })
    expect(renamed.body.slug).toBe(base)
  })

  test('have at most 120 characters, including the suffix', async () => {
    const shop = await givenShop(service)
    const name = `${unique('long')} ${'b'.repeat(300)}`
    const first = await givenProduct(shop, { name })
    const second = await givenProduct(await givenShop(service), { name })
    expect([first.slug.length, second.slug.length]).toEqual([120, 120])
    expect(second.slug).toBe(`${first.slug.slice(0, 111)}-${second.id.slice(-8)}`)
  })
})
