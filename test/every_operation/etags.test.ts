import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startService, type TestService } from '../kit/service.ts'

let service: TestService
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service.close())

const resources = ['workspace', 'website'] as const
type Resource = (typeof resources)[number]

/** A change of each resource, and the same field set to another value. */
const changes: Record<Resource, [object, object]> = {
  workspace: [{ name: 'First' }, { name: 'Second' }],
  website: [{ headline: 'First' }, { headline: 'Second' }],
}

async function givenOwner(resource: Resource = 'workspace') {
  const person = await service.givenPerson()
  const workspace = await service.givenWorkspace(person)
  const { key } = await service.givenKey(person)
  const api = service.api(key)
  const path = `/v1/workspaces/${workspace.id}/${resource}`
  const etag = async () => (await api.get(path)).headers.etag as string
  return { person, workspace, key, api, path, etag }
}

describe('ETag', () => {
  test('is sent for resources and lists, and hashes the representation', async () => {
    const { person, workspace, api } = await givenOwner()
    for (const path of [
      '/v1/workspaces',
      '/v1/templates',
      `/v1/workspaces/${workspace.id}/workspace`,
      `/v1/workspaces/${workspace.id}/website`,
    ]) {
      const { headers } = await api.get(path)
      expect(headers.etag).toMatch(/^"[A-Za-z0-9_-]{22}"$/)
      expect(headers['cache-control']).toBe('private, no-cache')
      expect((await api.get(path)).headers.etag).toBe(headers.etag)
      expect((await service.dashboard(person).get(path)).headers.etag).toBe(headers.etag)
    }
  })

  test('changes with the representation, and back with it', async () => {
    const { workspace, api, path, etag } = await givenOwner()
    const before = await etag()
    await api.put(path).send({ name: 'Another name' })
    expect(await etag()).not.toBe(before)
    await api.put(path).send({ name: workspace.name })
    expect(await etag()).toBe(before)
  })

  test('of a list changes with its items', async () => {
    const { person, api } = await givenOwner()
    const before = (await api.get('/v1/workspaces')).headers.etag
    await service.givenWorkspace(person)
    expect((await api.get('/v1/workspaces')).headers.etag).not.toBe(before)
  })

  test('is sent for HEAD too', async () => {
    const { key, path, etag } = await givenOwner()
    const answer = await fetch(service.urls.api + path, {
      method: 'HEAD',
      headers: { Authorization: `Bearer ${key}` },
    })
    expect(answer.status).toBe(200)
    expect(answer.headers.get('etag')).toBe(await etag())
    expect(await answer.text()).toBe('')
  })
})

describe('If-None-Match', () => {
  test.each<[string, (etag: string) => string]>([
    ['the current tag', (etag) => etag],
    ['its weak form', (etag) => `W/${etag}`],
    ['a list with it', (etag) => `"other", ${etag} ,"third"`],
    ['a list with its weak form', (etag) => `"other",W/${etag}`],
    ['any tag', () => '*'],
  ])('with %s gives 304 without a body', async (_what, header) => {
    const { api, path, etag } = await givenOwner()
    const current = await etag()
    const { status, text, headers } = await api.get(path).set('If-None-Match', header(current))
    expect(status).toBe(304)
    expect(text).toBe('')
    expect(headers.etag).toBe(current)
    expect(headers['content-type']).toBeUndefined()
  })

  test.each<[string, (etag: string) => string]>([
    ['another tag', () => '"other"'],
    ['the tag without its quotes', (etag) => etag.slice(1, -1)],
    ['a longer tag', (etag) => `${etag.slice(0, -1)}x"`],
  ])('with %s gives the representation', async (_what, header) => {
    const { workspace, api, path, etag } = await givenOwner()
    const { status, body } = await api.get(path).set('If-None-Match', header(await etag()))
    expect(status).toBe(200)
    expect(body).toEqual(workspace)
  })

  test('with a stale ETag gives the new representation', async () => {
    const { api, path, etag } = await givenOwner()
    const before = await etag()
    await api.put(path).send({ name: 'Another name' })
    const { status, body } = await api.get(path).set('If-None-Match', before)
    expect(status).toBe(200)
    expect(body.name).toBe('Another name')
  })

  test('reveals nothing to a caller who may not read', async () => {
    const { path } = await givenOwner()
    const { key } = await service.givenKey(await service.givenPerson())
    const { status } = await service.api(key).get(path).set('If-None-Match', '*')
    expect(status).toBe(403)
  })
})

describe.each(resources)('If-Match on the %s', (resource) => {
  const [first, second] = changes[resource]

  test.each<[string, (etag: string) => string]>([
    ['the current tag', (etag) => etag],
    ['a list with it', (etag) => `"other", ${etag}`],
    ['any tag', () => '*'],
  ])('with %s allows the write', async (_what, header) => {
    const { api, path, etag } = await givenOwner(resource)
    const { status, body } = await api
      .put(path)
      .set('If-Match', header(await etag()))
      .send(first)
    expect(status).toBe(200)
    expect(body).toMatchObject(first)
  })

  test.each<[string, (etag: string) => string]>([
    ['another tag', () => '"other"'],
    ['a list without it', () => '"other", "third"'],
    ['its weak form, which is not a strong match', (etag) => `W/${etag}`],
  ])('with %s is 409 write_conflict and changes nothing', async (_what, header) => {
    const { api, path, etag } = await givenOwner(resource)
    const current = await etag()
    const { status, body } = await api.put(path).set('If-Match', header(current)).send(first)
    expect(status).toBe(409)
    expect(body).toEqual({
      status: 409,
      code: 'write_conflict',
      message: 'This has changed since you read it. Read it again, then write.',
    })
    expect(await etag()).toBe(current)
  })

  test('with a stale ETag is 409, and without the header the last write wins', async () => {
    const { api, path, etag } = await givenOwner(resource)
    const before = await etag()
    await api.put(path).send(first)
    const stale = await api.put(path).set('If-Match', before).send(second)
    expect(stale.status).toBe(409)
    expect(stale.body.code).toBe('write_conflict')
    expect((await api.get(path)).body).toMatchObject(first)
    expect((await api.put(path).send(second)).status).toBe(200)
    expect((await api.get(path)).body).toMatchObject(second)
  })
})

describe('If-Match', () => {
  test('with the ETag of another resource is 409', async () => {
    const { workspace, api, path } = await givenOwner('workspace')
    const website = `/v1/workspaces/${workspace.id}/website`
    const { etag } = (await api.get(website)).headers
    const { status } = await api.put(path).set('If-Match', etag!).send({ name: 'Another name' })
    expect(status).toBe(409)
  })

  test('is checked before the billing code', async () => {
    const { person, workspace, api, path } = await givenOwner()
    const email = 'conditional@example.com'
    const codes = `/api/workspaces/${workspace.id}/billing-email/code`
    await service.dashboard(person).post(codes).send({ email })
    const change = { billingEmail: email, billingEmailCode: await service.codeFor(email) }
    const stale = await api.put(path).set('If-Match', '"other"').send(change)
    expect(stale.body.code).toBe('write_conflict')
    expect((await api.put(path).send(change)).body.billingEmail).toBe(email)
  })
})
