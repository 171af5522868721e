import { afterAll, beforeAll, expect, test } from 'vitest'
import { followPage, type Replica, readSource } from '../../scripts/feed/replica.ts'
import { type Known, writeAtRandom } from '../../scripts/feed/writes.ts'
import { deleteMediaRow, givenMediaRow, givenProduct, givenShop } from '../kit/catalogue.ts'
import { createDatabase, type TestDatabase } from '../kit/database.ts'
import { randomNumbers } from '../kit/random_numbers.ts'
import { startService, type TestService } from '../kit/service.ts'

let database: TestDatabase
let pair: [TestService, TestService]
beforeAll(async () => {
  database = await createDatabase()
  const options = { databaseUrl: database.url, waitMilliseconds: 60_000 }
  pair = [await startService(options), await startService(options)]
})
afterAll(async () => {
  for (const service of pair) await service.close()
  await database.drop()
})

test('a follower of 400 random writes by eight writers at two services has what the source has', async () => {
  const shop = await givenShop(pair[0])
  const apis = pair.map(({ urls }) => urls.api)
  const known: Known = { products: [], tags: [], collections: [] }
  let writing = true
  const write = async (lane: number) => {
    const random = randomNumbers(70_000 + lane)
    for (let count = 0; count < 50; count++) {
      const answered = await writeAtRandom(apis[lane % 2]!, shop, known, random)
      expect(answered).toBe(true)
    }
  }
  const pictures = async () => {
    for (let count = 0; count < 10; count++) {
      const image = await givenMediaRow(shop)
      await givenProduct(shop, { imageIds: [image.id] })
      if (count % 2 === 0) await deleteMediaRow(shop, image.id)
    }
  }
  const follow = async () => {
    let replica: Replica = { cursor: undefined, resources: {} }
    let pages = 0
    for (let last = false; ; pages++) {
      // One more look after the last write.
      last = !writing
      const next = await followPage(apis[pages % 2]!, shop, replica)
      if (!next) throw new Error('The feed was not answered.')
      replica = next
      if (last && !next.hasMore) return { replica, pages }
    }
  }
  const writeAll = async () => {
    await Promise.all([...Array.from({ length: 8 }, (_, lane) => write(lane)), pictures()])
    writing = false
  }
  const [{ replica, pages }] = await Promise.all([follow(), writeAll()])
  const source = await readSource(apis[0]!, shop)
  expect(Object.keys(source).length).toBeGreaterThan(50)
  expect(pages).toBeGreaterThan(5)
  expect(replica.resources).toEqual(source)
}, 300_000)
