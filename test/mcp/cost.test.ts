import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Json, message, post, resultOf, handshakeOf } from '../kit/agents.ts'
import { givenProduct, givenShop, type Product, type Shop } from '../kit/catalogue.ts'
import { bearer } from '../every_operation/fixtures.ts'
import { startService, type TestService } from '../kit/service.ts'
import { statementsOf } from '../kit/statements.ts'

let service: TestService
let shop: Shop
let product: Product
let agent: Awaited<ReturnType<TestService['givenAgent']>>
beforeAll(async () => {
  service = await startService()
  shop = await givenShop(service)
  product = await givenProduct(shop)
  agent = await service.givenAgent(shop.person)
  // The first use of a connection is recorded; further uses within the minute are not.
  await ask('ping')
})
afterAll(() => service.close())

const ask = (method: string, params: Json = {}) =>
  post(service, message(method, params), bearer(agent.token))

describe('the database cost of a request', () => {
  test('is one query for the list of tools, which is cached', async () => {
    const [lookUp, ...others] = await statementsOf(service, () => ask('tools/list').expect(200))
    expect(lookUp).toContain('"access_tokens"')
    expect(others).toEqual([])
  })

  test('is one query on top of those of the tool', async () => {
    const params = {
      name: 'get_product',
      arguments: { workspaceId: shop.workspaceId, id: product.id },
    }
    // A process asks once what kind of database it has.
    await ask('tools/call', params)
    const statements = await statementsOf(service, async () => {
      const { structuredContent } = resultOf(await ask('tools/call', params))
      expect(structuredContent).toMatchObject({ id: product.id })
    })
    expect(statements).toHaveLength(2)
    expect(statements[0]).toContain('"access_tokens"')
    expect(statements[1]).toMatch(/\bproducts\b/)
  })

  test('is the same single query for a blocked source', async () => {
    const setStatus = (status: 'BLOCKED' | 'APPROVED') =>
      service.db
        .updateTable('integration_sources')
        .set({ status })
        .where('id', '=', agent.sourceId)
        .execute()
    await setStatus('BLOCKED')
    const statements = await statementsOf(service, () => ask('tools/list').expect(403))
    expect(statements).toHaveLength(1)
    await setStatus('APPROVED')
  })
})

describe('a connection', () => {
  test('gets the instructions before the first call', async () => {
    const { body } = await ask('initialize', handshakeOf())
    const { instructions } = (body as { result: { instructions: string } }).result
    for (const rule of [
      'never write it back',
      'Find ids with search_catalogue',
      'nobody has verified as INACTIVE',
      'look first whether it happened',
    ])
      expect(instructions).toContain(rule)
  })

  test('may send 120 requests a minute by default', async () => {
    const usual = await startService({ env: { RATE_LIMIT_PER_MINUTE: '120' } })
    const { token } = await usual.givenAgent(await usual.givenPerson())
    const { headers } = await post(usual, message('ping'), bearer(token))
    expect(headers['ratelimit-policy']).toBe('"requests";q=120;w=60')
    await usual.close()
  })
})
