import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { components } from '../../src/generated/types.ts'
import { conflict, givenProduct, outcomeOf } from '../kit/catalogue.ts'
import { startService, type TestService } from '../kit/service.ts'
import { type ChatPlace, givenChats } from './chats.ts'

type Schemas = components['schemas']

let service: TestService
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service.close())

const put = (place: ChatPlace, ...groups: string[][]) =>
  place.api.put(place.at('synonyms')).send({ groups: groups.map((words) => ({ words })) })

async function answered(place: ChatPlace, message: string): Promise<string> {
  const { body } = await place.ask(place.guest(), { message }).expect(200)
  return (body as { response: string }).response
}

async function found(place: ChatPlace, search: string): Promise<string[]> {
  const { body } = await place.api.get(place.at('products')).query({ search }).expect(200)
  return (body as Schemas['ProductList']).products.map(({ id }) => id)
}

async function givenText(information: string): Promise<ChatPlace> {
  const place = await givenChats(service)
  const path = place.at(`products/${place.product.id}`)
  await place.api.patch(path).send({ information }).expect(200)
  return place
}

describe('get_synonyms', () => {
  test('has no groups at first, and an ETag', async () => {
    const place = await givenChats(service)
    const { body, headers } = await place.api.get(place.at('synonyms')).expect(200)
    expect(body).toEqual({ groups: [] })
    await place.api.get(place.at('synonyms')).set('If-None-Match', headers.etag!).expect(304)
  })
})

describe('update_synonyms', () => {
  test('lets search and chats take a word for the others of its group', async () => {
    const place = await givenText('Kept in a zorblat tin.')
    expect(await found(place, 'frumple')).toEqual([])
    expect(await answered(place, 'Is there a frumple?')).toContain('could not find')
    const { body } = await put(place, ['frumple', 'Zorblat']).expect(200)
    expect(body).toEqual({ groups: [{ words: ['frumple', 'Zorblat'] }] })
    expect(await found(place, 'frumple')).toEqual([place.product.id])
    expect(await answered(place, 'Is there a frumple?')).toContain('“Kept in a zorblat tin.”')
    await put(place).expect(200)
    expect(await found(place, 'frumple')).toEqual([])
  })

  test('takes a phrase for a word, and a word for a phrase', async () => {
    const place = await givenText('Comes with a zorblat brush.')
    await put(place, ['quiddle', 'zorblat brush'], ['blim blam', 'zorblat']).expect(200)
    expect(await found(place, 'quiddle')).toEqual([place.product.id])
    expect(await found(place, 'blim blam')).toEqual([place.product.id])
    expect(await found(place, 'blim')).toEqual([])
    expect(await answered(place, 'Any quiddle?')).toContain('“Comes with a zorblat brush.”')
  })

  test('leaves out of routines what a visitor cannot have, by the shop’s word for it', async () => {
    const place = await givenText('With zorblat extract.')
    const other = await givenProduct(place, { name: 'Plain balm', information: 'Apply daily.' })
    const ask = {
      message: 'A routine without frumple',
      userSelectedRoutineProducts: [place.product.id, other.id],
      allowAiSuggestions: false,
    }
    const steps = async () => {
      const { body } = await place.ask(place.guest(), ask, 'routine').expect(200)
      return (body as Schemas['RoutineChatAnswer']).steps.map(({ productId }) => productId)
    }
    expect((await steps()).sort()).toEqual([place.product.id, other.id].sort())
    await put(place, ['frumple', 'zorblat']).expect(200)
    expect(await steps()).toEqual([other.id])
  })

  test('is of one workspace', async () => {
    const [place, other] = [await givenText('A zorblat.'), await givenText('A zorblat.')]
    await put(place, ['frumple', 'zorblat']).expect(200)
    expect(await found(other, 'frumple')).toEqual([])
  })

  test('refuses a group of one word, too many words and a stale tag', async () => {
    const place = await givenChats(service)
    const { headers } = await place.api.get(place.at('synonyms')).expect(200)
    expect(outcomeOf(await put(place, ['alone']))).toEqual([
      400,
      'invalid_input',
      { 'groups.0.words': 'At least 2 items.' },
    ])
    const many = Array.from({ length: 11 }, (_, index) => `word${index}`)
    expect(outcomeOf(await put(place, many))).toEqual([
      400,
      'invalid_input',
      { 'groups.0.words': 'At most 10 items.' },
    ])
    await put(place, ['tin', 'box']).expect(200)
    const stale = await put(place, ['tin', 'can']).set('If-Match', headers.etag!)
    expect(stale.body).toEqual(conflict)
  })
})
