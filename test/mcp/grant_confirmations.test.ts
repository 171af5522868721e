import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { bearer } from '../every_operation/fixtures.ts'
import { errorOf, type Json, message, post, resultOf, stateless } from '../kit/agents.ts'
import { givenProduct, givenShop, type Shop } from '../kit/catalogue.ts'
import { startService, type TestService } from '../kit/service.ts'

let service: TestService
let shop: Shop
let token: string
beforeAll(async () => {
  service = await startService()
  shop = await givenShop(service)
  token = (await service.givenAgent(shop.person, { asksFirst: true })).token
})
afterAll(() => service.close())

const call = (name: string, args: Json, held = token) =>
  post(service, message('tools/call', { name, arguments: args }), bearer(held))

/** The confirmation that a call is answered with. */
async function confirmationOf(name: string, args: Json): Promise<string> {
  const { code, confirm } = errorOf(await call(name, args))
  expect(code).toBe('confirmation_required')
  return String(confirm)
}

const at = (args: Json) => ({ workspaceId: shop.workspaceId, ...args })
const statusAt = async (path: string) => (await shop.api.get(shop.at(path))).status

describe('a client that can ask its person', () => {
  const capable = { 'io.modelcontextprotocol/clientCapabilities': { elicitation: {} } }
  function ask(args: Json, rest: Json = {}) {
    const params = { name: 'delete_product', arguments: args, _meta: capable, ...rest }
    const { body, headers } = stateless('tools/call', params)
    return post(service, body, { ...bearer(token), ...headers })
  }

  test('asks by a question, whose state is no confirmation before the answer', async () => {
    const { id, name } = await givenProduct(shop)
    const { inputRequests, requestState } = resultOf(await ask(at({ id }))) as unknown as {
      inputRequests: { confirm: { params: { message: string } } }
      requestState: string
    }
    const words = `Delete the product “${name}” for good? This cannot be undone.`
    expect(inputRequests.confirm.params.message).toBe(words)
    await confirmationOf('delete_product', at({ id, confirm: requestState }))
    const confirm = await confirmationOf('delete_product', at({ id }))
    const inputResponses = { confirm: { action: 'accept', content: { confirm: true } } }
    const forged = await ask(at({ id }), { requestState: confirm, inputResponses })
    expect((forged.body as { error: Json }).error.code).toBe(-32602)
    expect(await statusAt(`products/${id}`)).toBe(200)
    const done = resultOf(await ask(at({ id }), { requestState, inputResponses }))
    expect(done.structuredContent).toEqual({ id, deleted: true })
  })
})

describe('a confirmation', () => {
  test('is of one call of one connection, for ten minutes', async () => {
    const [asked, other] = [await givenProduct(shop), await givenProduct(shop)]
    const confirm = await confirmationOf('delete_product', at({ id: asked.id }))
    const stranger = (await service.givenAgent(shop.person, { asksFirst: true })).token
    const isAsked = async (name: string, args: Json, held = token) =>
      expect(errorOf(await call(name, { ...args, confirm }, held)).code).toBe(
        'confirmation_required',
      )
    await isAsked('delete_product', at({ id: other.id }))
    await isAsked('patch_product', at({ id: asked.id, data: { status: 'DELETED' } }))
    await isAsked('delete_product', at({ id: asked.id }), stranger)
    service.advance(600_000)
    await isAsked('delete_product', at({ id: asked.id }))
    expect(await statusAt(`products/${asked.id}`)).toBe(200)
  })

  test('counts for the same arguments in another order', async () => {
    const { id } = await givenProduct(shop)
    const [first, second] = [
      { status: 'DELETED', stock: 1 } as const,
      { stock: 1, status: 'DELETED' },
    ]
    const confirm = await confirmationOf('patch_product', at({ id, data: first }))
    resultOf(
      await call('patch_product', { confirm, data: second, id, workspaceId: shop.workspaceId }),
    )
  })

  test('is of what the person saw: after a change of it the call is a conflict', async () => {
    const { id } = await givenProduct(shop)
    const confirm = await confirmationOf('delete_product', at({ id }))
    await shop.api
      .patch(shop.at(`products/${id}`))
      .send({ stock: 77 })
      .expect(200)
    const refusal = errorOf(await call('delete_product', at({ id, confirm })))
    expect(refusal.code).toBe('write_conflict')
    expect(refusal.message).toMatch(/call without confirm/)
    const again = await confirmationOf('delete_product', at({ id }))
    resultOf(await call('delete_product', at({ id, confirm: again })))
  })
})
