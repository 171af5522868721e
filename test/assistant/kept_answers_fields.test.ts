import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { givenProduct } from '../kit/catalogue.ts'
import { startService, type TestService } from '../kit/service.ts'
import { givenPlace, hidden, shown } from './kept_places.ts'

/* What kept answers say of a product's fields: its stock, its tags and where it is sold. */

let service: TestService
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service.close())

const shopLink = 'https://shop.example/balm'

/** A place whose answer speaks of a field of its product. */
async function givenSaid(question: string, answer: string) {
  const place = await givenPlace(service, question)
  const { shop, product } = place
  const tagNamed = async (name: string) => {
    const { body } = await shop.api.post(shop.at('tags')).send({ name }).expect(200)
    return (body as { id: string }).id
  }
  const vegan = await tagNamed('Vegan')
  const patch = (values: object) =>
    shop.api
      .patch(shop.at(`products/${product.id}`))
      .send(values)
      .expect(200)
  const before = { stock: 3, tagIds: [vegan], sales: [{ name: 'Mall', link: shopLink }] }
  await patch(before)
  await place.make()
  expect(await place.told()).toEqual(shown(answer))
  return { ...place, patch, before, vegan, tagNamed }
}

type Said = Awaited<ReturnType<typeof givenSaid>>

const ofStock = ['Is it in stock?', 'Yes. Rose balm: In stock.'] as const
const ofTag = ['Is it vegan?', 'Yes. Rose balm: Tags: Vegan.'] as const
const ofSale = ['Where can I buy it?', `Rose balm: Sold at: Mall (${shopLink})`] as const
const renamed = (place: Said, name: string) =>
  place.shop.api
    .put(place.shop.at(`tags/${place.vegan}`))
    .send({ name })
    .expect(200)

describe('a kept answer that says a field', () => {
  test.each<[string, readonly [string, string], (place: Said) => Promise<unknown>]>([
    ['it is sold out', ofStock, ({ patch }) => patch({ stock: 0 })],
    ['the tag is taken off', ofTag, ({ patch }) => patch({ tagIds: [] })],
    ['the tag has another name', ofTag, (place) => renamed(place, 'Organic')],
    ['it is sold elsewhere', ofSale, ({ patch }) => patch({ sales: [] })],
    [
      'its place of sale has another name',
      ofSale,
      ({ patch }) => patch({ sales: [{ name: 'Bazaar', link: shopLink }] }),
    ],
  ])('is old once %s, and shown again, for nothing, when it is so', async (_, said, change) => {
    const place = await givenSaid(...said)
    await change(place)
    expect(await place.told()).toEqual(hidden)
    await renamed(place, 'Vegan')
    await place.patch(place.before)
    expect(await place.told()).toEqual(shown(said[1]))
    expect(await place.balance()).toBe(9)
  })

  test.each<[string, readonly [string, string], object]>([
    ['another number is in stock', ofStock, { stock: 1, tagIds: [], sales: [] }],
    ['only other fields change', ofTag, { stock: 0, sales: [] }],
    ['only the stock and tags change', ofSale, { stock: 0, tagIds: [] }],
  ])('stays when %s', async (_, said, values) => {
    const place = await givenSaid(...said)
    await place.patch(values)
    expect(await place.told()).toEqual(shown(said[1]))
  })

  test('is made anew of what is so now, once', async () => {
    const place = await givenSaid(...ofStock)
    await place.patch({ stock: 0 })
    const { answers } = await place.make()
    expect(answers).toEqual([
      {
        question: ofStock[0],
        state: 'CURRENT',
        answer: 'No. Rose balm: Out of stock.',
        citations: [],
      },
    ])
    await place.make()
    expect(await place.balance()).toBe(8)
  })
})

test('a question without an answer is asked again once its product has another tag', async () => {
  const place = await givenPlace(service, ofTag[0])
  const { shop, product } = place
  const tagNamed = async (name: string) => {
    const { body } = await shop.api.post(shop.at('tags')).send({ name }).expect(200)
    return (body as { id: string }).id
  }
  const [gift, vegan] = [await tagNamed('Gift'), await tagNamed('Vegan')]
  const tagWith = (tagIds: string[]) =>
    shop.api
      .patch(shop.at(`products/${product.id}`))
      .send({ tagIds })
      .expect(200)
  const unknown = { page: false, agent: null, state: 'UNKNOWN', price: 0 }
  await tagWith([gift])
  await place.make()
  expect(await place.told()).toEqual(unknown)
  await tagWith([])
  expect(await place.told()).toEqual(unknown)
  await tagWith([gift, vegan])
  expect(await place.told()).toEqual(hidden)
  await place.make()
  expect(await place.told()).toEqual(shown(ofTag[1]))
})

test('a kept answer that says no field rests on none', async () => {
  const place = await givenPlace(service, 'Do you have a soap for oily skin?')
  const { shop } = place
  const soap = await givenProduct(shop, {
    name: 'Vegan soap',
    description: 'A gentle soap for oily skin, always in stock.',
    information: '',
    stock: 3,
  })
  const { answers } = await place.make()
  await shop.api
    .patch(shop.at(`products/${soap.id}`))
    .send({ stock: 0 })
    .expect(200)
  await shop.api
    .patch(shop.at(`products/${place.product.id}`))
    .send({ stock: 0 })
    .expect(200)
  expect(await place.told()).toEqual(shown(answers[0]!.answer!))
})
