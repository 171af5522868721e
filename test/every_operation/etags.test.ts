import type { Response } from 'supertest'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { OperationId } from '../../src/operation.ts'
import { argumentsOf, errorOf, message, post, resultOf } from '../kit/agents.ts'
import { bearer, credentialOf, givenScene, type Scene, send, validCall } from './fixtures.ts'
import {
  type Call,
  declarationOf,
  everyWayTo,
  mainWayTo,
  operationIds,
  rows,
} from './operations.ts'
import { givenProduct, givenShop } from '../kit/catalogue.ts'
import { startService, type TestService } from '../kit/service.ts'
import { statementsOf } from '../kit/statements.ts'

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

  test.each(['products', 'experience/products'])(
    'finds %s unchanged in one small read, until something changes',
    async (name) => {
      const shop = await givenShop(service)
      const product = await givenProduct(shop)
      const at = (path: string) => `/v1/workspaces/${shop.workspaceId}/${path}`
      const { etag } = (await shop.api.get(at(name))).headers
      const again = () => shop.api.get(at(name)).set('If-None-Match', etag!)
      expect((await again()).status).toBe(304)
      let unchanged: Response | undefined
      const sent = await statementsOf(service, async () => (unchanged = await again()))
      expect([unchanged!.status, unchanged!.headers.etag]).toEqual([304, etag])
      expect(sent.map((text) => /feed_heads|api_keys/.exec(text)?.[0])).toEqual([
        'api_keys',
        'feed_heads',
      ])
      await shop.api.patch(at(`products/${product.id}`)).send({ stock: 7 })
      const { status, text } = await again()
      expect([status, text.includes('"stock":7')]).toEqual([200, true])
    },
  )

  test('finds out whose answer is unchanged', async () => {
    const shop = await givenShop(service)
    const list = `/v1/workspaces/${shop.workspaceId}/products`
    const { etag } = (await shop.api.get(list)).headers
    const again = (path: string) => shop.api.get(path).set('If-None-Match', etag!)
    expect((await again(list)).status).toBe(304)
    expect((await again(`${list}?pageSize=3`)).status).toBe(200)
    const other = service.api((await service.givenKey(await service.givenPerson())).key)
    expect((await other.get(list).set('If-None-Match', etag!)).status).toBe(403)
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
    ['its weak form', (etag) => `W/${etag}`],
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
    ['the weak form of another', () => 'W/"other"'],
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

function answeredSchema(id: OperationId): string | undefined {
  const { content } = declarationOf(id).responses[rows[id].status]!
  return content?.['application/json']?.schema.$ref
}

/** The operation that reads what a write answers: the one with the same schema. */
function readOf(id: OperationId): OperationId | undefined {
  const schema = answeredSchema(id)
  return operationIds.find((read) => {
    const { revalidates, surface } = rows[read]
    const sameResource = schema !== undefined && answeredSchema(read) === schema
    return sameResource && revalidates && surface === rows[id].surface
  })
}

const writes = operationIds.filter((id) => rows[id].method !== 'get' && readOf(id) !== undefined)

/** Reads what the write answered, with the same headers, so as the same visitor. */
function readBack(scene: Scene, id: OperationId, { path, headers }: Call, body: unknown) {
  const read = readOf(id)!
  const { id: own = path.id ?? '' } = body as { id?: string }
  const workspaceId = id === 'create_workspace' ? own : scene.workspace.id
  const visitor = Object.entries(headers).filter(([name]) => name !== 'Content-Type')
  const call = {
    path: { workspaceId, id: own },
    query: {},
    headers: Object.fromEntries(visitor),
    body: undefined,
  }
  return send(service, read, mainWayTo(read), call, bearer(scene.key))
}

async function callTool(scene: Scene, id: OperationId, call: Call, meta = {}): Promise<Response> {
  const { token } = await service.givenAgent(scene.owner)
  const params = { name: id, arguments: argumentsOf(id, call), _meta: meta }
  return post(service, message('tools/call', params), bearer(token))
}

describe('the ETag that a write answers', () => {
  test('belongs to each of the writes that answer one resource', () => {
    expect(writes).toHaveLength(38)
  })

  test.each(writes)('of %s is the one that a following read gives', async (id) => {
    const scene = await givenScene(service)
    const call = await validCall(id, scene)
    const way = mainWayTo(id)
    const written = await send(service, id, way, call, credentialOf(scene, way))
    const read = await readBack(scene, id, call, written.body)
    expect(read.status).toBe(200)
    expect(written.headers.etag).toBe(read.headers.etag)
    expect(written.headers['cache-control']).toBe('no-store')
  })

  test.each(writes.filter((id) => everyWayTo(id).some((way) => way.tool)))(
    'of %s stands in the _meta of the tool',
    async (id) => {
      const scene = await givenScene(service)
      const call = await validCall(id, scene)
      const result = resultOf(await callTool(scene, id, call))
      const read = await readBack(scene, id, call, result.structuredContent)
      expect(result._meta).toMatchObject({ etag: read.headers.etag })
    },
  )

  test('is sent with the resource even if If-None-Match names it', async () => {
    const { api, path, etag } = await givenOwner()
    const { status, headers } = await api.put(path).set('If-None-Match', '*').send({ name: 'New' })
    expect(status).toBe(200)
    expect(headers.etag).toBe(await etag())
  })
})

const associations: OperationId[] = [
  'add_product_tag',
  'remove_product_tag',
  'add_collection_product',
  'remove_collection_product',
  'add_collection_tag',
  'remove_collection_tag',
]

describe.each(associations)('If-Match on %s', (id) => {
  async function givenAssociation() {
    const scene = await givenScene(service)
    const call = await validCall(id, scene)
    const { headers } = await readBack(scene, id, call, {})
    return { scene, call, etag: headers.etag as string }
  }
  const sendWith = (scene: Scene, call: Call, etag: string) =>
    send(service, id, mainWayTo(id), { ...call, headers: { 'If-Match': etag } }, bearer(scene.key))

  test('with the current tag allows the write, over REST and as a tool', async () => {
    const { scene, call, etag } = await givenAssociation()
    const { status, headers } = await sendWith(scene, call, etag)
    expect(status).toBe(200)
    const result = resultOf(await callTool(scene, id, call, { ifMatch: headers.etag }))
    expect(result.isError).toBeUndefined()
  })

  test('with a stale tag is 409 and changes nothing, over REST and as a tool', async () => {
    const { scene, call, etag } = await givenAssociation()
    const overRest = await sendWith(scene, call, '"stale"')
    expect([overRest.status, overRest.body.code]).toEqual([409, 'write_conflict'])
    const asTool = errorOf(await callTool(scene, id, call, { ifMatch: '"stale"' }))
    expect([asTool.status, asTool.code]).toEqual([409, 'write_conflict'])
    expect((await readBack(scene, id, call, {})).headers.etag).toBe(etag)
  })
})
