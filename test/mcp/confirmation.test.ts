import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { bearer } from '../every_operation/fixtures.ts'
import { envelope, errorOf, type Json, message, post, resultOf, stateless } from '../kit/agents.ts'
import { givenProduct, givenShop, type Shop } from '../kit/catalogue.ts'
import { startService, type TestService, unique } from '../kit/service.ts'

let service: TestService
let shop: Shop
let token: string
beforeAll(async () => {
  service = await startService()
  shop = await givenShop(service)
  token = (await service.givenAgent(shop.person)).token
})
afterAll(() => service.close())

type Answer = { action: 'accept' | 'decline' | 'cancel'; content?: Record<string, boolean> }

/** A client whose person answers every question the same way; returns the questions too. */
async function connected(answer: Answer, path = '/mcp/confirm') {
  const questions: string[] = []
  const client = new Client(
    { name: 'tests', version: '1.0.0' },
    {
      versionNegotiation: { mode: { pin: '2026-07-28' } },
      capabilities: { elicitation: { form: {} } },
    },
  )
  client.setRequestHandler('elicitation/create', ({ params }) => {
    questions.push(params.message)
    return answer
  })
  const headers = { Authorization: `Bearer ${token}` }
  const url = new URL(service.urls.api + path)
  await client.connect(new StreamableHTTPClientTransport(url, { requestInit: { headers } }))
  return { client, questions }
}

const argumentsFor = (id: string) => ({ workspaceId: shop.workspaceId, id })

async function exists(id: string): Promise<boolean> {
  const { status } = await shop.api.get(shop.at(`products/${id}`))
  return status === 200
}

describe('an address with confirm', () => {
  test('asks a person by name before a permanent delete', async () => {
    const { id } = await givenProduct(shop, { name: 'Rose cream' })
    const { client, questions } = await connected({ action: 'accept', content: { confirm: true } })
    const result = await client.callTool({ name: 'delete_product', arguments: argumentsFor(id) })
    expect(result.structuredContent).toEqual({ id, deleted: true })
    expect(questions).toEqual(['Delete the product “Rose cream” for good? This cannot be undone.'])
    expect(await exists(id)).toBe(false)
    await client.close()
  })

  test.each<Answer>([
    { action: 'decline' },
    { action: 'cancel' },
    { action: 'accept', content: { confirm: false } },
  ])('deletes nothing after %o', async (answer) => {
    const { id } = await givenProduct(shop)
    const { client } = await connected(answer)
    const result = await client.callTool({ name: 'delete_product', arguments: argumentsFor(id) })
    const text = 'Nothing was done: the person did not confirm it.'
    expect(result).toMatchObject({ isError: true, content: [{ type: 'text', text }] })
    expect(await exists(id)).toBe(true)
    await client.close()
  })

  test('asks nothing about what is not there, nor before other writes', async () => {
    const { id } = await givenProduct(shop)
    const { client, questions } = await connected({ action: 'decline' })
    const missing = { name: 'delete_product', arguments: argumentsFor('prod_unknown') }
    expect(await client.callTool(missing)).toMatchObject({ isError: true })
    const args = { ...argumentsFor(id), data: { stock: 5 } }
    const patched = await client.callTool({ name: 'patch_product', arguments: args })
    expect(patched.structuredContent).toMatchObject({ id, stock: 5 })
    expect(questions).toEqual([])
    await client.close()
  })

  test('is the same by query', async () => {
    const { id } = await givenProduct(shop)
    const { client, questions } = await connected({ action: 'decline' }, '/mcp?confirm=true')
    await client.callTool({ name: 'delete_product', arguments: argumentsFor(id) })
    expect(questions).toHaveLength(1)
    await client.close()
  })
})

describe('an answer', () => {
  const capable = {
    ...envelope,
    'io.modelcontextprotocol/clientCapabilities': { elicitation: { form: {} } },
  }
  const inputResponses = { confirm: { action: 'accept', content: { confirm: true } } }

  function send(id: string, rest: Json = {}, held = token) {
    const params = { name: 'delete_product', arguments: argumentsFor(id), _meta: capable, ...rest }
    const { body, headers } = stateless('tools/call', params)
    return post(service, body, { ...bearer(held), ...headers }, '/confirm')
  }
  async function stateFor(id: string): Promise<string> {
    const { body } = await send(id).expect(200)
    return (body as { result: { requestState: string } }).result.requestState
  }

  test('confirms one deletion of one connection', async () => {
    const [asked, other] = [await givenProduct(shop), await givenProduct(shop)]
    const requestState = await stateFor(asked.id)
    const stranger = (await service.givenAgent(shop.person)).token
    for (const refused of [
      await send(other.id, { requestState, inputResponses }),
      await send(asked.id, { requestState, inputResponses }, stranger),
      await send(asked.id, { requestState: `${requestState}x`, inputResponses }),
    ])
      expect((refused.body as { error: Json }).error.code).toBe(-32602)
    expect([await exists(asked.id), await exists(other.id)]).toEqual([true, true])
    await send(asked.id, { requestState, inputResponses }).expect(200)
    expect([await exists(asked.id), await exists(other.id)]).toEqual([false, true])
  })

  test('without a question asks first', async () => {
    const { id } = await givenProduct(shop)
    const { body } = await send(id, { inputResponses }).expect(200)
    expect((body as { result: Json }).result.resultType).toBe('input_required')
    expect(await exists(id)).toBe(true)
  })
})

describe('a client that cannot ask a person', () => {
  const older = (args: Json) =>
    post(
      service,
      message('tools/call', { name: 'delete_product', arguments: args }),
      bearer(token),
      '/confirm',
    )
  function newer(args: Json) {
    const { body, headers } = stateless('tools/call', { name: 'delete_product', arguments: args })
    return post(service, body, { ...bearer(token), ...headers }, '/confirm')
  }

  test.each([
    ['older', older],
    ['newer', newer],
  ])('and is %s gets a preview, and deletes with its value', async (_generation, send) => {
    const { id } = await givenProduct(shop, { name: unique('Rose cream') })
    const { code, message: words, question, confirm } = errorOf(await send(argumentsFor(id)))
    expect(code).toBe('confirmation_required')
    expect(words).toMatch(/^Nothing was done yet\./)
    expect(question).toMatch(/^Delete the product “Rose cream.*” for good\?/)
    expect(await exists(id)).toBe(true)
    const done = resultOf(await send({ ...argumentsFor(id), confirm }))
    expect(done.structuredContent).toEqual({ id, deleted: true })
  })
})
