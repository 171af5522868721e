import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newId } from '../../src/core/ids.ts'
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
  type Product,
  productBody,
  type ProductWrite,
  type Shop,
  type Tag,
  taken,
} from '../kit/catalogue.ts'
import { startService, type TestService, unique } from '../kit/service.ts'

let service: TestService
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service.close())

const create = (shop: Shop, body: object) => shop.api.post(shop.at('products')).send(body)
const update = (shop: Shop, id: string, body: object) =>
  shop.api.put(shop.at(`products/${id}`)).send(body)
const read = async (shop: Shop, id: string) =>
  (await shop.api.get(shop.at(`products/${id}`))).body as Product
const summaryOf = async (shop: Shop) =>
  ((await shop.api.get(shop.at('products'))).body as { summary: object }).summary

/** More tags than a product may have, made without a request for each. */
async function givenTagRows({ workspaceId }: Shop, count: number): Promise<Tag[]> {
  const tags = Array.from({ length: count }, (_, index) => ({
    id: newId('tag'),
    name: `tag ${index}`,
  }))
  const times = { created_at: service.now(), updated_at: service.now() }
  await service.db
    .insertInto('tags')
    .values(tags.map((tag) => ({ ...tag, workspace_id: workspaceId, search: tag.name, ...times })))
    .execute()
  return tags
}

describe('create_product', () => {
  test('answers the closed object, images and tags in the order they were given', async () => {
    const shop = await givenShop(service)
    const images = [await givenMediaRow(shop), await givenMediaRow(shop)].reverse()
    const tags = [await givenTag(shop), await givenTag(shop)].reverse()
    const sales = [
      { name: 'Second shop', link: 'https://b.example/2?x=1' },
      { name: 'First shop', link: 'http://a.example' },
    ]
    const given = productBody({ sales, stock: 0, status: 'INACTIVE', information: 'I 😀' })
    const { imageIds, tagIds, ...values } = {
      ...given,
      imageIds: images.map(({ id }) => id),
      tagIds: tags.map(({ id }) => id),
    }
    const { status, body } = await create(shop, { ...values, imageIds, tagIds })
    expect(status).toBe(200)
    expect(body).toEqual({
      ...values,
      id: expect.stringMatching(/^prod_[0-9a-z]{26}$/),
      slug: given.name,
      images: images.map((image) => ({ ...image, usageCount: 1 })),
      tags,
      createdAt: service.now().toISOString(),
      updatedAt: service.now().toISOString(),
    })
    expect(await read(shop, body.id)).toEqual(body)
  })

  test('fills in what has a default and nothing else', async () => {
    const shop = await givenShop(service)
    const { description, imageIds, tagIds, sales, ...required } = productBody()
    expect([description, imageIds, tagIds, sales]).toHaveLength(4)
    const { status, body } = await create(shop, required)
    expect(status).toBe(200)
    expect(body).toMatchObject({ ...required, description: '', images: [], tags: [], sales: [] })
    const fields = ['name', 'brand', 'sku', 'barcode', 'stock', 'status', 'information']
    const missing = Object.fromEntries(fields.map((field) => [field, 'Required.']))
    expect(outcomeOf(await create(shop, {}))).toEqual([400, 'invalid_input', missing])
  })

  test.each([
    ['a field of the answer', { slug: 'mine' }, 'slug'],
    ['a stock of a million', { stock: 1_000_000 }, 'stock'],
    ['a negative stock', { stock: -1 }, 'stock'],
    ['half a piece', { stock: 0.5 }, 'stock'],
    ['an unknown status', { status: 'DRAFT' }, 'status'],
    ['an empty name', { name: '' }, 'name'],
    ['a link that is no web address', { sales: [{ name: 'x', link: 'ftp://x' }] }, 'sales.0.link'],
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

  test('takes every text at its limit, in characters of four bytes', async () => {
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

  test('refuses images and tags of nobody and of another workspace, and writes nothing', async () => {
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
      fieldErrors: taken,
    })
    const two = productBody({ sku, barcode })
    const fieldErrors = { sku: taken.sku, barcode: taken.barcode }
    expect(outcomeOf(await create(shop, two))).toEqual([409, 'duplicate', fieldErrors])
    const { id } = await givenProduct(shop)
    expect(outcomeOf(await update(shop, id, two))).toEqual([409, 'duplicate', fieldErrors])
    const three = productBody({ name, sku, barcode })
    expect(outcomeOf(await update(shop, id, three))).toEqual([409, 'duplicate', taken])
  })

  test('names fields that collide with different products', async () => {
    const shop = await givenShop(service)
    const { name } = await givenProduct(shop)
    const { barcode } = await givenProduct(shop)
    expect(outcomeOf(await create(shop, productBody({ name, barcode })))).toEqual([
      409,
      'duplicate',
      { name: taken.name, barcode: taken.barcode },
    ])
  })

  test.each([
    ['case', 'Rose Oil', 'ROSE oil'],
    ['spaces', 'Rose Oil', '  Rose\u00a0 \tOil '],
    ['full width', 'Rose Oil 5', 'Ｒｏｓｅ　Ｏｉｌ　５'],
    ['sharp s', 'Große Straße', 'GROSSE STRASSE'],
    ['Turkish i', 'İLIK', 'ilık'],
    ['composition', 'Caf\u00e9', 'CAFE\u0301'],
  ])('does not count %s', async (_what, value, same) => {
    const shop = await givenShop(service)
    await givenProduct(shop, { name: value, sku: value, barcode: value })
    const again = productBody({ name: same, sku: same, barcode: same })
    expect(outcomeOf(await create(shop, again))).toEqual([409, 'duplicate', taken])
  })

  test('is a matter of one field, and lets a product keep its own values', async () => {
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

  test('holds within a workspace: another one may have the same values', async () => {
    const body = productBody()
    const first = await givenProduct(await givenShop(service), body)
    const second = await givenProduct(await givenShop(service), body)
    expect(second).toMatchObject({ name: first.name, sku: first.sku, barcode: first.barcode })
    expect(first.slug).toBe(body.name)
    expect(second.slug).toBe(`${body.name}-${second.id.slice(-8)}`)
  })

  test('leaves deleted products out, and a restored one collides', async () => {
    const shop = await givenShop(service)
    const old = await givenProduct(shop)
    const values = editable(old)
    await update(shop, old.id, { ...values, status: 'DELETED' }).expect(200)
    const next = await givenProduct(shop, values)
    for (const status of ['ACTIVE', 'INACTIVE'] as const)
      expect(outcomeOf(await update(shop, old.id, { ...values, status }))).toEqual([
        409,
        'duplicate',
        taken,
      ])
    expect((await read(shop, old.id)).status).toBe('DELETED')
    await shop.api.delete(shop.at(`products/${next.id}`)).expect(200)
    expect((await update(shop, old.id, values)).body.status).toBe('ACTIVE')
  })

  test('lets a product be created as deleted beside one with its values', async () => {
    const shop = await givenShop(service)
    const { name, sku, barcode } = await givenProduct(shop)
    const answer = await create(shop, productBody({ name, sku, barcode, status: 'DELETED' }))
    expect(answer.status).toBe(200)
    expect(answer.body).toMatchObject({ name, sku, barcode, status: 'DELETED' })
  })

  test('lets a deleted product be edited although another one has its values', async () => {
    const shop = await givenShop(service)
    const old = await givenProduct(shop)
    const deleted: ProductWrite = { ...editable(old), status: 'DELETED' }
    await update(shop, old.id, deleted).expect(200)
    await givenProduct(shop, editable(old))
    const { status, body } = await update(shop, old.id, { ...deleted, brand: 'Another' })
    expect([status, body.brand]).toEqual([200, 'Another'])
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

  test('have a fallback, a suffix where they are taken, and stay after a rename', async () => {
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

  test('have at most 120 characters, with their suffix too', async () => {
    const shop = await givenShop(service)
    const name = `${unique('long')} ${'b'.repeat(300)}`
    const first = await givenProduct(shop, { name })
    const second = await givenProduct(await givenShop(service), { name })
    expect([first.slug.length, second.slug.length]).toEqual([120, 120])
    expect(second.slug).toBe(`${first.slug.slice(0, 111)}-${second.id.slice(-8)}`)
  })
})

describe('get_product', () => {
  test('carries an ETag, and is 304 until something of it changes', async () => {
    const shop = await givenShop(service)
    const product = await givenProduct(shop)
    const path = shop.at(`products/${product.id}`)
    const etag = (await shop.api.get(path)).headers.etag!
    expect((await shop.api.get(path).set('If-None-Match', etag)).status).toBe(304)
    const tag = await givenTag(shop)
    await shop.api.post(`${path}/tags/${tag.id}`).expect(200)
    const changed = await shop.api.get(path).set('If-None-Match', etag)
    expect(changed.status).toBe(200)
    expect(changed.headers.etag).not.toBe(etag)
  })

  test('shows a product of any status, and none of another workspace', async () => {
    const shop = await givenShop(service)
    const { id } = await givenProduct(shop, { status: 'DELETED' })
    expect((await read(shop, id)).status).toBe('DELETED')
    const other = await givenShop(service)
    expect((await other.api.get(other.at(`products/${id}`))).body).toEqual(notFound('product'))
  })
})

describe('update_product', () => {
  test('replaces every value, images and tags too', async () => {
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

  test('needs every field and names each that is missing', async () => {
    const shop = await givenShop(service)
    const tag = await givenTag(shop)
    const product = await givenProduct(shop, { tagIds: [tag.id] })
    const missing = Object.fromEntries(
      Object.keys(productBody()).map((field) => [field, 'Required.']),
    )
    expect(Object.keys(missing)).toHaveLength(11)
    expect(outcomeOf(await update(shop, product.id, {}))).toEqual([400, 'invalid_input', missing])
    for (const field of Object.keys(missing)) {
      const { [field]: left, ...body } = editable(product) as Record<string, unknown>
      expect(left).toBeDefined()
      const answer = await update(shop, product.id, body)
      expect(outcomeOf(answer)).toEqual([400, 'invalid_input', { [field]: 'Required.' }])
    }
    expect(await read(shop, product.id)).toEqual(product)
  })

  test('refuses foreign ids and ids given twice, and changes nothing', async () => {
    const [shop, other] = [await givenShop(service), await givenShop(service)]
    const [image, tag] = [await givenMediaRow(other), await givenTag(other)]
    const own = await givenMediaRow(shop)
    const product = await givenProduct(shop, { imageIds: [own.id] })
    for (const [field, id] of [
      ['imageIds', image.id],
      ['tagIds', tag.id],
    ] as const) {
      const refused = { [field]: `There is no ${id} in this workspace.` }
      const foreign = await update(shop, product.id, { ...productBody(), [field]: [id] })
      expect(outcomeOf(foreign)).toEqual([400, 'invalid_input', refused])
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

  test('with If-Match writes only over what was read', async () => {
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
  test('is permanent and takes the product out of everything', async () => {
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
    const left = (await shop.api.get(shop.at(`collections/${collection.id}`))).body
    expect([left.productIds, left.products]).toEqual([[], []])
    const [media] = await service.db
      .selectFrom('media')
      .select('usage_count')
      .where('id', '=', image.id)
      .execute()
    expect(media).toEqual({ usage_count: 0 })
    expect(await summaryOf(shop)).toEqual({ total: 0, active: 0, inactive: 0, outOfStock: 0 })
    await givenProduct(shop, { ...editable(product), imageIds: [], tagIds: [] })
  })

  test('does not reach into another workspace', async () => {
    const [shop, other] = [await givenShop(service), await givenShop(service)]
    const product = await givenProduct(shop)
    const answer = await other.api.delete(other.at(`products/${product.id}`))
    expect(answer.body).toEqual(notFound('product'))
    expect(await read(shop, product.id)).toEqual(product)
  })
})

describe('add_product_tag', () => {
  test('puts the tag last, and a second time changes nothing', async () => {
    const shop = await givenShop(service)
    const [zebra, ape] = [await givenTag(shop, 'zebra'), await givenTag(shop, 'ape')]
    const product = await givenProduct(shop, { tagIds: [zebra.id] })
    service.advance(1000)
    const path = shop.at(`products/${product.id}/tags/${ape.id}`)
    const { status, body } = await shop.api.post(path)
    const updatedAt = service.now().toISOString()
    expect(status).toBe(200)
    expect(body).toEqual({ ...product, tags: [zebra, ape], updatedAt })
    service.advance(1000)
    expect((await shop.api.post(path)).body).toEqual(body)
  })

  test('stops at 100 tags', async () => {
    const shop = await givenShop(service)
    const tags = await givenTagRows(shop, 101)
    const tagIds = tags.slice(0, 100).map(({ id }) => id)
    const product = await givenProduct(shop, { tagIds })
    expect(product.tags).toEqual(tags.slice(0, 100))
    const path = shop.at(`products/${product.id}/tags`)
    expect(outcomeOf(await shop.api.post(`${path}/${tags[100]!.id}`))).toEqual([
      400,
      'invalid_input',
      { tagId: 'A product has at most 100 tags.' },
    ])
    expect((await shop.api.post(`${path}/${tagIds[0]!}`)).body).toEqual(product)
    expect(await read(shop, product.id)).toEqual(product)
  })

  test('knows neither foreign tags nor foreign products', async () => {
    const [shop, other] = [await givenShop(service), await givenShop(service)]
    const [product, tag] = [await givenProduct(shop), await givenTag(shop)]
    const [foreignProduct, foreignTag] = [await givenProduct(other), await givenTag(other)]
    for (const method of ['post', 'delete'] as const) {
      const send = (id: string, tagId: string) =>
        shop.api[method](shop.at(`products/${id}/tags/${tagId}`))
      expect((await send(product.id, foreignTag.id)).body).toEqual(notFound('tag'))
      expect((await send(foreignProduct.id, tag.id)).body).toEqual(notFound('product'))
    }
  })
})

describe('remove_product_tag', () => {
  test('takes the tag off, and a second time changes nothing', async () => {
    const shop = await givenShop(service)
    const [one, two, three] = [
      await givenTag(shop),
      await givenTag(shop),
      await givenTag(shop),
    ] as const
    const product = await givenProduct(shop, { tagIds: [one.id, two.id, three.id] })
    service.advance(1000)
    const path = shop.at(`products/${product.id}/tags/${two.id}`)
    const { status, body } = await shop.api.delete(path)
    const updatedAt = service.now().toISOString()
    expect(status).toBe(200)
    expect(body).toEqual({ ...product, tags: [one, three], updatedAt })
    service.advance(1000)
    expect((await shop.api.delete(path)).body).toEqual(body)
    expect((await shop.api.post(path)).body.tags).toEqual([one, three, two])
  })
})

describe('the images of a product', () => {
  test('leave it when they are deleted, the others in their order', async () => {
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
