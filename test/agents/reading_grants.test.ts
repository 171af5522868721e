import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readTools } from '../../src/core/contract_documents.ts'
import type { Scope } from '../../src/generated/operations.ts'
import { bearer } from '../every_operation/fixtures.ts'
import { consent, registerAgent } from '../kit/agent_flow.ts'
import { errorOf, handshakeOf, message, post, resultOf, stateless } from '../kit/agents.ts'
import { givenShop, type Shop } from '../kit/catalogue.ts'
import { allScopes, startService, type TestService } from '../kit/service.ts'

const reading = allScopes.filter((scope) => !scope.endsWith(':write'))
const manifest = readTools()
const readOnlyTools = manifest
  .filter(({ annotations }) => annotations.readOnlyHint)
  .map(({ name }) => name)

let service: TestService
let shop: Shop
beforeAll(async () => {
  service = await startService()
  shop = await givenShop(service)
})
afterAll(() => service.close())

/** The token of an agent that asked for these scopes and was given those. */
async function connected(asked: Scope[], given: Scope[]): Promise<string> {
  const agent = await registerAgent(service)
  const pending = await agent.begin({ scope: asked.join(' ') })
  const decision = { decision: 'allow' as const, scopes: given }
  const callback = await consent(service, shop.person, pending, decision)
  return (await agent.exchange(pending, callback)).access_token
}

/** The names in a list, which both generations of the protocol answer alike. */
async function namesIn(kind: 'tools' | 'prompts', token: string, search = ''): Promise<string[]> {
  const older = await post(service, message(`${kind}/list`), bearer(token), search)
  const { body, headers } = stateless(`${kind}/list`)
  const newer = await post(service, body, { ...bearer(token), ...headers }, search)
  const [names = [], others] = [older, newer].map((answer) => {
    const { result } = answer.body as { result: Record<string, { name: string }[]> }
    return result[kind]?.map(({ name }) => name)
  })
  expect(others).toEqual(names)
  return names
}

const create = (token: string) => {
  const args = { workspaceId: shop.workspaceId, data: { name: 'New' } }
  return post(
    service,
    message('tools/call', { name: 'create_tag', arguments: args }),
    bearer(token),
  )
}

describe('an agent whose person let it read only', () => {
  let token: string
  beforeAll(async () => {
    token = await connected(allScopes, reading)
  })

  test('is offered the read-only tools and prompts alone, at every address', async () => {
    expect(await namesIn('tools', token)).toEqual(readOnlyTools)
    expect(await namesIn('prompts', token)).toEqual([])
    expect(await namesIn('tools', token, '?toolsets=tags')).toEqual(['get_tag', 'list_tags'])
  })

  test('is told nothing about writing', async () => {
    const writing = manifest.filter(({ name }) => !readOnlyTools.includes(name))
    for (const [held, search] of [
      [token, ''],
      [(await service.givenAgent(shop.person)).token, '?readonly=true'],
    ] as const) {
      const answer = await post(service, message('initialize', handshakeOf()), bearer(held), search)
      const { instructions } = (answer.body as { result: { instructions: string } }).result
      expect(instructions).toContain('Start with list_workspaces')
      expect(writing.filter(({ name }) => instructions.includes(name))).toEqual([])
      expect(instructions).not.toMatch(/idempotencyKey|write|permanent/)
    }
  })

  test('is refused a write without being told to ask for more', async () => {
    const refusal = await create(token)
    expect(errorOf(refusal)).toEqual({
      status: 403,
      code: 'insufficient_scope',
      message: 'This connection may only read: the person who allowed it did not let it write.',
    })
    expect(refusal.headers['www-authenticate']).toBeUndefined()
    const args = { workspaceId: shop.workspaceId }
    const read = message('tools/call', { name: 'list_tags', arguments: args })
    resultOf(await post(service, read, bearer(token)))
  })
})

test('an agent that asked for reading alone is offered that, and may ask for more', async () => {
  const token = await connected(reading, reading)
  expect(await namesIn('tools', token)).toEqual(readOnlyTools)
  const refusal = await create(token)
  expect([refusal.status, refusal.headers['www-authenticate']]).toEqual([
    403,
    expect.stringContaining('tags:write'),
  ])
})

test.each<[string, Scope[]]>([
  ['may write something', ['tags:read', 'products:write']],
  ['asked for nothing in particular', ['account:read', 'workspaces:read']],
])('an agent that %s is offered everything, and may ask for more', async (_what, scopes) => {
  const token = await connected(scopes, scopes)
  expect(await namesIn('tools', token)).toEqual(manifest.map(({ name }) => name))
  expect((await create(token)).status).toBe(403)
})
