import { encode } from 'gpt-tokenizer/encoding/o200k_base'
import request from 'supertest'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Json, message } from '../../kit/agents.ts'
import { givenCollection, givenMediaRow, givenProduct, givenTag } from '../../kit/catalogue.ts'
import { startService, type TestService } from '../../kit/service.ts'
import { givenOpenShop, type OpenShop } from './shop_pages.ts'

let service: TestService
let prose: OpenShop
let rare: OpenShop
let slug: string
beforeAll(async () => {
  service = await startService({ env: { RATE_LIMIT_PER_MINUTE: '1200' } })
  prose = await givenFullShop(proseOf)
  rare = await givenFullShop(rareOf)
  const { products } = (await rare.api.get(rare.at('products'))).body
  slug = products[0].slug
})
afterAll(() => service.close())

/** Text as people write it. */
const proseOf = (length: number, number: number) =>
  `${number} A warm coat for long winters, made of wool. `.repeat(length).slice(0, length).trimEnd()

/** Letters of a dead language, each of which is some tokens. */
const rareOf = (length: number, number: number) =>
  String.fromCodePoint(0x12000 + number) +
  Array.from({ length: Math.floor(length / 2) - 1 }, (_, index) =>
    String.fromCodePoint(0x12000 + ((number + 7 * index) % 900)),
  ).join('')

/** A shop whose products, questions and answers are as long as they may be. */
async function givenFullShop(textOf: typeof proseOf): Promise<OpenShop> {
  const shop = await givenOpenShop(service)
  const put = (path: string, body: object) => shop.api.put(shop.at(path)).send(body).expect(200)
  const imageIds = [(await givenMediaRow(shop)).id]
  const tag = await givenTag(shop, textOf(60, 1))
  for (let number = 0; number < 20; number++)
    await givenProduct(shop, {
      name: textOf(number < 19 ? 60 : 500, number),
      brand: textOf(number < 19 ? 30 : 300, number),
      description: textOf(20_000, number),
      information: textOf(20_000, number),
      sales: Array.from({ length: 10 }, (_, index) => ({
        name: textOf(100, index),
        link: `https://shop${index}.example/`,
      })),
      imageIds,
      tagIds: [tag.id],
    })
  for (let number = 0; number < 20; number++)
    await givenCollection(shop, { name: textOf(60, number), description: textOf(400, number) })
  const entries = Array.from({ length: 40 }, (_, number) => ({
    question: textOf(300, number),
    answer: textOf(2000, number),
  }))
  await put('shop-knowledge', { entries })
  return shop
}

async function call(shop: OpenShop, name: string, args: Json = {}) {
  const { body } = await request(service.urls.site)
    .post('/mcp')
    .set('Host', new URL(shop.url).host)
    .send(message('tools/call', { name, arguments: args }))
    .expect(200)
  const { content, structuredContent } = body.result as {
    content: { text: string }[]
    structuredContent: Json
  }
  return { tokens: encode(content[0]!.text).length, answer: structuredContent }
}

const tools = ['search_catalog', 'get_product', 'list_collections', 'get_questions'] as const

describe('an answer to an agent', () => {
  test.each(tools)(
    'of %s takes at most 4,000 tokens, whatever the shop has written',
    async (name) => {
      const args = name === 'get_product' ? { slug } : {}
      const { tokens } = await call(rare, name, args)
      expect(tokens).toBeLessThanOrEqual(4000)
    },
  )

  test('has all rows of a list, some in short where texts are long', async () => {
    for (const [name, rows] of [
      ['search_catalog', 'products'],
      ['list_collections', 'collections'],
    ] as const)
      for (const shop of [prose, rare]) {
        const { answer } = await call(shop, name)
        const found = answer[rows] as { slug: string; name: string; url?: string }[]
        expect(new Set(found.map(({ slug }) => slug)).size).toBe(20)
        const short = found.filter(({ url }) => url === undefined)
        expect([name, short.length > 0, short.length < 20]).toEqual([name, true, true])
        for (const row of short) expect(Object.keys(row)).toEqual(['slug', 'name'])
      }
  })

  test('says how many questions it leaves out, and where they are', async () => {
    const { answer, tokens } = await call(prose, 'get_questions')
    const { questions, more } = answer as { questions: object[]; more: Json }
    expect(tokens).toBeGreaterThan(1500)
    expect(more).toEqual({ count: 40 - questions.length, url: `${prose.url}/faq` })
  })
})
