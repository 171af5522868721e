import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { components } from '../../src/generated/types.ts'
import {
  conflict,
  givenProduct,
  givenShop,
  notFound,
  outcomeOf,
  type Shop,
} from '../kit/catalogue.ts'
import { givenMember } from '../every_operation/fixtures.ts'
import { startService, type TestService } from '../kit/service.ts'

type Question = components['schemas']['ProductQuestion']
type QuestionSet = components['schemas']['ProductQuestionSet']

let service: TestService
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service.close())

const texts = (...values: string[]) => ({ questions: values.map((text) => ({ text })) })

const writeLibrary = (shop: Shop, body: object) => shop.api.put(shop.at('questions')).send(body)
const write = (shop: Shop, productId: string, body: object) =>
  shop.api.put(shop.at(`products/${productId}/questions`)).send(body)
const read = async (shop: Shop, productId: string) =>
  (await shop.api.get(shop.at(`products/${productId}/questions`))).body as QuestionSet

async function givenLibrary(shop: Shop, ...values: string[]): Promise<Question[]> {
  const { status, body } = await writeLibrary(shop, texts(...values))
  expect(status).toBe(200)
  return (body as { questions: Question[] }).questions
}

const newQuestion = (text: string) => ({
  id: expect.stringMatching(/^qst_[0-9a-z]{26}$/) as string,
  text,
  createdAt: service.now().toISOString(),
})

describe('get_question_library', () => {
  test('is empty at first', async () => {
    const shop = await givenShop(service)
    const { status, body } = await shop.api.get(shop.at('questions'))
    expect([status, body]).toEqual([200, { questions: [] }])
  })

  test('carries an ETag, and belongs to one workspace', async () => {
    const [shop, other] = [await givenShop(service), await givenShop(service)]
    const questions = await givenLibrary(shop, 'Is it vegan?')
    const { body, headers } = await shop.api.get(shop.at('questions'))
    expect(body).toEqual({ questions })
    const again = shop.api.get(shop.at('questions')).set('If-None-Match', headers.etag!)
    expect((await again).status).toBe(304)
    expect((await other.api.get(other.at('questions'))).body).toEqual({ questions: [] })
  })
})

describe('update_question_library', () => {
  test('stores the questions in order, and keeps given ids and times', async () => {
    const shop = await givenShop(service)
    const [first, second] = await givenLibrary(shop, 'Is it vegan?', 'Ne kadar sürer? 😀')
    expect([first, second]).toEqual([
      newQuestion('Is it vegan?'),
      newQuestion('Ne kadar sürer? 😀'),
    ])
    service.advance(1000)
    const { status, body } = await writeLibrary(shop, {
      questions: [second, { text: 'New?' }, { ...first, text: 'Is it really vegan?' }].map(
        (question) => ({ ...question, createdAt: undefined }),
      ),
    })
    expect(status).toBe(200)
    expect(body).toEqual({
      questions: [second, newQuestion('New?'), { ...first, text: 'Is it really vegan?' }],
    })
    expect((await shop.api.get(shop.at('questions'))).body).toEqual(body)
  })

  test('refuses unknown and duplicate ids, and changes nothing', async () => {
    const [shop, other] = [await givenShop(service), await givenShop(service)]
    const questions = await givenLibrary(shop, 'One?', 'Two?')
    const [foreign] = await givenLibrary(other, 'Three?')
    const { id } = questions[0]!
    const refusalOf = async (...input: object[]) =>
      outcomeOf(await writeLibrary(shop, { questions: input }))
    expect(await refusalOf({ id, text: 'a' }, { id: foreign!.id, text: 'b' })).toEqual([
      400,
      'invalid_input',
      { 'questions.1.id': `There is no question ${foreign!.id} here.` },
    ])
    expect(await refusalOf({ id, text: 'a' }, { text: 'b' }, { id, text: 'c' })).toEqual([
      400,
      'invalid_input',
      { 'questions.2.id': 'This question is listed twice.' },
    ])
    expect((await shop.api.get(shop.at('questions'))).body).toEqual({ questions })
  })

  test.each([
    ['an empty text', { questions: [{ text: '' }] }, 'questions.0.text'],
    ['301 characters', { questions: [{ text: '茶'.repeat(301) }] }, 'questions.0.text'],
    ['an unknown field', { questions: [{ text: 'a', order: 1 }] }, 'questions.0.order'],
    ['no questions', {}, 'questions'],
    ['51 questions', texts(...Array<string>(51).fill('a')), 'questions'],
  ])('refuses %s', async (_what, body, field) => {
    const shop = await givenShop(service)
    const [status, code, fieldErrors] = outcomeOf(await writeLibrary(shop, body))
    expect([status, code, Object.keys(fieldErrors)]).toEqual([400, 'invalid_input', [field]])
  })

  test('accepts 50 questions of 300 characters, and an empty list', async () => {
    const shop = await givenShop(service)
    const text = '😀'.repeat(300)
    expect(await givenLibrary(shop, ...Array<string>(50).fill(text))).toHaveLength(50)
    expect(await givenLibrary(shop)).toEqual([])
  })

  test('with If-Match overwrites only the version that was read', async () => {
    const shop = await givenShop(service)
    const path = shop.at('questions')
    const { etag } = (await shop.api.get(path)).headers
    const put = () => shop.api.put(path).set('If-Match', etag!).send(texts('One?'))
    expect((await put()).status).toBe(200)
    expect((await put()).body).toEqual(conflict)
  })
})

test('questions that were read are written back as they are', async () => {
  const shop = await givenShop(service)
  const { id } = await givenProduct(shop)
  const questions = await givenLibrary(shop, 'Is it vegan?', 'Does it smell?')
  expect(questions[0]).toHaveProperty('createdAt')
  service.advance(1000)
  const back = await shop.api.put(shop.at('questions')).send({ questions })
  expect([back.status, back.body]).toEqual([200, { questions }])
  const own = { questions: [{ text: 'New?', createdAt: 'whenever' }] }
  const written = await shop.api.put(shop.at(`products/${id}/questions`)).send(own)
  const createdAt = service.now().toISOString()
  expect([written.status, written.body.questions]).toMatchObject([200, [{ createdAt }]])
})

describe('get_product_questions', () => {
  test('returns the current library for a product without questions', async () => {
    const shop = await givenShop(service)
    const { id } = await givenProduct(shop)
    expect(await read(shop, id)).toEqual({ questions: [], usesDefaults: true })
    const questions = await givenLibrary(shop, 'Is it vegan?')
    expect(await read(shop, id)).toEqual({ questions, usesDefaults: true })
  })

  test('does not find a product of another workspace', async () => {
    const [shop, other] = [await givenShop(service), await givenShop(service)]
    const { id } = await givenProduct(shop)
    const path = other.at(`products/${id}/questions`)
    for (const call of [
      other.api.get(path),
      other.api.put(path).send(texts('One?')),
      other.api.delete(path),
    ])
      expect((await call).body).toEqual(notFound('product'))
    expect(await read(shop, id)).toEqual({ questions: [], usesDefaults: true })
  })
})

describe('update_product_questions', () => {
  test('gives the product questions that the library no longer affects', async () => {
    const shop = await givenShop(service)
    const [product, other] = [await givenProduct(shop), await givenProduct(shop)]
    const [library] = await givenLibrary(shop, 'Is it vegan?')
    service.advance(1000)
    const { status, body } = await write(shop, product.id, {
      questions: [{ text: 'Own?' }, { id: library!.id, text: 'Vegan?' }],
    })
    expect(status).toBe(200)
    const own = [newQuestion('Own?'), { ...library, text: 'Vegan?' }]
    expect(body).toEqual({ questions: own, usesDefaults: false })
    const defaults = await givenLibrary(shop, 'Another?')
    expect(await read(shop, product.id)).toEqual(body)
    expect(await read(shop, other.id)).toEqual({ questions: defaults, usesDefaults: true })
  })

  test('keeps ids and times, and accepts an empty set', async () => {
    const shop = await givenShop(service)
    const { id } = await givenProduct(shop)
    await givenLibrary(shop, 'Library?')
    const { questions } = (await write(shop, id, texts('One?', 'Two?'))).body as QuestionSet
    service.advance(1000)
    const swapped = questions.toReversed().map((question) => ({ id: question.id, text: 'New' }))
    const { body } = await write(shop, id, { questions: swapped })
    expect(body.questions).toEqual(
      questions.toReversed().map((question) => ({ ...question, text: 'New' })),
    )
    const empty = { questions: [], usesDefaults: false }
    expect((await write(shop, id, { questions: [] })).body).toEqual(empty)
    expect(await read(shop, id)).toEqual(empty)
  })

  test('refuses unknown and repeated ids, and more than 20', async () => {
    const shop = await givenShop(service)
    const [one, two] = [await givenProduct(shop), await givenProduct(shop)]
    const set = (await write(shop, one.id, texts('One?'))).body as QuestionSet
    const { id } = set.questions[0]!
    expect(outcomeOf(await write(shop, two.id, { questions: [{ id, text: 'a' }] }))).toEqual([
      400,
      'invalid_input',
      { 'questions.0.id': `There is no question ${id} here.` },
    ])
    const twice = { questions: [1, 2].map(() => ({ id, text: 'a' })) }
    expect(outcomeOf(await write(shop, one.id, twice))).toEqual([
      400,
      'invalid_input',
      { 'questions.1.id': 'This question is listed twice.' },
    ])
    const many = texts(...Array<string>(21).fill('a'))
    expect(outcomeOf(await write(shop, one.id, many))).toEqual([
      400,
      'invalid_input',
      { questions: 'At most 20 items.' },
    ])
    expect(await read(shop, one.id)).toEqual(set)
    expect((await write(shop, one.id, texts(...Array<string>(20).fill('a')))).status).toBe(200)
  })

  test('with If-Match overwrites only the version that was read, library questions included', async () => {
    const shop = await givenShop(service)
    const { id } = await givenProduct(shop)
    const path = shop.at(`products/${id}/questions`)
    const { etag } = (await shop.api.get(path)).headers
    await givenLibrary(shop, 'New?')
    const stale = shop.api.put(path).set('If-Match', etag!).send(texts('One?'))
    expect((await stale).body).toEqual(conflict)
    expect((await shop.api.delete(path).set('If-Match', etag!)).body).toEqual(conflict)
    const current = (await shop.api.get(path)).headers.etag!
    const fresh = shop.api.put(path).set('If-Match', current).send(texts('One?'))
    expect((await fresh).status).toBe(200)
  })

  test('is open to staff but not to billing', async () => {
    const shop = await givenShop(service)
    const { id } = await givenProduct(shop)
    const workspace = { id: shop.workspaceId } as components['schemas']['Workspace']
    for (const [role, status] of [
      ['staff', 200],
      ['billing', 403],
    ] as const) {
      const person = await service.givenPerson()
      await givenMember({ service, workspace }, person, role)
      const path = shop.at(`products/${id}/questions`)
      expect((await service.dashboard(person).put(path).send(texts('One?'))).status).toBe(status)
    }
  })
})

describe('reset_product_questions', () => {
  test('returns to the library and is idempotent', async () => {
    const shop = await givenShop(service)
    const { id } = await givenProduct(shop)
    const questions = await givenLibrary(shop, 'Is it vegan?')
    await write(shop, id, texts('Own?')).expect(200)
    const path = shop.at(`products/${id}/questions`)
    for (let i = 0; i < 2; i++) {
      const { status, body } = await shop.api.delete(path)
      expect([status, body]).toEqual([200, { questions, usesDefaults: true }])
    }
    expect(await read(shop, id)).toEqual({ questions, usesDefaults: true })
  })
})
