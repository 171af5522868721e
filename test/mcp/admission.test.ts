import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newToken } from '../../src/core/secrets.ts'
import { toolSetAt } from '../../src/surfaces/mcp/narrowing.ts'
import { message, post } from '../kit/agents.ts'
import { bearer } from '../every_operation/fixtures.ts'
import { openConnection, requestText } from '../kit/raw_http.ts'
import { startService, type TestService } from '../kit/service.ts'

let service: TestService
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service.close())

/** Headers of connections that are refused, by reason. */
const refusals: [string, number, () => Promise<Record<string, string>>][] = [
  ['without a token', 401, () => Promise.resolve({})],
  [
    'with an unknown token',
    401,
    () => Promise.resolve(bearer(newToken('accessToken', 'development'))),
  ],
  [
    'that was revoked',
    401,
    async () => {
      const { token, grantId } = await service.givenAgent(await service.givenPerson())
      const revoked = { revoked_at: service.now() }
      await service.db.updateTable('grants').set(revoked).where('id', '=', grantId).execute()
      return bearer(token)
    },
  ],
  [
    'of a blocked source',
    403,
    async () => {
      const { token, sourceId } = await service.givenAgent(await service.givenPerson())
      await service.db
        .updateTable('integration_sources')
        .set({ status: 'BLOCKED' })
        .where('id', '=', sourceId)
        .execute()
      return bearer(token)
    },
  ],
  [
    'of a suspended account',
    403,
    async () => {
      const owner = await service.givenPerson()
      const { token } = await service.givenAgent(owner)
      await service.db
        .updateTable('accounts')
        .set({ status: 'SUSPENDED' })
        .where('id', '=', owner.accountId)
        .execute()
      return bearer(token)
    },
  ],
]

describe.each(refusals)('a connection %s', (_what, status, givenHeaders) => {
  test.each([
    ['of five megabytes', { 'Content-Length': '5000000' }],
    ['of a length that it does not tell', { 'Transfer-Encoding': 'chunked' }],
  ])('is refused before the body %s is received', async (_length, length) => {
    const own = { 'Content-Type': 'application/json', ...length }
    const headers = { ...own, ...(await givenHeaders()) }
    const connection = await openConnection(service.urls.api)
    connection.send(requestText('POST', '/mcp', { headers }))
    expect((await connection.answer()).status).toBe(status)
    connection.close()
  })
})

describe('the cache of narrowed addresses', () => {
  const isKept = (search: string) => toolSetAt(search) === toolSetAt(search)
  const ping = (search: string, headers: Record<string, string>) =>
    post(service, message('ping'), headers, `?${search}`)

  test('holds those that connections use; unauthenticated calls evict nothing', async () => {
    const own = bearer((await service.givenAgent(await service.givenPerson())).token)
    const strange = bearer(newToken('accessToken', 'development'))
    const [used, unused] = ['readonly=true&toolsets=tags', 'workspaceId=ws_of_a_stranger']
    await ping(used, own).expect(200)
    expect(isKept(used)).toBe(true)
    for (const headers of [{}, strange]) await ping(unused, headers).expect(401)
    expect(isKept(unused)).toBe(false)
    for (let index = 0; index < 60; index++)
      await ping(`workspaceId=ws_${index}`, index % 2 === 0 ? {} : strange).expect(401)
    expect(isKept(used)).toBe(true)
    expect(isKept('')).toBe(true)
  })

  test('keeps the most recently used', async () => {
    const own = bearer((await service.givenAgent(await service.givenPerson())).token)
    const often = 'toolsets=media'
    for (let index = 0; index < 55; index++) {
      await ping(`workspaceId=ws_used_${index}`, own).expect(200)
      await ping(often, own).expect(200)
    }
    expect([isKept(often), isKept('workspaceId=ws_used_0')]).toEqual([true, false])
    expect(isKept('workspaceId=ws_used_54')).toBe(true)
  })
})
