import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { connect } from '../../src/db/connect.ts'
import { getMedia } from '../../src/queries/media/media.ts'
import {
  editable,
  givenCollection,
  givenMediaRow,
  givenProduct,
  givenShop,
  type Shop,
} from '../kit/catalogue.ts'
import { createDatabase, type TestDatabase } from '../kit/database.ts'
import { type Client, startService, type TestService } from '../kit/service.ts'

const baseUrls = ['https://one.example', 'https://two.example'] as const

let database: TestDatabase
let services: TestService[]
let shop: Shop
let clients: Client[]

beforeAll(async () => {
  database = await createDatabase()
  services = await Promise.all(
    baseUrls.map((BASE_URL) => startService({ databaseUrl: database.url, env: { BASE_URL } })),
  )
  shop = await givenShop(services[0]!)
  const { key } = await services[0]!.givenKey(shop.person)
  clients = services.map((service) => service.api(key))
})
afterAll(async () => {
  for (const service of services) await service.close()
  await database.drop()
})

describe('services on one database with different base URLs', () => {
  test('each return media at their own base URL', async () => {
    const { id, key, fileName } = await givenMediaRow(shop)
    const product = await givenProduct(shop, { imageIds: [id] })
    const collection = await givenCollection(shop, { imageId: id })
    for (const [index, api] of clients.entries()) {
      const read = async (path: string) => (await api.get(shop.at(path)).expect(200)).body
      const url = `${baseUrls[index]}/media/${key}`
      expect((await read(`media/${id}`)).url).toBe(url)
      expect((await read('media')).media[0].url).toBe(url)
      expect((await read(`media?search=${fileName}&usage=LINKED`)).media[0].url).toBe(url)
      expect((await read(`products/${product.id}`)).images[0].url).toBe(url)
      expect((await read('products')).products[0].images[0].url).toBe(url)
      expect((await read(`collections/${collection.id}`)).image.url).toBe(url)
      expect((await read('collections')).collections[0].image.url).toBe(url)
    }
  })

  test('each accept the ETag of their own answers, for reads and writes', async () => {
    const { id, key } = await givenMediaRow(shop)
    const product = await givenProduct(shop, { imageIds: [id] })
    const path = shop.at(`products/${product.id}`)
    for (const [index, api] of clients.entries()) {
      const { etag } = (await api.get(path)).headers
      expect((await api.get(path).set('If-None-Match', etag!)).status).toBe(304)
      const answer = await api.put(path).set('If-Match', etag!).send(editable(product))
      expect(answer.status).toBe(200)
      expect(answer.body.images[0].url).toBe(`${baseUrls[index]}/media/${key}`)
    }
  })
})

test('a connection without a base URL returns no media', async () => {
  const { id } = await givenMediaRow(shop)
  const connection = connect(database.url, { max: 1 })
  const message = 'This connection was opened without a base URL.'
  await expect(getMedia(connection.db, shop.workspaceId, id)).rejects.toThrow(message)
  await connection.close()
})
