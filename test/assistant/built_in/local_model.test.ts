import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createFaceDetector } from '../../../src/adapters/face_detector.ts'
import { diskMediaStore } from '../../../src/adapters/media_store.ts'
import { connect, type Connection } from '../../../src/db/connect.ts'
import { readDemo, seedDemo } from '../../../src/demo/demo.ts'
import {
  answerProductChat,
  readChatProduct,
  readShop,
} from '../../../src/domain/assistant/ai_chats.ts'
import type { ThinkingLevel } from '../../../src/adapters/language_model.ts'
import type { Turn } from '../../../src/domain/assistant/ai_model.ts'
import { localModel } from '../../../src/domain/assistant/built_in/local_model.ts'
import { createDatabase, type TestDatabase } from '../../kit/database.ts'
import { startService, type TestService } from '../../kit/service.ts'

let database: TestDatabase
let service: TestService
let second: Connection
let workspaceId: string
let products: { id: string; sku: string; status: string; text: string }[]

beforeAll(async () => {
  database = await createDatabase()
  service = await startService({ databaseUrl: database.url })
  second = connect(database.url, { baseUrl: service.config.baseUrl })
  const { db, config } = service
  await seedDemo(db, config, diskMediaStore(join(config.dataDir, 'media')))
  workspaceId = readDemo(config)!.workspaceId
  const rows = await db
    .selectFrom('products')
    .select(['id', 'sku', 'status', 'description', 'information'])
    .execute()
  products = rows.map(({ description, information, ...row }) => {
    return { ...row, text: `${description}\n${information}` }
  })
})
afterAll(async () => {
  await service.close()
  await second.close()
  await database.drop()
})

const idOf = (sku: string) => products.find((product) => product.sku === sku)!.id
const faces = createFaceDetector({ timeoutSeconds: 1 })

async function ask(
  sku: string,
  message: string,
  history: Turn[] = [],
  { db }: Pick<Connection, 'db'> = service,
  thinkingLevel: ThinkingLevel = 'LOW',
) {
  const shop = await readShop(db, workspaceId)
  const about = await readChatProduct(db, shop, idOf(sku))
  return answerProductChat(
    { db, aiModel: localModel(faces) },
    { shop, ...about, message, history, thinkingLevel },
  )
}

const [toner, cream, sun] = ['GE-TON-200', 'GE-KRM-050', 'DD-SPF-050']
const [niacinamide, lipstick, soap] = ['DD-NIA-030', 'NC-RUJ-101', 'EZ-SBN-100']
const ofZinc =
  'Niasinamid %10 Serum 30 ml: “İçindekiler / Ingredients: Aqua, Niacinamide, Propanediol, Zinc PCA, Sodium Hyaluronate, Phenoxyethanol”'

/** The current product, the question, the answer, and the products it names. */
const answerable: [string, string, string, string[]?][] = [
  [
    toner,
    'How do I use it?',
    'Isparta Gülü Tonik 200 ml: “Apply to clean skin with a cotton pad.”',
  ],
  [
    toner,
    'Nasıl kullanılır?',
    'Isparta Gülü Tonik 200 ml: “Kullanım / How to use: Pamukla temiz cilde sürün.”',
  ],
  [toner, 'Is it vegan?', 'Yes. Isparta Gülü Tonik 200 ml: Tags: Vegan.'],
  [toner, 'Stokta var mı?', 'Evet. Isparta Gülü Tonik 200 ml: Stokta var.'],
  ['GE-MSK-075', 'Is it in stock?', 'No. Gül ve Pembe Kil Maskesi 75 ml: Out of stock.'],
  [
    cream,
    'Kuru ciltler için uygun mu?',
    'Gül Özlü Nemlendirici Krem 50 ml: “Kuru ciltler için zengin gündüz kremi.” Etiketler: Kuru cilt.',
  ],
  [
    sun,
    'Does it leave a white cast?',
    'Güneş Kremi SPF 50+ 50 ml: “A face sunscreen that leaves no white trace.”',
  ],
  [
    sun,
    'How often should I apply it?',
    'Güneş Kremi SPF 50+ 50 ml: “Apply generously and again every two hours.”',
  ],
  [
    sun,
    'Ne kadar sürede yenilemeliyim?',
    'Güneş Kremi SPF 50+ 50 ml: “Kullanım / How to use: İki saatte bir yenileyin.”',
  ],
  [niacinamide, 'What are the ingredients?', ofZinc],
  [niacinamide, 'Does it contain zinc?', ofZinc],
  [
    lipstick,
    'How long does the lipstick stay?',
    'Mat Ruj 101 Nar Kırmızısı: “A matte lipstick that stays for eight hours.”',
  ],
  [
    lipstick,
    'Ne kadar kalıcı?',
    'Mat Ruj 101 Nar Kırmızısı: “Sekiz saat kalıcı, kurutmayan mat ruj.”',
  ],
  [soap, 'Menşei neresi?', 'Zeytinyağı Sabunu 100 g: “Menşei / Origin: Türkiye”'],
  [soap, 'Where is it made?', 'Zeytinyağı Sabunu 100 g: “Menşei / Origin: Türkiye”'],
  [
    'DD-TMZ-200',
    'Is it suitable for sensitive skin?',
    'Hassas Cilt Temizleme Jeli 200 ml: Tags: Hassas cilt.',
  ],
  [
    'MV-KAT-080',
    'Yolculuk için uygun mu?',
    'Lavantalı Katı Şampuan 80 g: “Plastiksiz, yolculuk dostu şampuan.”',
  ],
  [
    toner,
    'Do you have a sunscreen for children?',
    'Other products:\n- Çocuk Güneş Spreyi SPF 50+ 150 ml: “Water resistant and kind to the eyes.”',
    ['DD-SPR-150'],
  ],
  [
    toner,
    'Which product helps against frizz?',
    'Other products:\n- Argan ve Nar Saç Bakım Yağı 100 ml: “A light oil that calms frizz.”',
    ['NC-YAG-100'],
  ],
  [
    toner,
    'Dudaklarım çatlıyor, ne önerirsiniz?',
    'Başka ürünler:\n- Gül Balmumu Dudak Bakımı 10 g: “Çatlayan dudaklar için şeffaf bakım.”',
    ['GE-DDK-010'],
  ],
  [
    toner,
    'Kafeinli bir ürün var mı?',
    'Başka ürünler:\n- Kafeinli Göz Çevresi Kremi 15 ml: “İçindekiler / Ingredients: Aqua, Caffeine, Glycerin, Squalane, Palmitoyl Tripeptide-5, Tocopherol”\n- Biberiye Saç Toniği 150 ml: “İçindekiler / Ingredients: Rosmarinus Officinalis Leaf Water, Caffeine, Panthenol, Glycerin”',
    ['DD-GOZ-015', 'MV-TON-150'],
  ],
]

const english = 'I could not find an answer to this in the catalogue.'
const turkish = 'Katalogda bu sorunun yanıtını bulamadım.'

/** For the last two, only unpublished products have the answer. */
const unanswerable: [string, string, string][] = [
  [toner, 'Hamilelikte kullanılabilir mi?', turkish],
  [toner, 'How much does it cost?', english],
  [toner, 'Kargo kaç günde gelir?', turkish],
  [sun, 'Can children use it?', english],
  [cream, 'Was it tested on animals?', english],
  [cream, 'How long does it keep after opening?', english],
  [niacinamide, 'Alkol içeriyor mu?', turkish],
  [niacinamide, 'What is the capital of France?', english],
  [toner, 'Sonbahar için karanfil tonu ruj var mı?', turkish],
  [toner, 'Do you have a matte foundation?', english],
]

function quotesIn(response: string): string[] {
  return [...response.matchAll(/“([^”]*)”/g)].map(([, quote]) => quote!)
}

describe('a question that the catalogue can answer', () => {
  test.each(answerable)('of %s: %s', async (sku, question, response, skus = [sku]) => {
    const { products: matches, ...answer } = await ask(sku, question)
    expect(matches.map(({ id }) => id)).toEqual(skus.map(idOf))
    const { citations } = answer
    expect(citations.map(({ sentence }) => sentence)).toEqual(quotesIn(response))
    expect(answer).toEqual({
      response,
      citations,
      productIds: skus.map(idOf),
      modelKey: 'local/catalogue',
      usage: { inputTokens: 0, outputTokens: 0 },
    })
    const published = products.filter(({ status }) => status === 'ACTIVE')
    for (const { productId, sentence } of citations)
      expect(published.find(({ id }) => id === productId)?.text).toContain(sentence)
  })
})

describe('a question that the catalogue cannot answer', () => {
  test.each(unanswerable)('of %s: %s', async (sku, question, opening) => {
    const { response, citations, isUnanswered, isFree } = await ask(sku, question)
    expect(response.startsWith(opening)).toBe(true)
    expect({ isUnanswered, isFree }).toEqual({ isUnanswered: true, isFree: true })
    // What comes closest is quoted as such, and cited like every quote.
    expect(citations.map(({ sentence }) => sentence)).toEqual(quotesIn(response))
  })
})

describe('the built-in model', () => {
  test('gives the same answer to the same question in every process', async () => {
    const questions = [...answerable, ...unanswerable].slice(-14)
    const first = await Promise.all(questions.map(([sku, text]) => ask(sku, text)))
    const again = await Promise.all(questions.map(([sku, text]) => ask(sku, text, [], second)))
    expect(again).toEqual(first)
  })

  test('says more at each level, and labels what it compares with', async () => {
    const at = (level: ThinkingLevel) => ask(sun, 'Does it leave a white cast?', [], service, level)
    const [low, medium, high] = [await at('LOW'), await at('MEDIUM'), await at('HIGH')]
    expect(medium.response.startsWith(`${low.response}\nIt also says: “`)).toBe(true)
    expect(medium.citations.length).toBeGreaterThan(low.citations.length)
    expect(high.citations.length).toBeGreaterThanOrEqual(medium.citations.length)
    expect(medium.response).toContain('\nIn stock.')
    expect(high.response).toContain('\nTags: Güneş koruması, Hassas cilt, Çok satan.')
    expect(medium.response).not.toContain('Tags:')
    for (const { response, products: named } of [low, medium, high]) {
      const [own, others = ''] = response.split('\nOther products:\n')
      for (const { id, name } of named.slice(1)) {
        expect(id).not.toBe(idOf(sun))
        expect(own).not.toContain(name)
        expect(others).toContain(name)
      }
    }
  })

  test('suggests the shop questions it can answer', async () => {
    expect((await ask(sun, 'Zxqv wrtk?')).response).toBe(
      `${english}\nYou could ask:\n- Does it leave a white cast?`,
    )
  })

  test.each(['a', 'mı', '??', 'the', 'x', '%', "' | !", '🙂', '&'])(
    'handles %s',
    async (message) => {
      const { productIds } = await ask(toner, message)
      expect(productIds).toEqual([])
    },
  )

  test('continues the previous topic if a message has none', async () => {
    const history: Turn[] = [
      { role: 'visitor', text: 'Stokta var mı?' },
      { role: 'assistant', text: 'Stokta var.' },
    ]
    expect((await ask('GE-MSK-075', 'Peki ya bu?', history)).response).toBe(
      'Hayır. Gül ve Pembe Kil Maskesi 75 ml: Stokta yok.',
    )
  })

  test('falls back to the language of the website if it cannot detect that of the message', async () => {
    const speak = (language: 'en' | 'tr') =>
      service.db
        .updateTable('websites')
        .set({ language })
        .where('workspace_id', '=', workspaceId)
        .execute()
    expect((await ask(niacinamide, 'Woher kommt es?')).response).toBe(english)
    await speak('tr')
    const [unknown, short] = [await ask(niacinamide, 'Woher kommt es?'), await ask(toner, 'fiyat')]
    await speak('en')
    expect([unknown.response, short.response]).toEqual([
      turkish,
      `${turkish}\nŞunları sorabilirsiniz:\n- Gül suyu tonik yerine geçer mi?`,
    ])
  })

  test('refuses a product that is not published', async () => {
    await expect(ask('NC-RUJ-103', 'Is it vegan?')).rejects.toMatchObject({
      code: 'invalid_input',
      fieldErrors: { productId: ['notPublished', { id: idOf('NC-RUJ-103') }] },
    })
  })
})

describe('a recommendation', () => {
  const skusOf = (ids: readonly string[]) =>
    ids.map((id) => products.find((product) => product.id === id)!.sku)

  test.each([
    ['Kuru cilt için ürün öner', [cream, 'MV-ELK-075']],
    ['Recommend a product for dry skin', [cream, 'MV-ELK-075']],
    ['Yağlı cilt için ürün öner', ['NC-PDR-012', 'DD-NIA-030']],
    ['What do you recommend for oily skin?', ['NC-PDR-012', 'DD-NIA-030']],
    ['Yağlı saç için ürün öner', ['AD-SMP-400']],
    ['Anything for oily hair?', ['AD-SMP-400']],
    ['Karma cilt için ürün öner', []],
    ['Something for dry hair?', []],
    ['Gül kurusu bir ruj var mı?', ['NC-RUJ-102']],
  ])('is of what is for it, not of what has the word: %s', async (message, skus) => {
    const { productIds } = await ask(soap, message)
    expect(skusOf(productIds)).toEqual(skus)
  })
})
