import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  conflict,
  deleteMediaRow,
  editable,
  givenCollection,
  givenMediaRow,
  givenProduct,
  givenShop,
  givenTag,
  notFound,
  outcomeOf,
  productBody,
  type Shop,
} from '../../kit/catalogue.ts'
import { startService, type TestService } from '../../kit/service.ts'
import { create, read, update } from './product_calls.ts'

let service: TestService
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service.close())

const summaryOf = async (shop: Shop) =>
  ((await shop.api.get(shop.at('products'))).body as { summary: object }).summary

describe('create_product', () => {
  test('returns exactly the declared fields, images and tags in the given order', async () => {
    const shop = await givenShop(service)
    const images = [await givenMediaRow(shop), await givenMediaRow(shop)].reverse()
    const tags = [await givenTag(shop), await givenTag(shop)].reverse()
    const sales = [
      { name: 'Second shop', link: 'https://b.example/2?x=1' },
      { name: 'First shop', link: 'http://a.example' },
    ]
    const input = productBody({ sales, stock: 0, status: 'INACTIVE', information: 'I 😀' })
    const { imageIds, tagIds, ...values } = {
      ...input,
      imageIds: images.map(({ id }) => id),
      tagIds: tags.map(({ id }) => id),
    }
    const { status, body } = await create(shop, { ...values, imageIds, tagIds })
    expect(status).toBe(200)
    expect(body).toEqual({
      ...values,
      id: expect.stringMatching(/^prod_[0-9a-z]{26}$/),
      slug: input.name,
      images: images.map((image) => ({ ...image, usageCount: 1 })),
      tags,
      createdAt: service.now().toISOString(),
      updatedAt: service.now().toISOString(),
    })
    expect(await read(shop, body.id)).toEqual(body)
  })

  test('fills in the defaults and nothing else', async () => {
    const shop = await givenShop(service)
    const { description, imageIds, tagIds, sales, ...required } = productBody()
    expect([description, imageIds, tagIds, sales]).toHaveLength(4)
    const { status, body } = await create(shop, required)
    expect(status).toBe(200)
    expect(body).toMatchObject({ ...required, description: '', images: [], tags: [], sales: [] })
    const missing = Object.fromEntries(Object.keys(required).map((field) => [field, 'Required.']))
    expect(outcomeOf(await create(shop, {}))).toEqual([400, 'invalid_input', missing])
  })

  test.each([
    ['a field of the answer', { slug: 'mine' }, 'slug'],
    ['a stock of a million', { stock: 1_000_000 }, 'stock'],
    ['a negative stock', { stock: -1 }, 'stock'],
    ['half a piece', { stock: 0.5 }, 'stock'],
    ['an unknown status', { status: 'DRAFT' }, 'status'],
    ['an empty name', { name: '' }, 'name'],
    [
      'a link that is not a web address',
      { sales: [{ name: 'x', link: 'ftp://x' }] },
      'sales.0.link',
    ],
    ['an unknown field of a sale', { sales: [{ name: 'x', link: 'http://x', a: 1 }] }, 'sales.0.a'],
    ['one image twice', { imageIds: ['med_1', 'med_1'] }, 'imageIds'],
    ['one tag twice', { tagIds: ['tag_1', 'tag_1'] }, 'tagIds'],
    ['101 images', { imageIds: Array.from({ length: 101 }, (_, i) => `med_${i}`) }, 'imageIds'],
    ['101 tags', { tagIds: Array.from({ length: 101 }, (_, i) => `tag_${i}`) }, 'tagIds'],
  ])('refuses %s', async (_what, changes, field) => {
    const shop = await givenShop(service)
    const [status, code, fieldErrors] = outcomeOf(
      await create(shop, { ...productBody(), ...changes }),
    )
    expect([status, code, Object.keys(fieldErrors)]).toEqual([400, 'invalid_input', [field]])
  })

  test('accepts every text at its limit, in four-byte characters', async () => {
    const shop = await givenShop(service)
    const long = (length: number) =>
      Array.from({ length }, (_, i) => String.fromCodePoint(0x20000 + ((i * 7919) % 40000))).join(
        '',
      )
    const texts = { name: long(500), brand: long(300), sku: long(300), barcode: long(300) }
    const { status, body } = await create(
      shop,
      productBody({ ...texts, description: long(100000) }),
    )
    expect(status).toBe(200)
    expect(body).toMatchObject(texts)
    expect(body.slug.length).toBeLessThanOrEqual(120)
  })

  test('refuses unknown and foreign images and tags, and writes nothing', async () => {
    const [shop, other] = [await givenShop(service), await givenShop(service)]
    const image = await givenMediaRow(other)
    const tag = await givenTag(other)
    for (const [field, id] of [
      ['imageIds', image.id],
      ['imageIds', 'med_nobody'],
      ['tagIds', tag.id],
      ['tagIds', 'tag_nobody'],
    ] as const) {
      const sentence = { [field]: `There is no ${id} in this workspace.` }
      const answer = await create(shop, productBody({ [field]: [id] }))
      expect(outcomeOf(answer)).toEqual([400, 'invalid_input', sentence])
    }
    expect(await summaryOf(shop)).toEqual({ total: 0, active: 0, inactive: 0, outOfStock: 0 })
  })
})

describe('get_product', () => {
  test('carries an ETag, and is 304 until the product changes', async () => {
    const shop = await givenShop(service)
    const product = await givenProduct(shop)
    const path = shop.at(`products/${product.id}`)
    const etag = (await shop.api.get(path)).headers.etag!
    expect((await shop.api.get(path).set('If-None-Match', etag)).status).toBe(304)
    const tag = await givenTag(shop)
    await shop.api.post(`${path}/tags/${tag.id}`).expect(200)
    const answer = await shop.api.get(path).set('If-None-Match', etag)
    expect(answer.status).toBe(200)
    expect(answer.headers.etag).not.toBe(etag)
  })

  test('shows a product of any status, but none of another workspace', async () => {
    const shop = await givenShop(service)
    const { id } = await givenProduct(shop, { status: 'DELETED' })
    expect((await read(shop, id)).status).toBe('DELETED')
    const other = await givenShop(service)
    expect((await other.api.get(other.at(`products/${id}`))).body).toEqual(notFound('product'))
  })
})

describe('update_product', () => {
  test('replaces every value, including images and tags', async () => {
    const shop = await givenShop(service)
    const [one, two, three] = [
      await givenMediaRow(shop),
      await givenMediaRow(shop),
      await givenMediaRow(shop),
    ] as const
    const [red, blue] = [await givenTag(shop), await givenTag(shop)]
    const product = await givenProduct(shop, { imageIds: [one.id, two.id], tagIds: [red.id] })
    service.advance(1000)
    const { imageIds, tagIds, ...values } = productBody({
      imageIds: [three.id, one.id],
      tagIds: [blue.id, red.id],
      status: 'INACTIVE',
      stock: 999_999,
      description: '',
      information: '',
      sales: [{ name: 'Shop', link: 'https://shop.example' }],
    })
    const { status, body } = await update(shop, product.id, { ...values, imageIds, tagIds })
    expect(status).toBe(200)
    expect(body).toEqual({
      ...values,
      id: product.id,
      slug: product.slug,
      createdAt: product.createdAt,
      images: [
        { ...three, usageCount: 1 },
        { ...one, usageCount: 1 },
      ],
      tags: [blue, red],
      updatedAt: service.now().toISOString(),
    })
    expect(await read(shop, product.id)).toEqual(body)
  })

  test('requires every field and names the missing ones', async () => {
    const shop = await givenShop(service)
    const tag = await givenTag(shop)
    const product = await givenProduct(shop, { tagIds: [tag.id] })
    const missing = Object.fromEntries(
      Object.keys(productBody()).map((field) => [field, 'Required.']),
    )
    expect(outcomeOf(await update(shop, product.id, {}))).toEqual([400, 'invalid_input', missing])
    for (const field of Object.keys(missing)) {
      const { [field]: value, ...body } = editable(product) as Record<string, unknown>
      expect(value).toBeDefined()
      const answer = await update(shop, product.id, body)
      expect(outcomeOf(answer)).toEqual([400, 'invalid_input', { [field]: 'Required.' }])
    }
    expect(await read(shop, product.id)).toEqual(product)
  })

  test('refuses foreign and duplicate ids, and changes nothing', async () => {
    const [shop, other] = [await givenShop(service), await givenShop(service)]
    const [image, tag] = [await givenMediaRow(other), await givenTag(other)]
    const own = await givenMediaRow(shop)
    const product = await givenProduct(shop, { imageIds: [own.id] })
    for (const [field, id] of [
      ['imageIds', image.id],
      ['tagIds', tag.id],
    ] as const) {
      const fieldErrors = { [field]: `There is no ${id} in this workspace.` }
      const foreign = await update(shop, product.id, { ...productBody(), [field]: [id] })
      expect(outcomeOf(foreign)).toEqual([400, 'invalid_input', fieldErrors])
      const twice = { [field]: 'The same item is listed twice.' }
      const doubled = await update(shop, product.id, { ...productBody(), [field]: [id, id] })
      expect(outcomeOf(doubled)).toEqual([400, 'invalid_input', twice])
    }
    expect(await read(shop, product.id)).toEqual(product)
    const path = other.at(`products/${product.id}`)
    expect((await other.api.put(path).send(productBody())).body).toEqual(notFound('product'))
  })

  test('moves between all three statuses, and the counts follow', async () => {
    const shop = await givenShop(service)
    const product = await givenProduct(shop, { stock: 0 })
    const values = editable(product)
    const counts = {
      ACTIVE: { total: 1, active: 1, inactive: 0, outOfStock: 1 },
      INACTIVE: { total: 1, active: 0, inactive: 1, outOfStock: 1 },
      DELETED: { total: 1, active: 0, inactive: 0, outOfStock: 0 },
    }
    const moves = ['INACTIVE', 'DELETED', 'ACTIVE', 'DELETED', 'INACTIVE', 'ACTIVE'] as const
    for (const status of moves) {
      expect((await update(shop, product.id, { ...values, status })).body.status).toBe(status)
      expect(await summaryOf(shop)).toEqual(counts[status])
    }
    await update(shop, product.id, { ...values, stock: 1 }).expect(200)
    expect(await summaryOf(shop)).toEqual({ ...counts.ACTIVE, outOfStock: 0 })
  })

  test('with If-Match overwrites only the version that was read', async () => {
    const shop = await givenShop(service)
    const product = await givenProduct(shop)
    const path = shop.at(`products/${product.id}`)
    const etag = (await shop.api.get(path)).headers.etag!
    const values = editable(product)
    const put = () =>
      shop.api
        .put(path)
        .set('If-Match', etag)
        .send({ ...values, stock: 7 })
    expect((await put()).status).toBe(200)
    expect((await put()).body).toEqual(conflict)
    expect((await shop.api.delete(path).set('If-Match', etag)).body).toEqual(conflict)
    const current = (await shop.api.get(path)).headers.etag!
    expect((await shop.api.delete(path).set('If-Match', current)).status).toBe(200)
  })
})

describe('delete_product', () => {
  test('is permanent and removes the product everywhere', async () => {
    const shop = await givenShop(service)
    const image = await givenMediaRow(shop)
    const tag = await givenTag(shop)
    const collection = await givenCollection(shop)
    const product = await givenProduct(shop, { imageIds: [image.id], tagIds: [tag.id] })
    const path = shop.at(`products/${product.id}`)
    const member = shop.at(`collections/${collection.id}/products/${product.id}`)
    await shop.api.post(member).expect(200)
    const { status, body } = await shop.api.delete(path)
    expect([status, body]).toEqual([200, { id: product.id, deleted: true }])
    expect((await shop.api.get(path)).body).toEqual(notFound('product'))
    expect((await shop.api.delete(path)).body).toEqual(notFound('product'))
    const after = (await shop.api.get(shop.at(`collections/${collection.id}`))).body
    expect([after.productIds, after.products]).toEqual([[], []])
    const [media] = await service.db
      .selectFrom('media')
      .select('usage_count')
      .where('id', '=', image.id)
      .execute()
    expect(media).toEqual({ usage_count: 0 })
    expect(await summaryOf(shop)).toEqual({ total: 0, active: 0, inactive: 0, outOfStock: 0 })
    await givenProduct(shop, { ...editable(product), imageIds: [], tagIds: [] })
  })

  test('does not find products of another workspace', async () => {
    const [shop, other] = [await givenShop(service), await givenShop(service)]
    const product = await givenProduct(shop)
    const answer = await other.api.delete(other.at(`products/${product.id}`))
    expect(answer.body).toEqual(notFound('product'))
    expect(await read(shop, product.id)).toEqual(product)
  })
})

describe('the images of a product', () => {
  test('disappear from it when deleted, the others staying in order', async () => {
    const shop = await givenShop(service)
    const [one, two, three] = [
      await givenMediaRow(shop),
      await givenMediaRow(shop),
      await givenMediaRow(shop),
    ] as const
    const product = await givenProduct(shop, { imageIds: [three.id, two.id, one.id] })
    await deleteMediaRow(shop, two.id)
    const { images } = await read(shop, product.id)
    expect(images.map(({ id }) => id)).toEqual([three.id, one.id])
  })
})
