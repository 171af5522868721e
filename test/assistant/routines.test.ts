import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createFaceDetector } from '../../src/adapters/face_detector.ts'
import { diskMediaStore } from '../../src/adapters/media_store.ts'
import { readDemo, seedDemo } from '../../src/demo/demo.ts'
import { answerRoutineChat, readSelected, readShop } from '../../src/domain/assistant/ai_chats.ts'
import type { RoutineChat } from '../../src/domain/assistant/ai_model.ts'
import { localModel } from '../../src/domain/assistant/built_in/local_model.ts'
import { stageOf } from '../../src/domain/assistant/built_in/routine_stages.ts'
import { startService, type TestService } from '../kit/service.ts'

let service: TestService
let workspaceId: string
let products: { id: string; sku: string }[]

beforeAll(async () => {
  service = await startService()
  const { db, config } = service
  await seedDemo(db, config, diskMediaStore(join(config.dataDir, 'media')))
  workspaceId = readDemo(config)!.workspaceId
  products = await db.selectFrom('products').select(['id', 'sku']).execute()
})
afterAll(() => service.close())

const idOf = (sku: string) => products.find((product) => product.sku === sku)!.id
const skuOf = (id: string | null) => products.find((product) => product.id === id)?.sku
const faces = createFaceDetector({ timeoutSeconds: 1 })

async function plan(skus: string[], changes: Partial<RoutineChat> = {}) {
  const { db } = service
  const shop = await readShop(db, workspaceId)
  const selected = await readSelected(db, shop, skus.map(idOf))
  return answerRoutineChat(
    { db, aiModel: localModel(faces) },
    {
      shop,
      message: 'Please make me a routine.',
      history: [],
      userProfile: {},
      selected,
      allowAiSuggestions: true,
      images: [],
      thinkingLevel: 'LOW',
      ...changes,
    },
  )
}

describe('a routine of the built-in model', () => {
  test('suggests nothing, and says so, if more is demanded than can be checked', async () => {
    const letters = [...'bcdfghjklmn']
    const unwanted = letters.flatMap((a) => letters.map((b) => `without ${a}o${b}ox.`))
    const { steps, products: named, response } = await plan([], { message: unwanted.join(' ') })
    expect(response).toMatch(/^That is more than I can check at once\./)
    expect([steps, named]).toEqual([[], []])
  })

  test.each<[string, Partial<RoutineChat>, string[]]>([
    ['a message', { message: 'Yağlı cilt için rutin hazırla' }, ['DD-NIA-030', 'DD-HYA-050']],
    [
      'a profile',
      { userProfile: { skinType: 'Oily', concerns: ['pores'] } },
      ['DD-NIA-030', 'DD-HYA-050'],
    ],
    [
      'a profile',
      { userProfile: { skinType: 'kuru', goals: ['nem'] } },
      ['GE-SRM-030', 'GE-KRM-050'],
    ],
    [
      'a later turn',
      {
        history: [{ role: 'visitor', text: 'Kuru cilt için rutin' }],
        message: 'Aslında cildim kuru değil, yağlı',
      },
      ['DD-NIA-030', 'DD-HYA-050'],
    ],
  ])('takes nothing for the contrary skin, by %s: %j', async (_, changes, skus) => {
    const { steps } = await plan([], changes)
    const [serum, moisturiser] = skus
    expect(steps.map(({ productId }) => skuOf(productId))).toEqual([
      'DD-TMZ-200',
      'GE-TON-200',
      serum,
      moisturiser,
      'DD-SPF-050',
    ])
  })

  test('orders the selected products by purpose', async () => {
    const selected = ['DD-SPF-050', 'GE-KRM-050', 'NC-RUJ-101', 'DD-NIA-030', 'GE-TON-200']
    const { steps, response, productIds } = await plan([...selected, 'DD-TMZ-200'])
    expect(steps.map(({ order, title, productId }) => [order, title, skuOf(productId)])).toEqual([
      [1, 'Cleanse', 'DD-TMZ-200'],
      [2, 'Tone', 'GE-TON-200'],
      [3, 'Treat', 'DD-NIA-030'],
      [4, 'Moisturise', 'GE-KRM-050'],
      [5, 'Protect', 'DD-SPF-050'],
      [6, 'Finish', 'NC-RUJ-101'],
    ])
    expect(productIds).toEqual(steps.map(({ productId }) => productId))
    expect(response.split('\n').slice(0, 2)).toEqual([
      'Your routine, in the order of use:',
      '1. Hassas Cilt Temizleme Jeli 200 ml',
    ])
  })

  test('takes instructions from the products, in the language of the message', async () => {
    const changes = { message: 'Bana bir rutin hazırlar mısınız?', allowAiSuggestions: false }
    const { steps, response, citations } = await plan(['GE-KRM-050', 'GE-TON-200'], changes)
    expect(steps).toEqual([
      {
        order: 1,
        title: 'Tonik',
        productId: idOf('GE-TON-200'),
        instructions: 'Kullanım / How to use: Pamukla temiz cilde sürün.',
      },
      {
        order: 2,
        title: 'Nemlendirme',
        productId: idOf('GE-KRM-050'),
        instructions: 'Kullanım / How to use: Sabah ve akşam temiz cilde sürün.',
      },
    ])
    expect(citations).toEqual(
      steps.map(({ productId, instructions }) => ({ productId, sentence: instructions })),
    )
    expect(response).toBe(
      'Kullanım sırasıyla rutininiz:\n1. Isparta Gülü Tonik 200 ml\n2. Gül Özlü Nemlendirici Krem 50 ml',
    )
  })

  test('fills empty steps with published products that fit the profile', async () => {
    const { steps } = await plan(['DD-NIA-030'], { userProfile: { skinType: 'sensitive' } })
    expect(steps.map(({ title, productId }) => [title, skuOf(productId)])).toEqual([
      ['Cleanse', 'DD-TMZ-200'],
      ['Treat', 'DD-NIA-030'],
      ['Moisturise', 'DD-HYA-050'],
      ['Protect', 'DD-SPF-050'],
    ])
  })

  test('adds nothing if suggestions are off', async () => {
    const userProfile = { skinType: 'sensitive' }
    const { steps } = await plan(['DD-NIA-030'], { userProfile, allowAiSuggestions: false })
    expect(steps.map(({ productId }) => skuOf(productId))).toEqual(['DD-NIA-030'])
  })

  test('makes a hair routine if asked about hair', async () => {
    const { steps } = await plan([], {
      message: 'A hair routine',
      userProfile: { concerns: ['oily scalp'] },
    })
    expect(steps.map(({ title, productId }) => [title, skuOf(productId)])).toEqual([
      ['Cleanse', 'AD-SMP-400'],
      ['Treat', 'EZ-MSK-300'],
      ['Moisturise', 'AD-KRM-400'],
    ])
  })

  test('says so if the catalogue has nothing suitable', async () => {
    const { steps, response, productIds } = await plan([], { message: 'A routine for Mars' })
    expect({ steps, productIds }).toEqual({ steps: [], productIds: [] })
    expect(response).toBe('I could not find products for this in the catalogue.')
  })

  test('says that it cannot read pictures', async () => {
    const images = [{ bytes: Buffer.from('x'), mimeType: 'image/png' }]
    const { response } = await plan(['DD-NIA-030'], { images })
    expect(response.split('\n').at(-1)).toBe('I went by what you wrote; I cannot read pictures.')
  })

  test('refuses selected products that are not published', async () => {
    await expect(plan(['GE-TON-200', 'NC-RUJ-103'])).rejects.toMatchObject({
      code: 'invalid_input',
      fieldErrors: {
        userSelectedRoutineProducts: ['notPublished', { id: idOf('NC-RUJ-103') }],
      },
    })
  })
})

test.each([
  ['Güneş Kremi SPF 50+', 'BEAUTY', 4],
  ['Güneş Sonrası Aloe Jeli', 'BEAUTY', 3],
  ['Night serum', 'BEAUTY', 2],
  ['A thing without a name', 'BEAUTY', 3],
  ['Wool coat', 'TEXTILE', 2],
  ['Wood cleaner', 'GENERAL', 0],
  ['Chair', 'GENERAL', 1],
  ['Chair cover', 'GENERAL', 3],
] as const)('%s of %s has its place: %i', (name, sector, stage) => {
  const nothing = { id: 'x', brand: '', description: '', information: '', stock: 1 }
  expect(stageOf({ ...nothing, name, tags: [], sales: [] }, sector)).toBe(stage)
})
