import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newToken } from '../../src/core/secrets.ts'
import { type Client, startService, type TestService } from '../kit/service.ts'

let service: TestService
let workspaceId: string
beforeAll(async () => {
  service = await startService({ env: { RATE_LIMIT_PER_MINUTE: '3' } })
  workspaceId = (await service.givenWorkspace(await service.givenPerson())).id
})
afterAll(() => service.close())

const tooLong = 'x'.repeat(161)
const site = () => `/v1/workspaces/${workspaceId}/experience`

/** Calls that are refused before any operation is admitted. */
const refusals: [string, string, number, string, (api: Client) => ReturnType<Client['get']>][] = [
  ['an unknown path', 'requests', 404, 'not_found', (api) => api.get('/v1/nothing')],
  ['a path beside /v1', 'requests', 404, 'not_found', (api) => api.get('/nothing')],
  ['another method', 'requests', 405, 'method_not_allowed', (api) => api.delete('/v1/templates')],
  ['an unreadable path', 'requests', 400, 'invalid_input', (api) => api.get('/v1/%ff')],
  [
    'an id that is too long',
    'requests',
    400,
    'invalid_input',
    (api) => api.get(`/v1/workspaces/${workspaceId}/products/${tooLong}`),
  ],
  [
    'a name sent twice',
    'requests',
    400,
    'invalid_input',
    (api) => api.get('/v1/workspaces?page=1&page=2'),
  ],
  ['no workspace', 'requests', 400, 'missing_workspace', (api) => api.get('/v1/products')],
  [
    'another workspace in X-Workspace-Id',
    'requests',
    400,
    'invalid_input',
    (api) => api.get(`/v1/workspaces/${workspaceId}/products`).set('X-Workspace-Id', 'other'),
  ],
  [
    'an unknown path of a site',
    'experience',
    404,
    'not_found',
    (api) => api.get(`${site()}/nothing`),
  ],
  [
    'another method at a site',
    'experience',
    405,
    'method_not_allowed',
    (api) => api.put(`${site()}/bootstrap`),
  ],
  [
    'an id of a site that is too long',
    'experience',
    400,
    'invalid_input',
    (api) => api.delete(`${site()}/threads/${tooLong}`),
  ],
  [
    'an id of a published product that is too long',
    'published',
    400,
    'invalid_input',
    (api) => api.get(`${site()}/products/${tooLong}`),
  ],
]

describe.each(refusals)('a refusal of %s', (_what, limit, status, code, call) => {
  const points = { requests: 3, experience: 15, published: 150 }[limit]!

  test('is counted against a valid key and reports what is left', async () => {
    const { key, id } = await service.givenKey(await service.givenPerson())
    for (const left of [points - 1, points - 2]) {
      const answer = await call(service.api(key))
      expect([answer.status, answer.body.code]).toEqual([status, code])
      expect(answer.headers).toMatchObject({
        ratelimit: expect.stringMatching(`^"${limit}";r=${left};t=\\d+$`) as string,
        'ratelimit-policy': `"${limit}";q=${points};w=60`,
      })
    }
    const lines = service.logged().filter(({ connectionId }) => connectionId === id)
    expect(lines).toHaveLength(2)
  })

  test('is 429 once the limit is used up', async () => {
    const { key } = await service.givenKey(await service.givenPerson())
    for (let n = 0; n < points; n++) expect((await call(service.api(key))).status).toBe(status)
    const { status: last, body, headers } = await call(service.api(key))
    expect([last, body.code]).toEqual([429, 'rate_limited'])
    expect(Number(headers['retry-after'])).toBeGreaterThan(0)
    expect(headers.ratelimit).toMatch(`"${limit}";r=0;`)
  })

  // Which workspace is meant matters only to a caller who is known.
  const [stranger, reason] =
    code === 'missing_workspace' ? [401, 'unauthenticated'] : [status, code]

  test('is decided before the key where the path alone decides, and reports nothing', async () => {
    for (const key of [undefined, newToken('key', 'development'), 'nonsense']) {
      const answer = await call(service.api(key))
      expect([answer.status, answer.body.code]).toEqual([stranger, reason])
      expect(answer.headers).not.toHaveProperty('ratelimit')
    }
  })
})
