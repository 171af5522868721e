import { Kysely, PostgresDialect } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Database } from '../../src/db/schema.ts'
import { findProductsFor } from '../../src/domain/assistant/finding/retrieval.ts'
import { givenProduct, givenShop, type Shop } from '../kit/catalogue.ts'
import { startService, type TestService } from '../kit/service.ts'

let service: TestService
let shop: Shop
beforeAll(async () => {
  service = await startService()
  shop = await givenShop(service)
})
afterAll(() => service.close())

/** Distinct words of characters that each expand to a whole word. */
function wordsOfSigns(count: number, from: number): string {
  const word = (number: number) =>
    Array.from({ length: 100 }, (_, bit) => ((number >> (bit % 16)) & 1 ? '㌖' : '㌫')).join('')
  return Array.from({ length: count }, (_, index) => word(from + index)).join(' ')
}

test('stores a product whose text grows eighteenfold when normalised', async () => {
  const text = { description: wordsOfSigns(198, 0), information: wordsOfSigns(396, 198) }
  const { id } = await givenProduct(shop, text)
  const { body } = await shop.api.get(shop.at(`products/${id}`)).expect(200)
  expect(body).toMatchObject(text)
})

test('finds products by the word index even before the table has statistics', async () => {
  const { id } = await givenProduct(shop, { information: 'Soothes with bakuchiol and sage.' })
  const queries: { sql: string; parameters: readonly unknown[] }[] = []
  const { pool } = service.connection
  const db = new Kysely<Database>({
    dialect: new PostgresDialect({ pool }),
    log: ({ query }) => void queries.push(query),
  })
  const { workspaceId } = shop
  const chatShop = {
    workspaceId,
    name: 'A shop',
    sector: 'GENERAL',
    language: 'en',
    ownerPrompt: '',
    contact: { email: null, links: [] },
    synonyms: [],
    knowledge: [],
  } as const
  const products = await findProductsFor(db, chatShop, 'bakuchiol or sage', 5)
  expect(products.map((product) => product.id)).toEqual([id])

  const byWords = queries.filter(({ sql }) => sql.includes('catalogue_document'))
  const plans: string[] = []
  for (const { sql, parameters } of byWords) {
    const { rows } = await pool.query(`explain (format json) ${sql}`, [...parameters])
    // On a shard, with its number.
    const names = JSON.stringify(rows).matchAll(/"Index Name":"(\w+?)(_\d+)?"/g)
    plans.push(...Array.from(names, ([, name]) => name!))
  }
  expect(plans).toEqual(['products_document_index'])
})
