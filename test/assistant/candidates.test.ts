import { afterAll, beforeAll, expect, test } from 'vitest'
import type { components } from '../../src/generated/types.ts'
import { listCandidates } from '../../src/queries/catalogue/search/candidates.ts'
import { listPublishedProducts } from '../../src/queries/catalogue/search/catalogue_search.ts'
import { givenProduct } from '../kit/catalogue.ts'
import { startService, type TestService } from '../kit/service.ts'
import { type ChatPlace, givenChats } from './chats.ts'

type Schemas = components['schemas']

let service: TestService
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service.close())

async function named(place: ChatPlace): Promise<string[]> {
  const message = 'Do you have a zorblat?'
  const { body } = await place.ask(place.guest(), { message }).expect(200)
  return (body as Schemas['ProductChatAnswer']).products.map(({ id }) => id)
}

test('what was looked up is remembered no longer than the catalogue stays as it is', async () => {
  const place = await givenChats(service)
  expect(await named(place)).toEqual([])
  const { id } = await givenProduct(place, { name: 'Zorblat balm' })
  expect(await named(place)).toEqual([id])
  expect(await named(place)).toEqual([id])
  const path = place.at(`products/${id}`)
  await place.api.patch(path).send({ status: 'INACTIVE' }).expect(200)
  expect(await named(place)).toEqual([])
  await place.api.patch(path).send({ status: 'ACTIVE', name: 'Quiddle balm' }).expect(200)
  expect(await named(place)).toEqual([])
})

test('a query is read once for a version of the catalogue, and for each workspace', async () => {
  const [place, other] = [await givenChats(service), await givenChats(service)]
  const { id } = await givenProduct(place, { name: 'Zorblat balm' })
  const { db } = service
  const at = { workspaceId: place.workspaceId, changes: 7 }
  const queries = ["'zorblat'", "'balm'", "'zorblat'"]
  const first = await listCandidates(db, at, queries, 10)
  expect(first[0]).toEqual([id])
  const again = await listCandidates(db, at, queries, 10)
  expect(again.map((candidates, index) => candidates === first[index])).toEqual([true, true, true])
  expect(first[2]).toBe(first[0])
  const elsewhere = { workspaceId: other.workspaceId, changes: 7 }
  expect(await listCandidates(db, elsewhere, ["'zorblat'"], 10)).toEqual([[]])
})

test('a product that reads as before is the same object, and another one after every change', async () => {
  const place = await givenChats(service)
  const { id } = await givenProduct(place, { name: 'Zorblat balm', stock: 3 })
  const tag = await place.api.post(place.at('tags')).send({ name: 'Vegan' }).expect(200)
  const read = async () =>
    (await listPublishedProducts(service.db, place.workspaceId, [id], 1000))[0]!
  const sales = [{ name: 'Shop', link: 'https://shop.example/balm' }]
  const changes = [{ description: 'Soft.' }, { stock: 4 }, { tagIds: [tag.body.id] }, { sales }]
  for (const change of changes) {
    const before = await read()
    expect(await read()).toBe(before)
    await place.api
      .patch(place.at(`products/${id}`))
      .send(change)
      .expect(200)
    expect(await read()).not.toEqual(before)
  }
  expect(await read()).toMatchObject({ description: 'Soft.', stock: 4, tags: ['Vegan'], sales })
})
