import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { components } from '../../src/generated/types.ts'
import { recordUnanswered } from '../../src/queries/assistant/unanswered_questions.ts'
import { editable, givenProduct, type Product } from '../kit/catalogue.ts'
import { startService, type TestService } from '../kit/service.ts'
import { brokenIn, chatEvents } from './chats.ts'
import { givenPlace, hidden, shown } from './kept_places.ts'

/* What kept answers rest on beside the product's own texts: other products, and the shop's own words. */

let service: TestService
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service.close())

const asksForSoap = 'Do you have a soap for oily skin?'
const said = 'A gentle soap for oily skin.'

/** A place whose answer quotes another product. */
async function givenQuote(values: Partial<Product> = {}) {
  const place = await givenPlace(service, asksForSoap)
  const other = await givenProduct(place.shop, {
    name: 'Lavender soap',
    description: `Made in Bursa. ${said}`,
    information: '',
    ...(values as object),
  })
  const made = await place.make()
  const answer = made.answers[0]!.answer!
  expect(made.answers[0]!.citations).toEqual([{ productId: other.id, sentence: said }])
  expect(answer).toContain(said)
  expect(await place.told()).toEqual(shown(answer))
  return { ...place, other, answer }
}

type Quote = Awaited<ReturnType<typeof givenQuote>>

const pathOf = ({ shop, other }: Quote) => shop.at(`products/${other.id}`)
const patch = (place: Quote, values: object) =>
  place.shop.api.patch(pathOf(place)).send(values).expect(200)

async function apply({ calls }: Quote, row: object): Promise<string> {
  const set = await calls.post<{ id: string }>('change-sets', { rows: [row] })
  expect(await calls.step(set.id, 'apply')).toMatchObject({ state: 'APPLIED' })
  return set.id
}

describe('a kept answer that quotes another product', () => {
  test.each<[string, (place: Quote) => Promise<unknown>]>([
    ['is deleted', (place) => place.shop.api.delete(pathOf(place)).expect(200)],
    ['is hidden', (place) => patch(place, { status: 'INACTIVE' })],
    ['says something else', (place) => patch(place, { description: 'Made in Bursa.' })],
    ['has another name', (place) => patch(place, { name: 'Lavender bar' })],
    [
      'is replaced',
      (place) =>
        place.shop.api
          .put(pathOf(place))
          .send({ ...editable(place.other), description: 'A gentle soap for oily skins.' })
          .expect(200),
    ],
    [
      'is hidden by a batch',
      (place) =>
        place.calls.write([
          { action: 'patch', id: place.other.id, data: { status: 'INACTIVE' } },
        ] as components['schemas']['ProductRow'][]),
    ],
    [
      'is deleted by a change set',
      (place) => apply(place, { action: 'delete', id: place.other.id }),
    ],
    [
      'says something else after a change set',
      (place) => apply(place, { action: 'patch', id: place.other.id, data: { description: 'X' } }),
    ],
  ])('is old once it %s', async (_how, change) => {
    const place = await givenQuote()
    await change(place)
    expect(await place.told()).toEqual(hidden)
    // Nothing is asked again by itself.
    expect(await place.balance()).toBe(9)
  })

  test.each<[string, object]>([
    ['the stock', { stock: 0 }],
    ['the brand', { brand: 'Ege' }],
    ['what else it says', { description: `${said} Made in Izmir.` }],
    ['the place of the sentence', { description: '', information: said }],
    ['tags', { tagIds: [] }],
  ])('stays when only %s of it changes', async (_what, values) => {
    const place = await givenQuote()
    await patch(place, values)
    expect(await place.told()).toEqual(shown(place.answer))
  })

  test('is old when its own text changes', async () => {
    const place = await givenQuote()
    const { shop, product } = place
    const information = 'Apply in the morning.'
    await shop.api
      .patch(shop.at(`products/${product.id}`))
      .send({ information })
      .expect(200)
    expect(await place.told()).toEqual(hidden)
  })

  test('is shown again, for nothing, when what it quotes is back', async () => {
    const place = await givenQuote()
    await patch(place, { status: 'INACTIVE' })
    expect(await place.told()).toEqual(hidden)
    await patch(place, { status: 'ACTIVE' })
    expect(await place.told()).toEqual(shown(place.answer))
    const set = await apply(place, { action: 'delete', id: place.other.id })
    expect(await place.told()).toEqual(hidden)
    await place.calls.step(set, 'undo')
    expect(await place.told()).toEqual(shown(place.answer))
    await place.shop.api.delete(pathOf(place)).expect(200)
    expect(await place.told()).toEqual(hidden)
    await service
      .dashboard(place.shop.person)
      .post(`/api/workspaces/${place.shop.workspaceId}/products/${place.other.id}/restore`)
      .send({})
      .expect(200)
    expect(await place.told()).toEqual(shown(place.answer))
    expect(await place.balance()).toBe(9)
  })

  test('is made anew once, whoever asks', async () => {
    const place = await givenQuote()
    await patch(place, { description: 'A mild soap for oily skin.' })
    const { workspaceId, person } = place.shop
    const path = `/api/workspaces/${workspaceId}/products/${place.product.id}/kept-answers`
    const answers = await Promise.all(
      [1, 2, 3].map(() => service.dashboard(person).post(path).send({ credits: 1 })),
    )
    expect(answers.map(({ status }) => status).filter((status) => status !== 409)).toContain(200)
    expect(await place.balance()).toBe(8)
    const answer = place.answer.replace(said, 'A mild soap for oily skin.')
    expect(await place.told()).toEqual(shown(answer))
    // There is nothing left to ask.
    await place.make()
    expect(await place.balance()).toBe(8)
    expect(await brokenIn(service)).toEqual([])
  })

  test('is free and unknown when nothing answers any more', async () => {
    const place = await givenQuote()
    await place.shop.api.delete(pathOf(place)).expect(200)
    const { answers, credits } = await place.make()
    expect([answers[0], credits]).toEqual([
      { question: asksForSoap, state: 'UNKNOWN', answer: null, citations: [] },
      0,
    ])
    expect(await place.balance()).toBe(9)
  })

  test('is read as people read it where texts have markup', async () => {
    const description =
      '<p>A <b>gentle</b> soap for oily skin.</p><p>Made in Bursa &amp; Izmir.</p>'
    const place = await givenQuote({ description })
    await patch(place, {
      description: '<p>Made in Bursa.</p><!-- A gentle soap for oily skin. -->',
    })
    expect(await place.told()).toEqual(hidden)
  })

  test('stands with the name of a product of which nothing is quoted', async () => {
    const place = await givenPlace(service, asksForSoap)
    const name = 'Soap for oily skin'
    const other = await givenProduct(place.shop, { name, description: '', information: '' })
    const { answers } = await place.make()
    expect(answers[0]!.citations).toEqual([])
    const answer = answers[0]!.answer!
    expect(answer).toContain(name)
    expect(await place.told()).toEqual(shown(answer))
    await place.shop.api.delete(place.shop.at(`products/${other.id}`)).expect(200)
    expect(await place.told()).toEqual(hidden)
  })
})

describe('a kept answer in the shop’s own words', () => {
  const question = 'Is shipping free?'
  const entry = { question, answer: 'From 50 euros on.' }
  const answer = `“${entry.answer}”`

  async function givenKnowledge() {
    const place = await givenPlace(service, question)
    const write = (entries: object[]) =>
      place.shop.api.put(place.shop.at('shop-knowledge')).send({ entries }).expect(200)
    await write([entry])
    await place.make()
    expect(await place.told()).toEqual(shown(answer))
    return { ...place, write }
  }

  test.each<[string, object[]]>([
    ['changed', [{ question, answer: 'From 90 euros on.' }]],
    ['removed', []],
    ['a part of another', [{ question, answer: 'From 50 euros on. Not to islands.' }]],
  ])('is old once these are %s', async (_how, entries) => {
    const place = await givenKnowledge()
    await place.write(entries)
    expect(await place.told()).toEqual(hidden)
    await place.write([...entries.slice(1), entry])
    expect(await place.told()).toEqual(shown(answer))
    expect(await place.balance()).toBe(9)
  })

  async function givenReply() {
    const place = await givenPlace(service, 'Does it contain zinc?')
    const { workspaceId, api } = place.shop
    const reply = async () => {
      const asked = { workspaceId, productId: place.product.id, message: 'Does it contain zinc?' }
      await service.db.transaction().execute((trx) => recordUnanswered(trx, asked, service.now()))
      const { body } = await api.get(place.shop.at('questions/unanswered')).expect(200)
      const { id } = (body as components['schemas']['UnansweredQuestionList']).questions[0]!
      await api
        .post(place.shop.at(`questions/unanswered/${id}`))
        .send({ answer: 'None.' })
        .expect(200)
      return place.shop.at(`questions/replies/${id}`)
    }
    const path = await reply()
    await place.make()
    const told = shown('Rose balm: “None.”')
    expect(await place.told()).toEqual(told)
    return { ...place, reply, path, whole: told }
  }

  test('is old once the owner’s reply is changed', async () => {
    const place = await givenReply()
    await place.shop.api.put(place.path).send({ answer: 'A little.' }).expect(200)
    expect(await place.told()).toEqual(hidden)
    await place.make()
    expect(await place.told()).toEqual(shown('Rose balm: “A little.”'))
    expect(await place.balance()).toBe(8)
  })

  test('is old once the owner’s reply is deleted, and shown when it is given again', async () => {
    const place = await givenReply()
    await place.shop.api.delete(place.path).expect(200)
    expect(await place.told()).toEqual(hidden)
    await place.reply()
    expect(await place.told()).toEqual(place.whole)
  })
})

describe('a question that is none', () => {
  test.each(['Thank you!', 'Hello', 'Merhaba'])(
    'costs nothing and is not kept: %s',
    async (text) => {
      const place = await givenPlace(service, text)
      const { answers, credits } = await place.make()
      expect([answers, credits]).toEqual([
        [{ question: text, state: 'UNKNOWN', answer: null, citations: [] }],
        0,
      ])
      expect(await place.told()).toEqual({ page: false, agent: null, state: 'UNKNOWN', price: 0 })
      expect(await place.balance()).toBe(10)
      expect(await chatEvents(service, place.shop.workspaceId)).toEqual(['chat.product SUCCESS 0'])
      expect(await brokenIn(service)).toEqual([])
    },
  )
})
