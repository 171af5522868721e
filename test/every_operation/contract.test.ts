import { EventEmitter, once } from 'node:events'
import { join } from 'node:path'
import { Validator } from '@seriousme/openapi-schema-validator'
import request, { type Response } from 'supertest'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { generate } from '../../codegen/generate.ts'
import { handlers } from '../../handlers/index.ts'
import { adjustCredits } from '../../src/domain/credits/wallet.ts'
import { type ErrorCode, errorCodes } from '../../src/generated/operations.ts'
import type { AccountCaller, Handlers, OperationId } from '../../src/operation.ts'
import { contractViolations } from './contract_answers.ts'
import { createDatabase, type TestDatabase } from '../kit/database.ts'
import {
  aContactMessage,
  aMailedCode,
  credentialOf,
  givenMember,
  givenScene,
  ownOrigin,
  type Scene,
  send,
  validCall,
  multipart,
} from './fixtures.ts'
import {
  type Call,
  declared,
  mainWayTo,
  operationIds,
  resourceNames,
  rows,
  servedIds,
} from './operations.ts'
import { allScopes, type Client, startService, type TestService, unique } from '../kit/service.ts'
import { givenGuest } from '../kit/visitors.ts'

const root = join(import.meta.dirname, '..', '..')

/** The API takes a product in any script, the dashboard takes forms. */
const maxBodyBytes = (id: OperationId) =>
  rows[id].path.startsWith('/v1/') ? 5 * 1024 * 1024 : 64 * 1024

/** How every handler of the faulty service ends. */
let misbehave: () => Promise<never>
const faultyHandlers = Object.fromEntries(
  operationIds.map((id) => [id, () => misbehave()]),
) as unknown as Handlers

let database: TestDatabase
let service: TestService
let limited: TestService
let faulty: TestService
beforeAll(async () => {
  database = await createDatabase()
  const databaseUrl = database.url
  service = await startService({ databaseUrl })
  const env = { RATE_LIMIT_PER_MINUTE: '1', BASE_URL: 'https://api.shop.example' }
  limited = await startService({ databaseUrl, env })
  faulty = await startService({ databaseUrl, handlers: faultyHandlers })
  untouched = await givenScene(service)
})
afterAll(async () => {
  for (const each of [service, limited, faulty]) await each.close()
  await database.drop()
})

let scene: Scene
/** Stays as it is: every call in it is refused. */
let untouched: Scene

const inFreshScene = async () => {
  scene = await givenScene(service)
}
const inUntouchedScene = () => {
  scene = untouched
}
/** What is answered before anything is done. */
const refusedAtOnce = [400, 401, 404, 413, 415, 500, 503]

/** The owner's call of an operation, with parts that differ from a valid one. */
async function call(id: OperationId, change: Partial<Call> = {}, at = service): Promise<Response> {
  const way = mainWayTo(id)
  const valid = await validCall(id, scene)
  const headers = { ...valid.headers, ...change.headers }
  return send(at, id, way, { ...valid, ...change, headers }, credentialOf(scene, way))
}

/** The owner's valid call of an operation, after something has happened to it. */
async function callAfter(
  id: OperationId,
  happen: (valid: Call) => PromiseLike<unknown>,
): Promise<Response> {
  const way = mainWayTo(id)
  const valid = await validCall(id, scene)
  await happen(valid)
  return send(service, id, way, valid, credentialOf(scene, way))
}

/** How each status is produced, for whichever operation declares it. */
const producers: Record<number, (id: OperationId) => Promise<Response>> = {
  200: (id) => call(id),
  201: (id) => call(id),
  202: (id) => call(id),
  204: (id) => call(id),
  304: async (id) => {
    const { path, headers: own } = await validCall(id, scene)
    const { headers } = await call(id, { path, headers: own })
    return call(id, { path, headers: { ...own, 'If-None-Match': headers.etag! } })
  },
  400: (id) => call(id, { query: { unknown: 'x' } }),
  401: async (id) => {
    if (rows[id].auth === 'none') return call(id, { body: declared(id).bodyExamples[0] })
    const way = mainWayTo(id)
    const headers = { Origin: ownOrigin(service, way) }
    return send(service, id, way, await validCall(id, scene), headers)
  },
  402: async (id) => callAfter(id, () => moveCredits(-10)),
  403: async (id) => {
    if (id === 'complete_media_upload') return callAfter(id, () => suspend('workspace'))
    const scopes = allScopes.filter((scope) => scope !== rows[id].scope)
    scene = { ...scene, key: (await service.givenKey(scene.owner, { scopes })).key }
    if (mainWayTo(id).origin === 'dashboard' && rows[id].method === 'get') await suspend('account')
    return call(id, { headers: { Origin: 'https://site.example' } })
  },
  404: async (id) => {
    const { path, body } = await validCall(id, scene)
    // A conversation is named in the body.
    if (resourceNames(id).length === 0)
      return call(id, { body: { ...(body as object), threadId: 'unknown' } })
    for (const name of resourceNames(id)) path[name] = 'unknown'
    return call(id, { path })
  },
  409: (id) => conflict(id),
  413: async (id) => {
    const { body } = await validCall(id, scene)
    if (rows[id].body === 'json') return call(id, { body: paddedTo(maxBodyBytes(id) + 1, body) })
    if (rows[id].body === 'bytes')
      return call(id, { body: Buffer.concat([body as Buffer, Buffer.alloc(1)]) })
    const file = { name: 'files', bytes: Buffer.alloc(10 * 1024 * 1024 + 1) }
    return call(id, multipart([file]))
  },
  415: (id) => call(id, { headers: { 'Content-Type': 'text/plain' } }),
  429: async (id) => {
    // The smallest setting leaves some limits a few calls.
    for (let calls = 0; calls < 9; calls++) {
      const response = await call(id, {}, limited)
      if (response.status === 429) return response
    }
    return call(id, {}, limited)
  },
  500: (id) => {
    misbehave = () => Promise.reject(new Error('secret internal text'))
    return call(id, {}, faulty)
  },
  503: (id) => {
    const error = Object.assign(new Error('secret internal text'), { code: 'ECONNREFUSED' })
    misbehave = () => Promise.reject(error)
    return call(id, {}, faulty)
  },
}

/** The JSON of a body with blanks after it, of so many bytes in all. */
function paddedTo(bytes: number, body: unknown): string {
  const json = JSON.stringify(body)
  return json + ' '.repeat(bytes - Buffer.byteLength(json))
}

/** A conflict: by the headers where an operation takes them, else by what the table prepares. */
async function conflict(id: OperationId): Promise<Response> {
  if (declared(id).parameters.some(({ name }) => name === 'If-Match'))
    return call(id, { headers: { 'If-Match': '"stale"' } })
  if (rows[id].takesIdempotencyKey) {
    const { path, body, headers: own } = await validCall(id, scene)
    const again = { path, body, headers: { ...own, 'Idempotency-Key': 'once' } }
    await call(id, again)
    // As the record stands while the first call is still under way.
    await service.db.updateTable('idempotency_records').set({ status: null, body: null }).execute()
    return call(id, again)
  }
  const prepare = conflicts[id]
  if (!prepare) throw new Error(`Nothing here makes ${id} conflict.`)
  return call(id, await prepare())
}

const conflicts: Partial<Record<OperationId, () => Promise<Partial<Call>>>> = {
  accept_invitation: async () => {
    const workspace = await service.givenWorkspace(await service.givenPerson())
    await givenMember({ service, workspace }, scene.owner, 'staff')
    const id = await givenMember({ service, workspace }, scene.owner, 'billing', 'INVITED')
    return { path: { id } }
  },
  complete_media_upload: async () => {
    const used = await validCall('complete_media_upload', scene)
    await call('complete_media_upload', used)
    return used
  },
  add_member: () => Promise.resolve({ body: { email: scene.owner.email, role: 'staff' } }),
  create_contact_request: async () => {
    const { email } = await aContactMessage(scene)
    const again = async () => ({
      ...declared('create_contact_request').bodyExamples[0],
      ...(await aContactMessage(scene)),
      email,
    })
    expect((await call('create_contact_request', { body: await again() })).status).toBe(200)
    return { body: await again() }
  },
  remove_member: async () => ({ path: { workspaceId: scene.workspace.id, id: await ownersId() } }),
  update_account_email: async () => {
    const { email } = await service.givenPerson()
    return { body: await aMailedCode(scene, '/api/account/email/code', email) }
  },
  update_member: async () => ({ path: { workspaceId: scene.workspace.id, id: await ownersId() } }),
}

/** Adds credits to the wallet of the scene, or takes them. */
async function moveCredits(credits: number): Promise<void> {
  const move = { credits, reason: 'A test', reference: unique('move'), now: service.now() }
  await service.db.transaction().execute((trx) => adjustCredits(trx, scene.workspace.id, move))
}

async function ownersId(): Promise<string> {
  const path = `/api/workspaces/${scene.workspace.id}/members`
  const { body } = await service.dashboard(scene.owner).get(path)
  return body.members[0].id
}

async function suspend(what: 'account' | 'workspace'): Promise<void> {
  const { owner, workspace } = scene
  const id = what === 'account' ? owner.accountId : workspace.id
  const set = service.db.updateTable(`${what}s` as const).set({ status: 'SUSPENDED' })
  await set.where('id', '=', id).execute()
}

describe('the generated files', () => {
  test('are those of the contract', async () => {
    const contractFile = join(root, 'openapi.yaml')
    const outDir = join(root, 'src/generated')
    const verdict = await generate({ contractFile, outDir, mode: 'check' })
    expect(verdict).toEqual({ ok: true, lines: [] })
  })
})

describe.each(servedIds)('%s', (id) => {
  const { responses } = declared(id)
  const statuses = Object.keys(responses).map(Number)
  const answersAsDeclared = async (status: number) => {
    const produce = producers[status]
    if (!produce) throw new Error(`Nothing here produces ${status}.`)
    const { text, body, headers, ...response } = await produce(id)
    expect(response.status).toBe(status)
    expect(contractViolations(id, { status, body: text || undefined })).toEqual([])
    if (status >= 400) expect(body.status).toBe(status)
    const names = Object.keys(responses[status]?.headers ?? {})
    expect(names.filter((name) => !(name.toLowerCase() in headers))).toEqual([])
  }

  describe('that is refused at once', () => {
    beforeEach(inUntouchedScene)

    const refused = statuses.filter((status) => refusedAtOnce.includes(status))
    test.each(refused)('answers %d as declared', answersAsDeclared)

    test('keeps the details of a fault to the log', async () => {
      const { text, headers } = await producers[500]!(id)
      expect(JSON.parse(text)).toEqual({
        status: 500,
        code: 'internal',
        message: 'Something went wrong on our side. The request id helps us to find it.',
      })
      expect(JSON.stringify(headers)).not.toContain('secret internal text')
      const line = faulty.logged().find(({ requestId }) => requestId === headers['x-request-id'])
      expect(line).toMatchObject({ operation: id, err: { message: 'secret internal text' } })
    })

    test('says when to come back while the database is away', async () => {
      const { headers, body } = await producers[503]!(id)
      expect(headers['retry-after']).toBe('5')
      expect(JSON.stringify(body)).not.toContain('secret internal text')
    })
  })

  describe('that is looked at', () => {
    beforeEach(inFreshScene)

    const others = statuses.filter((status) => !refusedAtOnce.includes(status))
    test.each(others)('answers %d as declared', answersAsDeclared)

    if (rows[id].body === 'json')
      test('takes a body of exactly the size that it may have', async () => {
        const { body, headers } = await validCall(id, scene)
        const padded = paddedTo(maxBodyBytes(id), body)
        expect((await call(id, { body: padded, headers })).status).toBe(rows[id].status)
      })

    takesItsExamples(id)
  })
})

function takesItsExamples(id: OperationId): void {
  const { bodyExamples, parameters } = declared(id)
  if (bodyExamples.length > 0)
    test.each(bodyExamples)('takes the example of the contract: %j', async (body) => {
      const { status, body: answer } = await call(id, { body })
      const refused = refusedExamples[id]
      if (refused) expect([status, answer.code]).toEqual(refused.answer)
      else expect(status).toBe(rows[id].status)
    })

  const examples = parameters.filter((parameter) => parameter.in === 'query')
  if (examples.length > 0)
    test('takes the examples of its query', async () => {
      const query = examples.map(({ name, example }) => [name, String(example)] as const)
      const { status } = await call(id, { query: Object.fromEntries(query) })
      expect(status).toBe(rows[id].status)
    })
}

/** Examples that show the form of a call that nobody can make as it stands. */
const refusedExamples: Partial<
  Record<OperationId, { answer: [status: number, code: ErrorCode]; because: string }>
> = {
  analyze_face: { answer: [400, 'no_face'], because: 'The picture of the example is a dot.' },
  chat_about_product: {
    answer: [400, 'invalid_input'],
    because: 'Each workspace has products of its own.',
  },
  create_contact_request: {
    answer: [403, 'challenge_failed'],
    because: 'A challenge is solved once.',
  },
  create_session: { answer: [401, 'code_invalid'], because: 'Each code is mailed to somebody.' },
  create_staff_session: {
    answer: [401, 'code_invalid'],
    because: 'Each code is mailed to somebody.',
  },
  update_account_email: {
    answer: [400, 'invalid_input'],
    because: 'Each code is mailed to somebody.',
  },
  update_customer_profile: {
    answer: [400, 'invalid_input'],
    because: 'Each customer has an address of their own.',
  },
  verify_customer_code: {
    answer: [401, 'code_invalid'],
    because: 'Each code is mailed to somebody.',
  },
}

describe('get_account', () => {
  beforeEach(inFreshScene)

  test('is a tool and no route', async () => {
    const { status: atApi } = await service.api(scene.key).get('/v1/account')
    const { status: atDashboard } = await service.dashboard(scene.owner).get('/v1/account')
    expect([atApi, atDashboard]).toEqual([404, 404])
  })

  test('answers the account as declared', async () => {
    const { accountId, email } = scene.owner
    const caller = { db: service.db, accountId } as AccountCaller
    const account = await handlers.get_account({} as never, caller)
    expect(account).toMatchObject({ id: accountId, email })
    const body = JSON.stringify(account)
    expect(contractViolations('get_account', { status: 200, body })).toEqual([])
  })
})

const api = () => service.api(scene.key)
const inWorkspace = (path: string) => `/v1/workspaces/${scene.workspace.id}/${path}`
const profile = () => inWorkspace('workspace')

/** A call that is refused with each code. */
const refusals: Record<ErrorCode, () => Promise<Response>> = {
  invalid_input: async () => api().get('/v1/workspaces?page=0'),
  missing_workspace: async () => api().get('/v1/workspace'),
  subdomain_unavailable: () => createWorkspace({ subDomain: scene.workspace.subDomain }),
  subdomain_cooldown: async () => {
    await api()
      .put(profile())
      .send({ subDomain: `${scene.workspace.subDomain}-2` })
      .expect(200)
    return api()
      .put(profile())
      .send({ subDomain: `${scene.workspace.subDomain}-3` })
  },
  workspace_limit_reached: async () => {
    await service.givenPerson({ email: scene.owner.email, workspaceLimit: 1 })
    return createWorkspace({})
  },
  unknown_template: () => createWorkspace({ templateKey: 'unknown' }),
  unauthenticated: async () => service.api().get('/v1/workspaces'),
  token_expired: async () => {
    const { key } = await service.givenKey(scene.owner, { expiresInDays: 0 })
    return service.api(key).get('/v1/workspaces')
  },
  token_revoked: async () => {
    const { key, id } = await service.givenKey(scene.owner)
    await service.dashboard(scene.owner).delete(`/api/keys/${id}`).expect(200)
    return service.api(key).get('/v1/workspaces')
  },
  wrong_environment: async () => service.api('wsk_live_x').get('/v1/workspaces'),
  code_invalid: () => producers[401]!('create_session'),
  sign_in_required: async () =>
    api().get(inWorkspace('experience/customer/session')).set(givenGuest(scene).headers),
  visitor_required: async () => api().get(inWorkspace('experience/customer/session')),
  access_restricted: async () => {
    await api().put(profile()).send({ isVisible: false }).expect(200)
    return call('create_feedback')
  },
  no_face: async () => call('analyze_face', { body: declared('analyze_face').bodyExamples[0] }),
  insufficient_credits: () => producers[402]!('chat_about_product'),
  wallet_in_debt: () => callAfter('chat_about_product', () => moveCredits(-11)),
  ai_mode_disabled: async () => {
    const settings = { fastEnabled: false, comprehensiveEnabled: true, sector: 'AUTO' }
    await api().put(inWorkspace('ai-settings')).send(settings).expect(200)
    return call('chat_about_product')
  },
  quota_exceeded: async () => {
    const accessPolicy = { customerDailyRequests: 0 }
    await api().put(inWorkspace('website')).send({ accessPolicy }).expect(200)
    return call('chat_about_product')
  },
  challenge_required: async () => askForCode({}),
  challenge_failed: async () => askForCode({ challengeToken: 'nonsense' }),
  insufficient_scope: () => producers[403]!('list_workspaces'),
  account_inactive: async () => {
    await suspend('account')
    return api().get('/v1/workspaces')
  },
  workspace_inactive: async () => {
    await suspend('workspace')
    return api().get(profile())
  },
  not_owner: async () => api().get('/v1/workspaces/unknown/workspace'),
  role_insufficient: async () => {
    const person = await service.givenPerson()
    await givenMember(scene, person, 'staff')
    return service.dashboard(person).get(profile())
  },
  source_blocked: async () => {
    const { key } = await service.givenKey(scene.owner, { name: 'blocked' })
    const block = service.db.updateTable('integration_sources').set({ status: 'BLOCKED' })
    await block.where('identity', '=', `${scene.owner.accountId}/blocked`).execute()
    return service.api(key).get('/v1/workspaces')
  },
  origin_refused: () => producers[403]!('delete_session'),
  not_found: async () => api().get('/v1/nothing'),
  method_not_allowed: async () => api().delete('/v1/templates'),
  duplicate: () => conflict('add_member'),
  write_conflict: () => conflict('update_workspace'),
  contact_pending: () => conflict('create_contact_request'),
  last_owner: () => conflict('remove_member'),
  upload_used: () => conflict('complete_media_upload'),
  idempotency_mismatch: async () => {
    const headers = { 'Idempotency-Key': 'mismatch' }
    await call('create_workspace', { headers })
    return call('create_workspace', { headers })
  },
  idempotency_in_progress: () => callWhileRunning(),
  payload_too_large: () => producers[413]!('update_website'),
  unsupported_media_type: () => producers[415]!('update_website'),
  rate_limited: () => producers[429]!('list_templates'),
  internal: () => producers[500]!('get_config'),
  unavailable: () => producers[503]!('get_config'),
}

async function createWorkspace(change: object): Promise<Response> {
  const { body } = await validCall('create_workspace', scene)
  return call('create_workspace', { body: { ...(body as object), ...change } })
}

/** A guest's request for a sign-in code, where the policy asks guests for a solved challenge. */
async function askForCode(change: object): Promise<Response> {
  const said = { name: 'Ece', email: 'ece@example.com', ...change }
  return api().post(inWorkspace('experience/customer/otp/request')).send(said)
}

/** Asks again while the first call with the same Idempotency-Key stands in its handler. */
async function callWhileRunning(): Promise<Response> {
  const gate = new EventEmitter()
  misbehave = async () => {
    gate.emit('entered')
    await once(gate, 'released')
    throw new Error('The first call ends.')
  }
  const { body } = await validCall('create_workspace', scene)
  const parts = { headers: { 'Idempotency-Key': 'once' }, body }
  const entered = once(gate, 'entered')
  const first = call('create_workspace', parts, faulty)
  await entered
  const second = await call('create_workspace', parts, faulty)
  gate.emit('released')
  expect((await first).status).toBe(500)
  return second
}

describe('the error codes', () => {
  beforeEach(inFreshScene)

  const codes = Object.keys(errorCodes) as ErrorCode[]

  test.each(codes)('include %s', async (code) => {
    const { status, body } = await refusals[code]()
    expect(body.code).toBe(code)
    expect([status, body.status]).toEqual([errorCodes[code].status, errorCodes[code].status])
  })
})

describe('GET /v1/openapi.json', () => {
  const read = (client: Client) => client.get('/v1/openapi.json')

  test('shows everybody the public operations, each with its scope', async () => {
    const { status, headers, body } = await read(service.api())
    expect(status).toBe(200)
    expect(headers['content-type']).toBe('application/json; charset=utf-8')
    expect(headers['cache-control']).toBe('public, max-age=300')
    const shown = Object.values<object>(body.paths).flatMap((item) =>
      Object.values<{ operationId?: string; security: unknown }>(item as never).flatMap(
        ({ operationId, security }) => (operationId ? [[operationId, security] as const] : []),
      ),
    )
    const surfaces = ['management', 'experience']
    const expected = servedIds.filter((id) => surfaces.includes(rows[id].surface))
    expect(Object.fromEntries(shown)).toEqual(
      Object.fromEntries(
        expected.map((id) => {
          const { auth, scope } = rows[id]
          return [id, auth === 'none' ? [] : [{ accountKey: [scope] }]]
        }),
      ),
    )
  })

  test('is OpenAPI 3.1 and stands by itself', async () => {
    const { text } = await read(service.api())
    const document = JSON.parse(text)
    expect(document.openapi).toBe('3.1.0')
    const references = [...text.matchAll(/"\$ref":"([^"]*)"/g)].map(([, reference]) => reference!)
    expect(references.length).toBeGreaterThan(0)
    expect(references.filter((reference) => valueAt(document, reference) === undefined)).toEqual([])
    expect(await new Validator().validate(document)).toEqual({ valid: true })
  })

  test('names the public address of the service', async () => {
    const { body } = await read(service.api())
    expect(body.servers).toEqual([{ url: service.config.baseUrl }])
    const elsewhere = await read(limited.api())
    expect(elsewhere.body.servers).toEqual([{ url: 'https://api.shop.example' }])
  })

  test('is not sent again to who has it', async () => {
    const { etag } = (await read(service.api())).headers
    expect(etag).toMatch(/^"[^"]+"$/)
    const { status, text } = await read(service.api()).set('If-None-Match', etag!)
    expect([status, text]).toEqual([304, ''])
  })

  test('is served at the API alone', async () => {
    for (const origin of ['dashboard', 'admin'] as const)
      expect((await request(service.urls[origin]).get('/v1/openapi.json')).status).toBe(404)
  })
})

function valueAt(document: unknown, reference: string): unknown {
  if (!reference.startsWith('#/')) return undefined
  const names = reference.slice(2).split('/')
  return names.reduce<unknown>(
    (node, name) => (node as Record<string, unknown> | undefined)?.[name],
    document,
  )
}
