import type { Socket } from 'node:net'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { etagOf } from '../../src/core/etags.ts'
import { bearer } from '../every_operation/fixtures.ts'
import { contractViolations } from '../every_operation/contract_answers.ts'
import { errorOf, type Json, message, post, resultOf } from '../kit/agents.ts'
import {
  type Collection,
  givenCollection,
  givenProduct,
  givenShop,
  givenTag,
  type Product,
  type Shop,
} from '../kit/catalogue.ts'
import { start } from '../kit/races.ts'
import { openConnection, requestText } from '../kit/raw_http.ts'
import { startService, type TestService } from '../kit/service.ts'
import { statementsOf } from '../kit/statements.ts'

const longest = 500_000

let service: TestService
let shop: Shop
let ids: string[]
beforeAll(async () => {
  service = await startService()
  shop = await givenShop(service)
  const products: Product[] = []
  for (let count = 0; count < 60; count++) products.push(await givenProduct(shop))
  ids = products.map(({ id }) => id).reverse()
})
afterAll(() => service.close())

let length = 0

/**
 * Gives every product an information of so many three-byte characters, one by one: on a slow machine a
 * statement for all takes longer than the service lets one. A length that they have is not written again.
 */
async function givenLength(characters: number): Promise<void> {
  if (length === characters) return
  length = characters
  for (const id of ids)
    await sql`update products set information = repeat('€', ${characters})
      where workspace_id = ${shop.workspaceId} and id = ${id}`.execute(service.db)
}

const list = (query: string) => shop.api.get(`${shop.at('products')}?${query}`)
const idsIn = (products: Product[]) => products.map(({ id }) => id)
const readersIn = (statements: string[]) =>
  statements.filter((text) => text.includes('with ordinality as page'))

describe('a list heavier than 1 MiB', () => {
  beforeAll(() => givenLength(60_000))

  test('has the same rows and pagination as a light one, and no tag', async () => {
    const heavy = await list('pageSize=50').expect(200)
    const { products, pagination, summary } = heavy.body as {
      products: Product[]
      pagination: Json
      summary: Json
    }
    expect(idsIn(products)).toEqual(ids.slice(0, 50))
    expect(new Set(products.map(({ information }) => information.length))).toEqual(
      new Set([60_000]),
    )
    expect(pagination).toEqual({
      page: 1,
      limit: 50,
      total: 60,
      totalPages: 2,
      hasNextPage: true,
      hasPreviousPage: false,
    })
    expect(summary).toEqual({ total: 60, active: 60, inactive: 0, outOfStock: 0 })
    expect(heavy.headers).not.toHaveProperty('etag')
    const answer = { status: 200, body: heavy.text }
    expect(contractViolations('list_products', answer)).toEqual([])
  })

  test('is read in groups of at most 1 MiB', async () => {
    const statements = await statementsOf(service, () => list('pageSize=50').expect(200))
    // Nine megabytes, five products of 180 kB to a group.
    expect(readersIn(statements)).toHaveLength(10)
  })

  test('is still read by one statement if its page is light', async () => {
    const light = await statementsOf(service, () =>
      list('pageSize=20&view=summary').expect(200).expect('ETag', /./),
    )
    expect(readersIn(light)).toHaveLength(1)
  })

  test('keeps its filters and its order', async () => {
    const { body } = await list('pageSize=30&page=2&sort=createdAt&status=ACTIVE').expect(200)
    const { products } = body as { products: Product[] }
    expect(idsIn(products)).toEqual([...ids].reverse().slice(30))
  })

  test('is answered to HEAD without reading its rows', async () => {
    const statements = await statementsOf(service, async () => {
      const connection = await openConnection(service.urls.api)
      const headers = { Authorization: await authorization() }
      connection.send(requestText('HEAD', shop.at('products?pageSize=50'), { headers }))
      expect((await connection.answer({ toHead: true })).status).toBe(200)
      connection.close()
    })
    expect(readersIn(statements)).toEqual([])
  })
})

async function authorization(): Promise<string> {
  const { key } = await service.givenKey(shop.person)
  return `Bearer ${key}`
}

describe('an answer heavier than 64 MiB', () => {
  beforeAll(() => givenLength(longest))

  test('is refused with the parameters that make it lighter', async () => {
    const { body } = await list('pageSize=50').expect(400)
    expect(body).toEqual({
      status: 400,
      code: 'invalid_input',
      message: 'The answer would weigh more than 64 MiB. Ask for less at once.',
      fieldErrors: {
        pageSize: 'Ask for fewer rows a page.',
        view: 'view=summary leaves long texts out.',
      },
    })
    await list('pageSize=50&view=summary').expect(200)
  })

  test('names only parameters of its operation', async () => {
    const { body } = await shop.api.get(shop.at('experience/products?pageSize=50')).expect(400)
    const { fieldErrors } = body as { fieldErrors: Json }
    expect(fieldErrors).toEqual({ pageSize: 'Ask for fewer rows a page.' })
  })

  test('is no longer read when its reader has left', async () => {
    const headers = { Authorization: await authorization() }
    const statements = await statementsOf(service, async () => {
      const connection = await openConnection(service.urls.api)
      connection.send(requestText('GET', shop.at('products?pageSize=40'), { headers }))
      await new Promise((resolve) => connection.socket.once('data', resolve))
      connection.socket.pause()
      connection.close()
      await vi.waitFor(() => expect(service.logged().at(-1)).toMatchObject({ aborted: true }))
    })
    expect(readersIn(statements).length).toBeLessThan(20)
  })
})

describe('heavy answers of one account', () => {
  beforeAll(() => givenLength(longest))

  /** Asks for a heavy list, and reads nothing of it after the first bytes. */
  async function unread(key: string): Promise<Socket> {
    const connection = await openConnection(service.urls.api)
    const headers = { Authorization: `Bearer ${key}` }
    connection.send(requestText('GET', shop.at('products?pageSize=20'), { headers }))
    await new Promise((resolve) => connection.socket.once('data', resolve))
    return connection.socket.pause()
  }

  test('are eight at once, and the next begins when one of them has ended', async () => {
    const { key } = await service.givenKey(shop.person)
    const begun = () => service.logged().length
    const before = begun()
    const sockets = await Promise.all(Array.from({ length: 8 }, () => unread(key)))
    const waiting = start(list('pageSize=20&page=2'))
    // Another account and light answers do not wait.
    const other = await givenShop(service)
    await other.api.get(other.at('products')).expect(200)
    await list('view=summary').expect(200)
    sockets.pop()!.destroy()
    expect(idsIn(((await waiting).body as { products: Product[] }).products)).toEqual(
      ids.slice(20, 40),
    )
    for (const socket of sockets) socket.destroy()
    await expect.poll(begun).toBe(before + 11)
  })

  test('end when the key is revoked', async () => {
    const { id, key } = await service.givenKey(shop.person)
    const socket = await unread(key)
    await service.dashboard(shop.person).delete(`/api/keys/${id}`).expect(200)
    socket.resume()
    await new Promise((resolve) => socket.once('close', resolve))
    expect(service.logged().at(-1)).toMatchObject({ status: 200, outcome: 401, aborted: true })
  })
})

describe('a tool', () => {
  let token: string
  beforeAll(async () => {
    await givenLength(longest)
    token = (await service.givenAgent(shop.person)).token
  })

  const callOf = (name: string, args: Json, id = 1) =>
    message('tools/call', { name, arguments: { workspaceId: shop.workspaceId, ...args } }, id)
  const send = (body: unknown) => post(service, body, bearer(token))

  test('refuses a result heavier than 1 MiB', async () => {
    const refusal = errorOf(await send(callOf('list_products', { query: { pageSize: 20 } })))
    expect(refusal).toEqual({
      status: 400,
      code: 'invalid_input',
      message: 'The answer would weigh more than 1 MiB. Ask for less at once.',
      fieldErrors: {
        pageSize: 'Ask for fewer rows a page.',
        view: 'view=summary leaves long texts out.',
      },
    })
  })

  test('answers one product whole, however long', async () => {
    const { structuredContent } = resultOf(await send(callOf('get_product', { id: ids[0]! })))
    expect((structuredContent as unknown as Product).information).toHaveLength(longest)
  })

  test('costs a batch of the heaviest lists nothing', async () => {
    const batch = Array.from({ length: 20 }, (_, id) =>
      callOf('list_products', { query: { pageSize: 50 } }, id),
    )
    const { text, body } = await send(batch).expect(200)
    expect(text.length).toBeLessThan(20_000)
    const results = (body as { result: { isError: boolean } }[]).map(({ result }) => result.isError)
    expect(results).toEqual(Array.from({ length: 20 }, () => true))
  })

  test('is not run once its batch has answered more than 4 MiB', async () => {
    const batch = ids.slice(0, 20).map((id, index) => callOf('get_product', { id }, index))
    const statements = await statementsOf(service, async () => {
      const { body } = await send(batch).expect(200)
      const [first, second, ...others] = body as Json[]
      expect([first, second].every((answer) => answer && 'result' in answer)).toBe(true)
      for (const [index, answer] of others.entries())
        expect(answer).toEqual({
          jsonrpc: '2.0',
          id: index + 2,
          error: {
            code: -32600,
            message:
              'The answers to this batch weigh more than 4 MiB. ' +
              'Send fewer calls at once, with a smaller pageSize or view=summary.',
          },
        })
    })
    expect(statements.filter((text) => text.includes('from "products" p'))).toHaveLength(2)
  })
})

describe('a collection whose products are heavier than 1 MiB', () => {
  let collection: Collection
  beforeAll(async () => {
    collection = await givenCollection(shop)
    const tags = []
    for (let count = 0; count < 100; count++)
      tags.push(await givenTag(shop, `${'€'.repeat(150)} ${count}`))
    await sql`insert into product_tags (workspace_id, product_id, tag_id, position)
      select ${shop.workspaceId}, p.id, t.id, 0 from unnest(${ids.slice(0, 30)}::text[]) p (id),
        unnest(${tags.map(({ id }) => id)}::text[]) t (id)`.execute(service.db)
    await sql`insert into collection_products (workspace_id, collection_id, product_id, position)
      select ${shop.workspaceId}, ${collection.id}, p.id, p.place
      from unnest(${ids.slice(0, 30)}::text[]) with ordinality p (id, place)`.execute(service.db)
  })

  const path = (rest = '') => shop.at(`collections/${collection.id}${rest}`)

  test('is complete and in order', async () => {
    const { body, text, headers } = await shop.api.get(path()).expect(200)
    const { products, productIds } = body as Collection
    expect(idsIn(products as Product[])).toEqual(ids.slice(0, 30))
    expect(productIds).toEqual(ids.slice(0, 30))
    expect(headers.etag).toBe(etagOf(text))
    await shop.api.get(path()).set('If-None-Match', headers.etag!).expect(304, '')
    expect(contractViolations('get_collection', { status: 200, body: text })).toEqual([])
  })

  test('answers a write in parts as well', async () => {
    const { body } = await shop.api.post(path(`/products/${ids[30]!}`)).expect(200)
    expect((body as Collection).productIds).toEqual(ids.slice(0, 31))
    await shop.api.delete(path(`/products/${ids[30]!}`)).expect(200)
  })

  test('is written once with a key, whose repetition answers it in brief', async () => {
    const write = () => shop.api.post(path(`/products/${ids[31]!}`)).set('Idempotency-Key', 'heavy')
    const [first, again] = [await write().expect(200), await write().expect(200)]
    const productIds = [...ids.slice(0, 30), ids[31]!]
    expect(idsIn((first.body as Collection).products as Product[])).toEqual(productIds)
    expect(again.body).toEqual({ ...(first.body as Collection), products: [] })
    await shop.api.delete(path(`/products/${ids[31]!}`)).expect(200)
  })

  test('is read and changed by a tool, which answers it in brief', async () => {
    const { token } = await service.givenAgent(shop.person)
    const call = async (name: string, args: Json, meta: Json = {}) => {
      const allArgs = { workspaceId: shop.workspaceId, id: collection.id, ...args }
      const params = { name, arguments: allArgs, _meta: meta }
      return post(service, message('tools/call', params), bearer(token))
    }
    const read = resultOf(await call('get_collection', {}))
    expect(read.structuredContent).toMatchObject({ productIds: ids.slice(0, 30), products: [] })
    expect((read.content as { text: string }[])[1]!.text).toContain('list_collection_products')
    const tag = { ifMatch: (read._meta as Json).etag as string }
    const productId = ids[0]!
    const changed = resultOf(await call('remove_collection_product', { productId }, tag))
    expect(changed.structuredContent).toMatchObject({
      id: collection.id,
      productIds: ids.slice(1, 30),
    })
    const { body } = await shop.api.get(path()).expect(200)
    expect((body as Collection).productIds).toEqual(ids.slice(1, 30))
    expect(errorOf(await call('remove_collection_product', { productId }, tag)).code).toBe(
      'write_conflict',
    )
    await sql`insert into collection_products (workspace_id, collection_id, product_id, position)
      values (${shop.workspaceId}, ${collection.id}, ${productId}, 0)`.execute(service.db)
  })

  test('is changed only by a write with its current tag', async () => {
    const write = () => shop.api.post(path(`/products/${ids[31]!}`))
    await write().set('If-Match', '"1234567890123456789012"').expect(409)
    const { etag } = (await shop.api.get(path()).expect(200)).headers
    const written = await write().set('If-Match', etag!).expect(200)
    expect(written.headers.etag).toBe(etagOf(written.text))
    expect((await shop.api.get(path()).expect(200)).headers.etag).toBe(written.headers.etag)
    await write().set('If-Match', etag!).expect(409)
    await shop.api.delete(path(`/products/${ids[31]!}`)).expect(200)
  })

  test('is listed in parts with its products', async () => {
    const { body } = await shop.api.get(
      shop.at(`collections/${collection.id}/products?pageSize=100`),
    )
    expect(idsIn((body as { products: Product[] }).products)).toEqual(ids.slice(0, 30))
    const published = shop.at(`experience/collections/${collection.id}/products?pageSize=5`)
    const { body: visible } = await shop.api.get(published).expect(200)
    expect(idsIn((visible as { products: Product[] }).products)).toEqual(ids.slice(0, 5))
  })
})
