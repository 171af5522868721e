import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { operations } from '../../src/generated/operations.ts'
import type { OperationId } from '../../src/operation.ts'
import { exchange, requestText } from '../kit/raw_http.ts'
import { type Client, startService, type TestService } from '../kit/service.ts'

const prefix = '/v1/workspaces/{workspaceId}/'
const workspaceOperations = (Object.keys(operations) as OperationId[]).filter((id) => {
  const { surface, path } = operations[id]
  return surface === 'management' && path.startsWith(prefix)
})

let service: TestService
let api: Client
let workspaceId: string
let foreignId: string
beforeAll(async () => {
  service = await startService()
  const owner = await service.givenPerson()
  workspaceId = (await service.givenWorkspace(owner)).id
  foreignId = (await service.givenWorkspace(await service.givenPerson())).id
  api = service.api((await service.givenKey(owner)).key)
})
afterAll(() => service.close())

/** The explicit and the flat path of an operation, with any value for other ids. */
function pathsOf(id: OperationId, workspace: string) {
  const fill = (path: string) =>
    path.replace('{workspaceId}', workspace).replaceAll(/\{\w+\}/g, 'id_of_nothing')
  const { path } = operations[id]
  return { explicit: fill(path), flat: fill(`/v1/${path.slice(prefix.length)}`) }
}

const successor = (path: string) => ({
  deprecation: '@1767225600',
  link: `<${service.config.baseUrl}${path}>; rel="successor-version"`,
})

describe.each(workspaceOperations)('the flat URL of %s', (id) => {
  const { method } = operations[id]

  test('names its successor and answers byte for byte like the explicit path', async () => {
    // A foreign workspace is refused at every operation alike, whatever else is missing.
    const { explicit, flat } = pathsOf(id, foreignId)
    const expected = await api[method](explicit)
    expect(expected.body.code).toBe('not_owner')
    expect(expected.headers).not.toHaveProperty('deprecation')
    expect(expected.headers).not.toHaveProperty('link')
    const answers = [
      await api[method](`${flat}?workspaceId=${foreignId}`),
      await api[method](flat).set('X-Workspace-Id', foreignId),
      await api[method](`${flat}?workspaceId=${foreignId}`).set('X-Workspace-Id', foreignId),
    ]
    for (const answer of answers) {
      expect(answer.status).toBe(403)
      expect(answer.text).toBe(expected.text)
      expect(answer.headers).toMatchObject(successor(explicit))
    }
  })

  test('requires exactly one workspace', async () => {
    const { flat } = pathsOf(id, workspaceId)
    const none = [await api[method](flat), await api[method](`${flat}?workspaceId=`)]
    for (const { status, body } of none) {
      expect(status).toBe(400)
      expect(body).toEqual({
        status: 400,
        code: 'missing_workspace',
        message: 'Name the workspace: ?workspaceId=… or the header X-Workspace-Id.',
      })
    }
    const two = await api[method](`${flat}?workspaceId=${workspaceId}`).set(
      'X-Workspace-Id',
      foreignId,
    )
    expect(two.status).toBe(400)
    expect(two.body).toMatchObject({
      code: 'invalid_input',
      fieldErrors: { workspaceId: 'The query and X-Workspace-Id name different workspaces.' },
    })
    const twice = await api[method](`${flat}?workspaceId=${workspaceId}&workspaceId=${workspaceId}`)
    expect(twice.status).toBe(400)
    expect(twice.body.fieldErrors).toEqual({ workspaceId: 'Send it only once.' })
  })

  test('refuses a workspace id out of bounds before anything else', async () => {
    const { flat } = pathsOf(id, workspaceId)
    const { status, body } = await service
      .api()
      [method](flat)
      .set('X-Workspace-Id', 'w'.repeat(161))
    expect(status).toBe(400)
    expect(Object.keys(body.fieldErrors)).toEqual(['workspaceId'])
  })

  test('requires a key', async () => {
    const { flat } = pathsOf(id, workspaceId)
    const { status, body } = await service.api()[method](`${flat}?workspaceId=${workspaceId}`)
    expect(status).toBe(401)
    expect(body.code).toBe('unauthenticated')
    const unnamed = await service.api()[method](flat)
    expect([unnamed.status, unnamed.body.code]).toEqual([401, 'unauthenticated'])
  })
})

describe.each([
  ['workspace', { name: 'Another name' }, { name: 'x' }],
  ['website', { headline: 'A headline' }, { theme: { font: '' } }],
])('the flat URL /v1/%s', (resource, change, bad) => {
  const flat = `/v1/${resource}`
  const explicit = () => `/v1/workspaces/${workspaceId}/${resource}`

  test('reads like the explicit path, including ETag and 304', async () => {
    const expected = await api.get(explicit())
    const answer = await api.get(`${flat}?workspaceId=${workspaceId}`)
    expect(answer.status).toBe(200)
    expect(answer.text).toBe(expected.text)
    expect(answer.headers.etag).toBe(expected.headers.etag)
    expect(answer.headers).toMatchObject(successor(explicit()))
    const unchanged = await api
      .get(flat)
      .set({ 'X-Workspace-Id': workspaceId, 'If-None-Match': expected.headers.etag! })
    expect(unchanged.status).toBe(304)
    expect(unchanged.headers).toMatchObject(successor(explicit()))
  })

  test('writes like the explicit path', async () => {
    const expected = await api.put(explicit()).send(change)
    expect(expected.status).toBe(200)
    const answer = await api.put(flat).set('X-Workspace-Id', workspaceId).send(change)
    expect(answer.status).toBe(200)
    expect(answer.text).toBe(expected.text)
    expect(answer.headers).toMatchObject(successor(explicit()))
  })

  test('refuses like the explicit path: bad bodies, unknown query names, stale ETags', async () => {
    type Send = (path: string, selector: Record<string, string>) => ReturnType<Client['get']>
    const refused: [string, Send][] = [
      ['', (path, selector) => api.put(path).set(selector).send(bad)],
      ['?colour=red', (path, selector) => api.get(path).set(selector)],
      ['', (path, selector) => api.put(path).set(selector).set('If-Match', '"other"').send(change)],
    ]
    for (const [search, send] of refused) {
      const expected = await send(explicit() + search, {})
      expect(expected.status).toBeGreaterThanOrEqual(400)
      const answer = await send(flat + search, { 'X-Workspace-Id': workspaceId })
      expect(answer.status).toBe(expected.status)
      expect(answer.text).toBe(expected.text)
      expect(answer.headers).toMatchObject(successor(explicit() + search))
    }
  })

  test('accepts the methods of the explicit path and names them', async () => {
    const { status, body, headers } = await api.delete(`${flat}?workspaceId=${workspaceId}`)
    expect(status).toBe(405)
    expect(body.code).toBe('method_not_allowed')
    expect(headers.allow).toBe('GET, HEAD, PUT')
  })

  test('is not served at the dashboard', async () => {
    const person = await service.givenPerson()
    const { status } = await service.dashboard(person).get(`${flat}?workspaceId=${workspaceId}`)
    expect(status).toBe(404)
  })
})

test('a flat URL without a workspace is 401 with a key that has ended', async () => {
  const owner = await service.givenPerson()
  const { id, key } = await service.givenKey(owner)
  await sql`update api_keys set expires_at = ${service.now()} where id = ${id}`.execute(service.db)
  const { status, body, headers } = await service.api(key).get('/v1/products')
  expect([status, body.code]).toEqual([401, 'token_expired'])
  expect(headers).toHaveProperty('www-authenticate')
})

describe('the successor of a flat URL', () => {
  const link = async (flat: string) => (await api.get(flat)).headers.link
  const linkTo = (search: string) =>
    successor(`/v1/workspaces/${workspaceId}/products${search}`).link

  test('keeps the rest of the query and answers the same', async () => {
    const rest = 'page=2&search=kale%20%26%20ros%C3%A9'
    const flat = `/v1/products?page=2&workspaceId=${workspaceId}&search=kale+%26+ros%C3%A9`
    const answer = await api.get(flat)
    expect(answer.status).toBe(200)
    expect(answer.headers.link).toBe(linkTo(`?${rest}`))
    const next = await api.get(`/v1/workspaces/${workspaceId}/products?${rest}`)
    expect(next.text).toBe(answer.text)
  })

  test('has no query where only the workspace was named', async () => {
    expect(await link(`/v1/products?workspaceId=${workspaceId}`)).toBe(linkTo(''))
    expect(await link(`/v1/products?&workspaceId=${workspaceId}&`)).toBe(linkTo(''))
  })

  test('cannot be ended early by what the query holds', async () => {
    // Most clients encode these characters, so the line is written by hand.
    const path = `/v1/products?workspaceId=${workspaceId}&search=>;rel="next",%0D%0AX:y`
    const { headers } = await exchange(service.urls.api, requestText('GET', path))
    expect(headers.link).toBe(linkTo('?search=%3E%3Brel%3D%22next%22%2C%0D%0AX%3Ay'))
  })
})

describe('an explicit path', () => {
  test('accepts the header only for the same workspace', async () => {
    const path = `/v1/workspaces/${workspaceId}/workspace`
    expect((await api.get(path).set('X-Workspace-Id', workspaceId)).status).toBe(200)
    const other = await api.get(path).set('X-Workspace-Id', foreignId)
    expect(other.status).toBe(400)
    expect(other.body.fieldErrors).toEqual({
      'X-Workspace-Id': 'Does not match the workspace in the path.',
    })
    const query = await api.get(`${path}?workspaceId=${workspaceId}`)
    expect(query.status).toBe(400)
    expect(query.body.fieldErrors).toEqual({ workspaceId: 'Unknown parameter.' })
  })
})

describe.each(['/v1/workspaces', '/v1/templates'])('the account endpoint %s', (path) => {
  test('accepts no workspace selector', async () => {
    const query = await api.get(`${path}?workspaceId=${workspaceId}`)
    expect(query.status).toBe(400)
    const reason =
      path === '/v1/templates'
        ? 'Unknown parameter.'
        : 'Unknown parameter; known are page, pageSize.'
    expect(query.body.fieldErrors).toEqual({ workspaceId: reason })
    const header = await api.get(path).set('X-Workspace-Id', workspaceId)
    expect(header.status).toBe(400)
    expect(header.body.fieldErrors).toEqual({
      'X-Workspace-Id': 'This path belongs to the account. Leave the header out.',
    })
  })
})
