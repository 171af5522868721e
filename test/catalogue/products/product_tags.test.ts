import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newId } from '../../../src/core/ids.ts'
import {
  givenProduct,
  givenShop,
  givenTag,
  notFound,
  outcomeOf,
  type Shop,
  type Tag,
} from '../../kit/catalogue.ts'
import { startService, type TestService } from '../../kit/service.ts'
import { read } from './product_calls.ts'

let service: TestService
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service.close())

/** More tags than a product may have, inserted directly. */
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

describe('add_product_tag', () => {
  test('appends the tag and is idempotent', async () => {
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

  test('does not find tags or products of another workspace', async () => {
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
  test('removes the tag and is idempotent', async () => {
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
