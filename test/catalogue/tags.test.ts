import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { components } from '../../src/generated/types.ts'
import {
  conflict,
  givenCollection,
  givenProduct,
  givenShop,
  givenTag,
  notFound,
  outcomeOf,
  type Shop,
  type Tag,
} from '../kit/catalogue.ts'
import { startService, type TestService } from '../kit/service.ts'

type TagList = components['schemas']['TagList']

let service: TestService
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service.close())

async function list(shop: Shop, query: Record<string, string> = {}): Promise<TagList> {
  const answer = await shop.api.get(shop.at('tags')).query(query)
  expect(answer.status).toBe(200)
  return answer.body as TagList
}

describe('create_tag', () => {
  test('returns exactly the declared fields, and names may repeat', async () => {
    const shop = await givenShop(service)
    const { status, body } = await shop.api.post(shop.at('tags')).send({ name: 'Yeni Ürün 😀' })
    expect(status).toBe(200)
    expect(body).toEqual({
      id: expect.stringMatching(/^tag_[0-9a-z]{26}$/),
      name: 'Yeni Ürün 😀',
    })
    expect((await shop.api.get(shop.at(`tags/${body.id}`))).body).toEqual(body)
    const again = await givenTag(shop, 'Yeni Ürün 😀')
    expect(again.id).not.toBe(body.id)
  })

  test.each([
    ['no name', {}, { name: 'Required.' }],
    ['an empty name', { name: '' }, { name: 'Must not be empty.' }],
    ['161 characters', { name: '茶'.repeat(161) }, { name: 'At most 160 characters.' }],
    ['an unknown field', { name: 'n', slug: 's' }, { slug: 'Unknown field; known are name.' }],
  ])('refuses %s', async (_what, body, fieldErrors) => {
    const shop = await givenShop(service)
    const answer = await shop.api.post(shop.at('tags')).send(body)
    expect(outcomeOf(answer)).toEqual([400, 'invalid_input', fieldErrors])
  })

  test('accepts 160 four-byte characters', async () => {
    const shop = await givenShop(service)
    const name = '😀'.repeat(160)
    expect((await givenTag(shop, name)).name).toBe(name)
  })
})

describe('get_tag', () => {
  test('carries an ETag, and does not find a tag of another workspace', async () => {
    const [shop, other] = [await givenShop(service), await givenShop(service)]
    const { id } = await givenTag(shop)
    const { etag } = (await shop.api.get(shop.at(`tags/${id}`))).headers
    const again = await shop.api.get(shop.at(`tags/${id}`)).set('If-None-Match', etag!)
    expect(again.status).toBe(304)
    expect((await other.api.get(other.at(`tags/${id}`))).body).toEqual(notFound('tag'))
  })
})

describe('update_tag', () => {
  test('renames the tag everywhere', async () => {
    const shop = await givenShop(service)
    const { id } = await givenTag(shop, 'Before')
    const product = await givenProduct(shop, { tagIds: [id] })
    const collection = await givenCollection(shop, { tagIds: [id] })
    const { status, body } = await shop.api.put(shop.at(`tags/${id}`)).send({ name: 'After' })
    expect([status, body]).toEqual([200, { id, name: 'After' }])
    for (const path of [`products/${product.id}`, `collections/${collection.id}`])
      expect((await shop.api.get(shop.at(path))).body.tags).toEqual([{ id, name: 'After' }])
    expect((await list(shop, { search: 'after' })).tags).toEqual([body])
    expect((await list(shop, { search: 'before' })).tags).toEqual([])
  })

  test('with If-Match overwrites only the version that was read', async () => {
    const shop = await givenShop(service)
    const { id } = await givenTag(shop)
    const path = shop.at(`tags/${id}`)
    const etag = (await shop.api.get(path)).headers.etag!
    const put = () => shop.api.put(path).set('If-Match', etag).send({ name: 'Another' })
    expect((await put()).status).toBe(200)
    expect((await put()).body).toEqual(conflict)
    expect((await shop.api.delete(path).set('If-Match', etag)).body).toEqual(conflict)
  })

  test('does not find tags of another workspace', async () => {
    const [shop, other] = [await givenShop(service), await givenShop(service)]
    const tag = await givenTag(shop)
    const path = other.at(`tags/${tag.id}`)
    expect((await other.api.put(path).send({ name: 'x' })).body).toEqual(notFound('tag'))
    expect((await other.api.delete(path)).body).toEqual(notFound('tag'))
    expect((await shop.api.get(shop.at(`tags/${tag.id}`))).body).toEqual(tag)
  })
})

describe('delete_tag', () => {
  test('removes the tag from products and collections, the others staying in order', async () => {
    const shop = await givenShop(service)
    const tags = [await givenTag(shop), await givenTag(shop), await givenTag(shop)].reverse()
    const [one, two, three] = tags as [Tag, Tag, Tag]
    const tagIds = tags.map(({ id }) => id)
    const product = await givenProduct(shop, { tagIds })
    const collection = await givenCollection(shop, { tagIds })
    const path = shop.at(`tags/${two.id}`)
    const { status, body } = await shop.api.delete(path)
    expect([status, body]).toEqual([200, { id: two.id, deleted: true }])
    for (const at of [`products/${product.id}`, `collections/${collection.id}`])
      expect((await shop.api.get(shop.at(at))).body.tags).toEqual([one, three])
    expect((await shop.api.get(path)).body).toEqual(notFound('tag'))
    expect((await shop.api.delete(path)).body).toEqual(notFound('tag'))
    expect((await list(shop)).pagination.total).toBe(2)
    expect((await shop.api.get(shop.at(`products?tagId=${two.id}`))).body.products).toEqual([])
  })
})

describe('list_tags', () => {
  test('pages through the tags by name, then id', async () => {
    const shop = await givenShop(service)
    const tags: Tag[] = []
    for (const name of ['soap', 'amber', 'rose', 'amber', 'clay', 'amber', 'rose'])
      tags.push(await givenTag(shop, name))
    const expected = tags.toSorted((a, b) => (`${a.name} ${a.id}` < `${b.name} ${b.id}` ? -1 : 1))
    expect((await list(shop)).tags).toEqual(expected)
    const pages: Tag[] = []
    for (const page of ['1', '2', '3', '4'])
      pages.push(...(await list(shop, { page, pageSize: '2' })).tags)
    expect(pages).toEqual(expected)
    expect(await list(shop, { page: '5', pageSize: '2' })).toEqual({
      tags: [],
      pagination: {
        page: 5,
        limit: 2,
        total: 7,
        totalPages: 4,
        hasNextPage: false,
        hasPreviousPage: true,
      },
    })
  })

  test('searches names in any case and script, with % and _ literal', async () => {
    const shop = await givenShop(service)
    const names = ['100% Doğal', 'DİKEN', 'snake_case', 'back\\slash', 'Зелень', '茶']
    for (const name of names) await givenTag(shop, name)
    for (const [search, match] of [
      ['%', '100% Doğal'],
      ['_', 'snake_case'],
      ['\\', 'back\\slash'],
      ['DOĞAL', '100% Doğal'],
      ['diken', 'DİKEN'],
      ['ЗЕЛ', 'Зелень'],
      ['茶', '茶'],
    ] as const) {
      const { tags, pagination } = await list(shop, { search })
      expect([tags.map(({ name }) => name), pagination.total]).toEqual([[match], 1])
    }
    expect((await list(shop, { search: 'e', pageSize: '1', page: '2' })).pagination.total).toBe(2)
  })
})
