import { sql } from 'kysely'
import type { Response } from 'supertest'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { connect } from '../../src/db/connect.ts'
import { getCatalogueCounts } from '../../src/queries/catalogue/counters.ts'
import {
  givenCollection,
  givenMediaRow,
  givenProduct,
  givenShop,
  givenTag,
  outcomeOf,
  productBody,
  type Shop,
} from '../kit/catalogue.ts'
import { allCases } from '../every_operation/turns.ts'
import { expectRightCounts } from './catalogue_counts.ts'
import { createDatabase, type TestDatabase } from '../kit/database.ts'
import { queueBehind, holdTransaction } from '../kit/held_transactions.ts'
import { randomNumbers } from '../kit/random_numbers.ts'
import { startService, type TestService } from '../kit/service.ts'

let database: TestDatabase
let service: TestService
beforeAll(async () => {
  database = await createDatabase()
  service = await startService({ databaseUrl: database.url })
})
afterAll(async () => {
  await service.close()
  await database.drop()
})

const update = (shop: Shop, id: string, body: object) =>
  shop.api.put(shop.at(`products/${id}`)).send(body)

const statusesOf = (answers: Response[]) => answers.map(({ status }) => status)

interface World {
  shop: Shop
  products: string[]
  tags: string[]
  collections: string[]
  media: string[]
}

async function givenWorld(on = service): Promise<World> {
  const shop = await givenShop(on)
  const ids = async (count: number, create: (shop: Shop) => Promise<{ id: string }>) => {
    const created: string[] = []
    for (let i = 0; i < count; i++) created.push((await create(shop)).id)
    return created
  }
  return {
    shop,
    products: await ids(10, givenProduct),
    tags: await ids(6, givenTag),
    collections: await ids(4, givenCollection),
    media: await ids(5, givenMediaRow),
  }
}

/** One random operation; ids deleted in the meantime stay in play and must be refused. */
async function operate({ shop, ...world }: World, random: (below: number) => number) {
  const { products, tags, collections, media } = world
  const one = (ids: string[]) => ids[random(ids.length)]!
  const some = (ids: string[]) => ids.filter(() => random(3) === 0).toSorted(() => random(3) - 1)
  const body = () => {
    const code = `code ${random(25)}`
    return productBody({
      sku: code,
      name: code,
      barcode: code,
      stock: random(3),
      status: (['ACTIVE', 'INACTIVE', 'DELETED'] as const)[random(3)]!,
      imageIds: some(media),
      tagIds: random(4) === 0 ? some(tags) : [],
    })
  }
  const group = () => ({
    name: 'A collection',
    description: '',
    tagIds: [],
    imageId: random(3) === 0 ? null : one(media),
  })
  const { get, post, put, delete: remove } = shop.api
  const calls: (() => PromiseLike<Response>)[] = [
    () => post(shop.at('products')).send(body()),
    () => post(shop.at('products')).send(body()),
    () => put(shop.at(`products/${one(products)}`)).send(body()),
    () => put(shop.at(`products/${one(products)}`)).send(body()),
    () => remove(shop.at(`products/${one(products)}`)),
    () => post(shop.at(`products/${one(products)}/tags/${one(tags)}`)),
    () => remove(shop.at(`products/${one(products)}/tags/${one(tags)}`)),
    () => post(shop.at('tags')).send({ name: 'A tag' }),
    () => remove(shop.at(`tags/${one(tags)}`)),
    () => post(shop.at('collections')).send(group()),
    () => put(shop.at(`collections/${one(collections)}`)).send(group()),
    () => remove(shop.at(`collections/${one(collections)}`)),
    () => post(shop.at(`collections/${one(collections)}/products/${one(products)}`)),
    () => remove(shop.at(`collections/${one(collections)}/products/${one(products)}`)),
    () => get(shop.at(`products?sort=name&page=${1 + random(3)}&pageSize=5`)),
  ]
  const answer = await calls[random(calls.length)]!()
  const { id } = answer.body as { id?: string }
  const kinds = { prod_: products, tag_: tags, coll_: collections }
  for (const [prefix, ids] of Object.entries(kinds))
    if (id?.startsWith(prefix) && !ids.includes(id)) ids.push(id)
  return answer
}

/** As many operations, ten at a time. */
async function load(world: World, count: number): Promise<Response[]> {
  const answers: Response[] = []
  const lane = async (_: unknown, seed: number) => {
    const random = randomNumbers(20_260 + seed)
    for (let i = 0; i < count / 10; i++) answers.push(await operate(world, random))
  }
  await Promise.all(Array.from({ length: 10 }, lane))
  return answers
}

const many = allCases ? 500 : 300

test(`${many} concurrent random operations leave every counter correct`, async () => {
  const world = await givenWorld()
  const answers = await load(world, many)
  expect(answers).toHaveLength(many)
  const expected = [200, 400, 404, 409]
  expect(answers.filter(({ status }) => !expected.includes(status)).map(outcomeOf)).toEqual([])
  expect(new Set(statusesOf(answers))).toEqual(new Set(expected))
  const counts = await expectRightCounts(world.shop)
  const { body } = await world.shop.api.get(world.shop.at('products?pageSize=100'))
  const { active, inactive, deleted, outOfStock } = counts
  const total = active + inactive + deleted
  expect(body.summary).toEqual({ total, active, inactive, outOfStock })
  expect(body.pagination.total).toBe(total)
  expect(body.products).toHaveLength(total)
}, 120_000)

describe('a logo that is deleted', () => {
  const rounds = 12
  test.each([
    ['while the website changes', () => ({ headline: 'Another one' })],
    ['while another one takes its place', (next: string) => ({ logoImageId: next })],
  ])('%s is counted and referred to no more', async (_, change) => {
    const shop = await givenShop(service)
    const website = shop.at('website')
    for (let round = 0; round < rounds; round++) {
      const [logo, next] = [await givenMediaRow(shop), await givenMediaRow(shop)]
      await shop.api.put(website).send({ logoImageId: logo.id }).expect(200)
      const answers = await Promise.all([
        shop.api.put(website).send(change(next.id)),
        shop.api.delete(shop.at(`media/${logo.id}`)),
      ])
      expect(statusesOf(answers)).toEqual([200, 200])
      const { logoImageId } = (await shop.api.get(website)).body
      expect(logoImageId).not.toBe(logo.id)
    }
    await expectRightCounts(shop)
  })
})

describe('connections that share their counter rows', () => {
  let shared: TestDatabase
  let crowded: TestService
  beforeAll(async () => {
    shared = await createDatabase()
    const name = new URL(shared.url).pathname.slice(1)
    const connection = connect(shared.url, { max: 1 })
    const { db } = connection
    // Any two connections may share a counter row; here all of them do.
    await sql`create function public.pg_backend_pid() returns integer language sql as 'select 7'
      `.execute(db)
    await sql`alter database ${sql.id(name)} set search_path = public, pg_catalog`.execute(db)
    await connection.close()
    crowded = await startService({ databaseUrl: shared.url })
  })
  afterAll(async () => {
    await crowded.close()
    await shared.drop()
  })

  test('update a product while deleting the tag it loses', async () => {
    const shop = await givenShop(crowded)
    const [image, tag] = [await givenMediaRow(shop), await givenTag(shop)]
    const product = await givenProduct(shop, { imageIds: [image.id], tagIds: [tag.id] })
    const holder = await holdTransaction(shared.url, (trx) =>
      sql`select from product_images
        where workspace_id = ${shop.workspaceId} and product_id = ${product.id}
        for update`.execute(trx),
    )
    // The update waits for the image's row while the deletion reaches the counter.
    const answers = await queueBehind(
      holder,
      [
        () => update(shop, product.id, productBody({ status: 'INACTIVE', imageIds: [image.id] })),
        () => shop.api.delete(shop.at(`tags/${tag.id}`)),
      ],
      { on: crowded },
    )
    expect(statusesOf(answers)).toEqual([200, 200])
    expect((await getCatalogueCounts(crowded.db, shop.workspaceId)).inactive).toBe(1)
  })

  const some = allCases ? 500 : 200
  test(`handle ${some} concurrent random operations without an error`, async () => {
    const world = await givenWorld(crowded)
    const answers = await load(world, some)
    expect(answers.filter(({ status }) => status >= 500).map(outcomeOf)).toEqual([])
    await expectRightCounts(world.shop)
  }, 120_000)
})
