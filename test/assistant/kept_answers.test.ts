import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { components } from '../../src/generated/types.ts'
import { addressOf } from '../../src/site/address.ts'
import { drawPage } from '../../src/site/draw.tsx'
import { findSiteAt } from '../../src/site/hosts.ts'
import { loadShop } from '../../src/site/shop.ts'
import type { Transaction } from 'kysely'
import type { Database } from '../../src/db/schema.ts'
import {
  beginKeptAnswer,
  finishKeptAnswer,
  giveUpKeptAnswer,
} from '../../src/queries/assistant/kept_answers.ts'
import { getAnswerBasis } from '../../src/queries/assistant/stored_answers.ts'
import { startService, type TestService } from '../kit/service.ts'
import { write } from '../kit/wallets.ts'
import { brokenIn, type ChatPlace, drySkin, givenChats } from './chats.ts'

let service: TestService
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service.close())

type Kept = components['schemas']['KeptAnswers']

const mars = 'Is it made on Mars?'
const evening = 'Do I apply it to clean skin?'

/** A place whose product has these questions, and its kept answers. */
async function givenQuestions(texts: string[], credits = 100) {
  const place = await givenChats(service, credits)
  const ask = async (asked: string[]) => {
    const questions = asked.map((text) => ({ text }))
    const path = place.at(`products/${place.product.id}/questions`)
    await place.api.put(path).send({ questions }).expect(200)
  }
  await ask(texts)
  const owner = service.dashboard(place.person)
  const path = `/api/workspaces/${place.workspaceId}/products/${place.product.id}/kept-answers`
  return {
    place,
    ask,
    kept: async () => (await owner.get(path).expect(200)).body as Kept,
    make: (price: number) => owner.post(path).send({ credits: price }),
    remove: () => owner.delete(path),
  }
}

const statesOf = ({ answers }: Kept) => answers.map(({ question, state }) => [question, state])

async function pageOf({ workspaceId, product }: ChatPlace): Promise<string> {
  const { sub_domain: name } = await service.db
    .selectFrom('workspaces')
    .select('sub_domain')
    .where('id', '=', workspaceId)
    .executeTakeFirstOrThrow()
  const site = (await findSiteAt(service.db, 'shops', `${name}.shops`, { now: service.now() }))!
  const shop = await loadShop(service.db, site, 'https://a.shops.example')
  const address = addressOf(`/p/${product.slug}`, '')
  return (await drawPage(service.db, shop, address, service.config)).plain.toString()
}

/** A product as it is when it is asked about. */
const asked = ({ id, name }: { id: string; name: string }) => ({
  id,
  name,
  stock: 1,
  tags: [],
  sales: [],
})

describe('make_kept_answers', () => {
  test('charges each answer once, and nothing for what the product does not say', async () => {
    const { place, kept, make } = await givenQuestions([drySkin, mars, evening])
    expect((await kept()).credits).toBe(3)
    expect(await pageOf(place)).not.toContain('<details>')
    const { body } = await make(3).expect(200)
    expect(statesOf(body as Kept)).toEqual([
      [drySkin, 'CURRENT'],
      [mars, 'UNKNOWN'],
      [evening, 'CURRENT'],
    ])
    expect(body).toMatchObject({
      credits: 0,
      answers: [
        {
          answer: `${place.product.name}: “Rich care for dry skin.”`,
          citations: [{ productId: place.product.id, sentence: 'Rich care for dry skin.' }],
        },
        { answer: null, citations: [] },
        {},
      ],
    })
    expect(await place.wallet()).toEqual({ balance: 98, reserved: 0 })
    // There is nothing left to ask.
    expect((await make(1)).status).toBe(200)
    expect(await place.wallet()).toEqual({ balance: 98, reserved: 0 })
    expect(await brokenIn(service)).toEqual([])
    const page = await pageOf(place)
    expect(page).toContain('Rich care for dry skin.')
    expect(page.match(/<details>/g)).toHaveLength(2)
    // They are the owner's: no visitor has asked.
    const statistics = await place.api.get(place.at('usage/products')).expect(200)
    expect(statistics.body).toMatchObject({ products: [] })
  })

  test('of several calls at once, one makes and pays for each answer', async () => {
    const { place, make } = await givenQuestions([drySkin, evening])
    const answers = await Promise.all([1, 2, 3, 4].map(() => make(2).then(({ status }) => status)))
    expect(answers.filter((status) => status !== 200 && status !== 409)).toEqual([])
    expect(await place.wallet()).toEqual({ balance: 98, reserved: 0 })
    expect((await place.events()).toSorted()).toEqual([
      'chat.product SUCCESS -1',
      'chat.product SUCCESS -1',
    ])
    expect(await brokenIn(service)).toEqual([])
  })

  test('of which another call makes the answer since, neither keeps it nor takes it away', async () => {
    const { place, kept } = await givenQuestions([drySkin])
    const product = { workspaceId: place.workspaceId, productId: place.product.id }
    const { hash } = await getAnswerBasis(service.db, product)
    const now = service.now()
    const [first, second] = [1, 2].map((seconds) => new Date(now.getTime() + seconds * 1000))
    const begin = (until: Date) => (trx: Transaction<Database>) =>
      beginKeptAnswer(trx, product, { question: drySkin, hash, now: until, until })
    const answered = {
      answer: 'Yes.',
      citations: [],
      product: asked(place.product),
      tagIds: [],
      products: [],
    }
    const finish = (until: Date) => (trx: Transaction<Database>) =>
      finishKeptAnswer(trx, product, { question: drySkin, until }, answered)
    expect(await write(service, begin(first!))).toBe(true)
    expect(await write(service, begin(second!))).toBe(true)
    await expect(write(service, finish(first!))).rejects.toMatchObject({ code: 'write_conflict' })
    await write(service, (trx) =>
      giveUpKeptAnswer(trx, product, { question: drySkin, until: first! }),
    )
    await write(service, finish(second!))
    expect(statesOf(await kept())).toEqual([[drySkin, 'CURRENT']])
  })

  test('keeps what a model says without the characters that cannot be stored', async () => {
    const { place, kept } = await givenQuestions([drySkin])
    const product = { workspaceId: place.workspaceId, productId: place.product.id }
    const begun = { question: drySkin, until: service.now() }
    const { hash } = await getAnswerBasis(service.db, product)
    const begin = { ...begun, hash, now: service.now() }
    await write(service, (trx) => beginKeptAnswer(trx, product, begin))
    const citations = [{ productId: place.product.id, sentence: 'S\0ilk\ud83c' }]
    const answered = {
      answer: `a\0b\udf39c${'🌹'.repeat(2000)}`,
      citations,
      product: asked(place.product),
      tagIds: [],
      products: [],
    }
    await write(service, (trx) => finishKeptAnswer(trx, product, begun, answered))
    expect((await kept()).answers).toEqual([
      {
        question: drySkin,
        state: 'CURRENT',
        // Cut between two characters.
        answer: `ab\ufffdc${'🌹'.repeat(1997)}`,
        citations: [{ productId: place.product.id, sentence: 'Silk\ufffd' }],
      },
    ])
  })

  test('is refused for a higher price than was shown', async () => {
    const { place, ask, make } = await givenQuestions([drySkin])
    await ask([drySkin, evening])
    const { status, body } = await make(1)
    expect([status, (body as { code: string }).code]).toEqual([409, 'write_conflict'])
    expect(await place.wallet()).toEqual({ balance: 100, reserved: 0 })
  })

  test('keeps what was paid for when the credits run out', async () => {
    const { place, kept, make } = await givenQuestions([drySkin, evening], 1)
    expect((await make(2)).status).toBe(402)
    expect(statesOf(await kept())).toEqual([
      [drySkin, 'CURRENT'],
      [evening, 'NONE'],
    ])
    expect(await place.wallet()).toEqual({ balance: 0, reserved: 0 })
    expect(await brokenIn(service)).toEqual([])
  })
})

describe('a kept answer', () => {
  test('is old when the text has changed: not shown, and not asked again by itself', async () => {
    const { place, kept, make } = await givenQuestions([drySkin])
    await make(1).expect(200)
    await place.api
      .patch(place.at(`products/${place.product.id}`))
      .send({ description: 'Light care for dry skin.' })
      .expect(200)
    expect(await kept()).toMatchObject({ credits: 1, answers: [{ state: 'OLD' }] })
    expect(await pageOf(place)).not.toContain('Rich care')
    expect(await place.wallet()).toEqual({ balance: 99, reserved: 0 })
    await make(1).expect(200)
    expect(await pageOf(place)).toContain('<details>')
    expect(await place.wallet()).toEqual({ balance: 98, reserved: 0 })
  })

  test('goes from the page when the answers are removed, and with its product', async () => {
    const { place, make, remove } = await givenQuestions([drySkin])
    await make(1).expect(200)
    const { body } = await remove().expect(200)
    expect(body).toMatchObject({ credits: 1, answers: [{ state: 'NONE' }] })
    expect(await pageOf(place)).not.toContain('<details>')
    await make(1).expect(200)
    await place.api.delete(place.at(`products/${place.product.id}`)).expect(200)
    const rows = service.db.selectFrom('kept_answers').selectAll()
    expect(await rows.where('workspace_id', '=', place.workspaceId).execute()).toEqual([])
  })

  test('is the owner’s to ask for', async () => {
    const { place } = await givenQuestions([drySkin])
    const path = `/api/workspaces/${place.workspaceId}/products/${place.product.id}/kept-answers`
    const stranger = await service.givenPerson()
    expect((await service.dashboard(stranger).post(path).send({ credits: 1 })).status).toBe(403)
  })
})
