import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  editable,
  givenProduct,
  givenShop,
  givenTag,
  type Product,
  type Shop,
  type Tag,
} from '../kit/catalogue.ts'
import { startService, type TestService } from '../kit/service.ts'
import { update } from './products/product_calls.ts'

let service: TestService
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service.close())

/** In order, whatever their case: symbols, digits, letters, those with accents beside those without. */
const ordered = [
  '😀',
  '10',
  '9',
  'Äpfel',
  'apple',
  'Banana',
  'Cam',
  'çam',
  'émile',
  'Fig',
  'ihlamur',
  'Ilık',
  'İncir',
  'ışık',
  'ß',
  'Zebra',
  'Ω',
  'Ёлка',
  'Яблоко',
]
/** In no order, and always the same. */
const shuffled = ordered.toSorted((a, b) => (a < b ? 1 : -1))

const namesOf = (rows: { name: string }[]) => rows.map(({ name }) => name)

interface Listed {
  products: Product[]
  tags: Tag[]
}

async function list<K extends keyof Listed>(
  shop: Shop,
  path: string,
  field: K,
  query: Record<string, string | number> = {},
): Promise<Listed[K]> {
  const answer = await shop.api.get(shop.at(path)).query(query).expect(200)
  return (answer.body as Listed)[field]
}

describe('products sorted by name', () => {
  test('are in the order of letters, whatever their case', async () => {
    const shop = await givenShop(service)
    for (const name of shuffled) await givenProduct(shop, { name })
    const sorted = async (query: Record<string, string>) =>
      namesOf(await list(shop, 'products', 'products', query))
    expect(await sorted({ sort: 'name' })).toEqual(ordered)
    expect(await sorted({ sort: '-name' })).toEqual(ordered.toReversed())
    expect(await sorted({ sort: 'name', status: 'ACTIVE' })).toEqual(ordered)
  })

  test('that differ in case alone are sorted by id, on every page and in both directions', async () => {
    const shop = await givenShop(service)
    const ids: string[] = []
    for (const name of ['rose', 'Rose', 'ROSE', 'rOSE', 'rosE', 'RoSe', 'rOsE']) {
      const product = await givenProduct(shop)
      const deleted = { ...editable(product), name, status: 'DELETED' as const }
      await update(shop, product.id, deleted).expect(200)
      ids.push(product.id)
    }
    ids.unshift((await givenProduct(shop, { name: 'Amber' })).id)
    ids.push((await givenProduct(shop, { name: 'rosé' })).id)
    for (const [sort, expected] of [
      ['name', ids],
      ['-name', ids.toReversed()],
    ] as const)
      for (const pageSize of [1, 2, 4, 9]) {
        const found: string[] = []
        for (let page = 1; found.length < ids.length; page++) {
          const rows = await list(shop, 'products', 'products', { sort, page, pageSize })
          expect(rows).toHaveLength(Math.min(pageSize, ids.length - found.length))
          found.push(...rows.map(({ id }) => id))
        }
        expect(found).toEqual(expected)
      }
  })
})

test('tags are in the order of letters, for owners and for visitors', async () => {
  const shop = await givenShop(service)
  const tagIds: string[] = []
  for (const name of shuffled) tagIds.push((await givenTag(shop, name)).id)
  await givenProduct(shop, { tagIds })
  for (const path of ['tags', 'experience/tags']) {
    expect(namesOf(await list(shop, path, 'tags'))).toEqual(ordered)
    const pages = [1, 2, 3, 4].map((page) => list(shop, path, 'tags', { page, pageSize: 5 }))
    expect(namesOf((await Promise.all(pages)).flat())).toEqual(ordered)
  }
})
