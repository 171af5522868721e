import sharp, { type Sharp } from 'sharp'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { fitOf } from '../../../src/domain/assistant/face_products.ts'
import type { PublishedProduct } from '../../../src/queries/catalogue/search/catalogue_search.ts'
import { givenProduct, outcomeOf, type Product } from '../../kit/catalogue.ts'
import { drawFaces } from '../../kit/faces.ts'
import { type ModelServer, startModelServer } from '../../kit/peers/model_server.ts'
import { startService, type TestService } from '../../kit/service.ts'
import { type ChatPlace, givenChats, modelSettings } from '../chats.ts'

// Detection is CPU-bound and slow on a busy machine.
const minutes = 60_000

let server: ModelServer
let remote: TestService
let builtIn: TestService
let portrait: string
beforeAll(async () => {
  server = await startModelServer()
  remote = await startService({ env: modelSettings(server) })
  builtIn = await startService()
  portrait = (await drawFaces([{ blush: 0.4 }])).toString('base64')
})
afterAll(async () => {
  for (const each of [remote, builtIn]) await each.close()
  await server.close()
})
beforeEach(() => {
  server.seen.length = 0
})

const analyse = (place: ChatPlace, image = portrait) =>
  place.ask(place.guest(), { image }, 'analyze-face')
const untouched = { balance: 100, reserved: 0 }
const seen = (concerns: string[], finding = 'A red tone is visible.') => ({
  response: 'A face.',
  faceDetected: true,
  observations: [{ area: 'cheeks', finding, severity: 'LOW' }],
  concerns,
})

async function givenCreams(
  place: ChatPlace,
): Promise<Record<'soothing' | 'sold' | 'risky', Product>> {
  const cream = (name: string, description: string, stock = 5) =>
    givenProduct(place, { name, description, information: '', stock })
  return {
    soothing: await cream('Calm cream', 'A light cream. Soothes redness of sensitive skin.'),
    sold: await cream('Sold cream', 'Calms redness.', 0),
    risky: await cream('Peeling', 'May cause redness, which cold water calms.'),
  }
}

describe('a face analysis', () => {
  test(
    'of the built-in model leads to products that speak of what shows',
    { timeout: 5 * minutes },
    async () => {
      const place = await givenChats(builtIn)
      const { soothing } = await givenCreams(place)
      const { body } = await analyse(place).expect(200)
      expect(body.analysis.observations).toContainEqual({
        area: 'cheeks',
        finding: expect.stringContaining('red tone'),
        severity: expect.any(String),
      })
      expect(body.products.map(({ id }: Product) => id)).toEqual([soothing.id])
      expect(body.citations).toEqual([
        { productId: soothing.id, sentence: 'Soothes redness of sensitive skin.' },
      ])
      expect(body.response.split('\n').slice(-2)).toEqual([
        'Products of this shop that speak of it:',
        '- Calm cream',
      ])
    },
  )

  test(
    'names no product where the catalogue has none that fits',
    { timeout: 5 * minutes },
    async () => {
      const place = await givenChats(builtIn)
      const { body } = await analyse(place).expect(200)
      expect([body.products, body.citations]).toEqual([[], []])
      expect(body.response).not.toContain('Products of this shop')
    },
  )

  test(
    'of a provider passes the picture on, and leads to products by concern',
    { timeout: 5 * minutes },
    async () => {
      const place = await givenChats(remote)
      const { soothing } = await givenCreams(place)
      server.behave({ says: seen(['redness', 'redness']) })
      const { body } = await analyse(place).expect(200)
      expect(body.analysis).toEqual({ faceDetected: true, observations: seen([]).observations })
      expect(body.products.map(({ id }: Product) => id)).toEqual([soothing.id])
      expect(JSON.stringify(server.seen[0]!.body)).toContain('data:image/jpeg;base64,')
      server.behave({ says: { ...seen([]), concerns: undefined } })
      expect((await analyse(place).expect(200)).body.products).toEqual([])
    },
  )

  test.each([
    ['an illness', seen([], 'This looks like rosacea.')],
    ['an address', seen([], 'Buy a cream at evil.example.')],
    ['a cure', seen([], 'A cream heals this.')],
    ['a search of its own', seen(['redness; drop table'])],
  ])(
    'of a provider that names %s is that of the built-in model',
    { timeout: 5 * minutes },
    async (_what, says) => {
      const place = await givenChats(remote)
      server.behave({ says })
      const { body } = await analyse(place).expect(200)
      expect(body.response).toMatch(/^What the picture shows/)
      expect(await place.wallet()).toEqual({ balance: 95, reserved: 0 })
      const { body: usage } = await place.api.get(place.at('usage/events'))
      expect(usage.events[0]).toMatchObject({ modelKey: 'local/face', status: 'SUCCESS' })
    },
  )

  test('of a provider that sees no face is refused as such', { timeout: 5 * minutes }, async () => {
    const place = await givenChats(remote)
    server.behave({ says: { ...seen([]), faceDetected: false } })
    expect(outcomeOf(await analyse(place))).toEqual([
      400,
      'no_face',
      { image: 'Must show exactly one face.' },
    ])
  })

  const small = 'The face is too small. Come closer, so that it is at least 80 pixels wide.'
  const dark = 'The picture is too dark. Take it in daylight, facing the light.'
  const blurred = 'The face is blurred. Hold the camera still and take the picture again.'
  test.each([
    ['small', (picture: Sharp) => picture.resize(120), 'invalid_input', small],
    ['dark', (picture: Sharp) => picture.modulate({ brightness: 0.22 }), 'invalid_input', dark],
    ['blurred', (picture: Sharp) => picture.blur(8), 'invalid_input', blurred],
  ])(
    'of a picture that is too %s costs nothing and asks no provider',
    { timeout: 5 * minutes },
    async (...row) => {
      const [, change, code, sentence] = row
      const image = await change(sharp(Buffer.from(portrait, 'base64'))).toBuffer()
      const place = await givenChats(remote)
      const answer = await analyse(place, image.toString('base64'))
      expect(outcomeOf(answer)).toEqual([400, code, { image: sentence }])
      expect(answer.body.message).toBe(sentence)
      expect(server.seen).toEqual([])
      expect(await place.wallet()).toEqual(untouched)
      expect(await place.events()).toEqual(['chat.analyze_face FAILED 0'])
    },
  )

  test('of two faces asks no provider', { timeout: 5 * minutes }, async () => {
    const place = await givenChats(remote)
    const image = (await drawFaces([{}, {}])).toString('base64')
    expect((await analyse(place, image)).body.code).toBe('no_face')
    expect(server.seen).toEqual([])
  })
})

describe('a product fits a face with redness', () => {
  const product = (changes: Partial<PublishedProduct>): PublishedProduct => ({
    id: 'prod_1',
    name: 'A cream',
    brand: 'Ana',
    description: '',
    information: '',
    tags: [],
    stock: 1,
    sales: [],
    ...changes,
  })

  test.each([
    [{ description: 'Soothes redness.' }, 'Soothes redness.'],
    [{ information: 'Hafif.\nKızarıklık görünümünü azaltır.' }, 'Kızarıklık görünümünü azaltır.'],
    [{ tags: ['Redness'] }, undefined],
    [{ tags: ['Hassas cilt'] }, undefined],
  ])('if it says so: %j', (changes, sentence) => {
    const citation = sentence && { productId: 'prod_1', sentence }
    expect(fitOf(product(changes), 'redness')).toEqual({
      productId: 'prod_1',
      name: 'A cream',
      citation,
    })
  })

  test.each([
    { description: 'A cream.' },
    { description: 'Soothes redness.', stock: 0 },
    { description: 'Redness is a colour.' },
    { description: 'May cause redness; calm it with water.' },
    { description: 'If redness occurs, calm the skin and stop using it.' },
    { description: 'Kızarıklık oluşursa yatıştırıcı krem sürün.' },
    { description: 'Soothes redness, order at evil.example/pay.' },
    { description: 'Soothes and cures redness.' },
    { description: 'Soothes redness of the scalp.' },
    { name: 'Hair mask', description: 'Soothes redness.' },
  ])('not if it does not, or warns: %j', (changes) => {
    expect(fitOf(product(changes), 'redness')).toBeUndefined()
  })
})
