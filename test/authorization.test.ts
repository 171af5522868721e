import { createHash, randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import request, { type Response } from 'supertest'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { hashToken } from '../src/core/secrets.ts'
import type { components } from '../src/generated/types.ts'
import type { OperationId } from '../src/operation.ts'
import {
  bearer,
  type Call,
  cookie,
  credentialOf,
  declared,
  givenMember,
  givenScene,
  inWorkspace,
  operationIds,
  resourceNames,
  rows,
  type Scene,
  send,
  validCall,
  waysTo,
} from './every_operation.ts'
import { allScopes, type Person, startService, type TestService } from './service.ts'

let service: TestService
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service.close())

/** The operations that ask for no credential, and why. */
const publicOperations: Partial<Record<OperationId, string>> = {
  complete_media_upload: 'the secret in its path is the credential',
  create_session: 'signing in ends with it',
  get_config: 'a page reads it before anybody has signed in',
  request_session_code: 'signing in begins with it',
}

type Check =
  | 'credential'
  | 'scope'
  | 'ownership'
  | 'unknown workspace'
  | 'suspended account'
  | 'suspended workspace'
  | 'blocked source'
  | 'foreign id'
  | 'origin'

/** What an operation is let off, and why. The list may only become shorter. */
const exceptions: readonly { operation: OperationId; check: Check; reason: string }[] = []

/** What the roles below owner may do in the dashboard, by tag. */
const powers = {
  staff: ['products', 'collections', 'tags', 'media', 'questions', 'feedback', 'usage'],
  billing: ['wallet', 'credits', 'usage'],
}

describe('the table of exceptions', () => {
  test('holds none', () => {
    expect(exceptions).toHaveLength(0)
  })

  test('the operations without a credential are those that the contract opens', () => {
    const open = operationIds.filter((id) => declared(id).security.length === 0)
    expect(open).toEqual(Object.keys(publicOperations))
    expect(operationIds.filter((id) => rows[id].auth === 'none')).toEqual(open)
  })
})

const ways = operationIds.flatMap((id) => waysTo(id).map((way) => ({ id, way })))

describe.each(ways)('$id $way.name', ({ id, way }) => {
  const { scope, tag, method, status: success } = rows[id]
  const guarded = rows[id].auth !== 'none'
  const byKey = way.origin === 'api'
  let scene: Scene
  let call: Call
  beforeEach(async () => {
    scene = await givenScene(service)
    call = await validCall(id, scene)
  })

  const answer = (headers: Call['headers'], made = call) => send(service, id, way, made, headers)
  const allowed = async () => expect(outcome(await answer(credentialOf(scene, way)))).toBe(success)

  function check(name: Check, applies: boolean, title: string, run: () => Promise<void>): void {
    const excepted = exceptions.some((entry) => entry.operation === id && entry.check === name)
    if (applies && !excepted) test(title, run)
  }

  check('credential', !guarded, 'takes no notice of a credential', async () => {
    const useless = { ...bearer('nonsense'), ...cookie(service, 'vitrine_session=nonsense') }
    expect(outcome(await answer(useless))).toBe(success)
  })

  check('credential', guarded, 'refuses every other credential with 401', async () => {
    const wrong = byKey ? await wrongAtApi(scene) : await wrongAtDashboard(scene)
    const answers: Record<string, string> = {}
    for (const [name, [headers]] of Object.entries(wrong)) {
      const response = await answer(headers)
      answers[name] = `${response.status} ${response.body.code}`
      if (byKey) expect(response.headers['www-authenticate']).toBe('Bearer')
    }
    expect(answers).toEqual(mapValues(wrong, ([, code]) => `401 ${code}`))
    await allowed()
  })

  check('scope', guarded && byKey, 'needs its scope, and no other', async () => {
    const others = allScopes.filter((other) => other !== scope)
    const { key: lacking } = await service.givenKey(scene.owner, { scopes: others })
    expect(outcome(await answer(bearer(lacking)))).toBe('403 insufficient_scope')
    const { key: sufficient } = await service.givenKey(scene.owner, { scopes: [scope!] })
    expect(outcome(await answer(bearer(sufficient)))).toBe(success)
  })

  check('ownership', inWorkspace(id), 'lets in nobody but by their role', async () => {
    const people = await peopleAround(scene)
    const answers: Record<string, unknown> = {}
    for (const [name, person] of Object.entries(people)) {
      const { key } = await service.givenKey(person)
      const headers = byKey ? bearer(key) : cookie(service, person.cookie)
      answers[name] = outcome(await answer(headers, await validCall(id, scene)))
    }
    const byRole = (role: 'staff' | 'billing') => {
      if (byKey) return '403 not_owner'
      return powers[role].includes(tag) ? success : '403 role_insufficient'
    }
    expect(answers).toEqual({
      'another owner': success,
      'a stranger': '403 not_owner',
      'an owner who is suspended': '403 not_owner',
      'somebody invited as owner': '403 not_owner',
      'a member of staff': byRole('staff'),
      'a billing member': byRole('billing'),
    })
  })

  check('unknown workspace', inWorkspace(id), 'does not tell unknown from foreign', async () => {
    const foreign = await givenScene(service)
    const ask = async (workspaceId: string) => {
      const path = { ...call.path, workspaceId }
      return answer(credentialOf(scene, way), { ...call, path })
    }
    const refused = await ask(foreign.workspace.id)
    expect(outcome(refused)).toBe('403 not_owner')
    const unknown = await ask('ws_00000000000000000000000000')
    expect(unknown.status).toBe(403)
    expect(unknown.body).toEqual(refused.body)
    await allowed()
  })

  check('suspended account', guarded, 'refuses a suspended account at once', async () => {
    const { accountId } = scene.owner
    await setStatus('accounts', accountId, 'SUSPENDED')
    expect(outcome(await answer(credentialOf(scene, way)))).toBe('403 account_inactive')
    await setStatus('accounts', accountId, 'ACTIVE')
    await allowed()
  })

  check('suspended workspace', inWorkspace(id), 'refuses in a suspended workspace', async () => {
    await setStatus('workspaces', scene.workspace.id, 'SUSPENDED')
    expect(outcome(await answer(credentialOf(scene, way)))).toBe('403 workspace_inactive')
    await setStatus('workspaces', scene.workspace.id, 'ACTIVE')
    await allowed()
  })

  check('blocked source', guarded && byKey, 'refuses a blocked integration at once', async () => {
    const { source_id: source } = await service.db
      .selectFrom('api_keys')
      .select('source_id')
      .where('key_hash', '=', hashToken(scene.key))
      .executeTakeFirstOrThrow()
    await setStatus('integration_sources', source, 'BLOCKED')
    expect(outcome(await answer(credentialOf(scene, way)))).toBe('403 source_blocked')
    await setStatus('integration_sources', source, 'APPROVED')
    await allowed()
  })

  const hasResource = guarded && resourceNames(id).length > 0
  check('foreign id', hasResource, 'does not find what belongs to somebody else', async () => {
    const other = await givenScene(service)
    const foreign = await validCall(id, other)
    const path = { ...foreign.path, ...workspaceOf(call) }
    const refused = await answer(credentialOf(scene, way), { ...call, path })
    expect(outcome(refused)).toBe('404 not_found')
    expect(outcome(await answer(credentialOf(other, way), foreign))).toBe(success)
  })

  check('origin', !byKey && method !== 'get', 'is refused from any other site', async () => {
    const { Cookie = '' } = credentialOf(scene, way)
    const own = service.config.dashboardUrl
    const foreign = ['https://site.example', service.config.baseUrl, `${own}.site.example`, 'null']
    const before = await everything()
    for (const headers of [{ Cookie }, ...foreign.map((Origin) => ({ Cookie, Origin }))])
      expect(outcome(await answer(headers))).toBe('403 origin_refused')
    expect(await everything()).toEqual(before)
    await allowed()
  })

  check('origin', !byKey && method === 'get', 'is read without an Origin', async () => {
    const { Cookie = '' } = credentialOf(scene, way)
    expect(outcome(await answer({ Cookie }))).toBe(success)
  })
})

describe.each(operationIds)('%s', (id) => {
  const elsewhere = (['api', 'dashboard', 'admin'] as const).filter(
    (origin) => !waysTo(id).some((way) => way.origin === origin),
  )
  test.each(elsewhere)('is not served at the origin %s', async (origin) => {
    const { owner, key, workspace } = await givenScene(service)
    const path = rows[id].path.replace('{workspaceId}', workspace.id)
    const headers = { ...cookie(service, owner.cookie), ...bearer(key) }
    const sent = request(service.urls[origin])[rows[id].method](path)
    expect(outcome(await sent.set(headers))).toBe('404 not_found')
  })
})

describe('a credential that cannot be one', () => {
  let adrift: TestService
  beforeAll(async () => {
    adrift = await startService({ databaseUrl: 'postgres://127.0.0.1:1/nowhere' })
  })
  afterAll(() => adrift.close())

  test.each([
    { kind: 'wsk', origin: 'api', path: '/v1/workspaces', headersFor: bearer },
    { kind: 'wsd', origin: 'dashboard', path: '/api/session', headersFor: heldSession },
  ] as const)('is refused at the $origin without a look at the database', async (door) => {
    const { kind, origin, path, headersFor } = door
    const ask = async (token: string) =>
      outcome(await request(adrift.urls[origin]).get(path).set(headersFor(token)))
    const unknown = tokenLike(kind, 'dev')
    expect(await ask(unknown)).toBe('503 unavailable')
    expect(await ask(damaged(unknown))).toBe('401 unauthenticated')
    expect(await ask(tokenLike(kind, 'live'))).toBe('401 wrong_environment')
    for (const other of [...otherKinds, kind === 'wsk' ? 'wsd' : 'wsk'])
      expect(await ask(tokenLike(other, 'dev'))).toBe('401 unauthenticated')
  })
})

/** A success is its status, a refusal also its code. */
function outcome({ status, body }: Response): number | string {
  return status < 400 ? status : `${status} ${body.code}`
}

/** Headers, and the code with which they are refused. */
type Wrong = Record<string, [headers: Call['headers'], code: components['schemas']['ErrorCode']]>

/** Kinds of credential that open neither of the two doors. */
const otherKinds = ['wsu', 'wsa', 'wsr', 'wsv', 'wsg', 'wst']

async function wrongAtApi({ owner, key }: Scene): Promise<Wrong> {
  const session = owner.cookie.replace('vitrine_session=', '')
  const { key: expired } = await service.givenKey(owner, { expiresInDays: 0 })
  const { key: revoked, id } = await service.givenKey(owner)
  await service.dashboard(owner).delete(`/api/keys/${id}`).expect(200)
  return {
    none: [{}, 'unauthenticated'],
    'a session cookie': [cookie(service, owner.cookie), 'unauthenticated'],
    'a session token': [bearer(session), 'unauthenticated'],
    'a key as a cookie': [cookie(service, `vitrine_session=${key}`), 'unauthenticated'],
    'a key without its scheme': [{ Authorization: key }, 'unauthenticated'],
    'a key of another scheme': [{ Authorization: `Basic ${key}` }, 'unauthenticated'],
    'no token': [{ Authorization: 'Bearer ' }, 'unauthenticated'],
    'no key at all': [bearer('nonsense'), 'unauthenticated'],
    'a damaged key': [bearer(damaged(key)), 'unauthenticated'],
    'an unknown key': [bearer(tokenLike('wsk', 'dev')), 'unauthenticated'],
    'a key of production': [bearer(tokenLike('wsk', 'live')), 'wrong_environment'],
    'a damaged key of production': [bearer(damaged(tokenLike('wsk', 'live'))), 'wrong_environment'],
    'an expired key': [bearer(expired), 'token_expired'],
    'a revoked key': [bearer(revoked), 'token_revoked'],
    ...ofOtherKinds(bearer),
  }
}

async function wrongAtDashboard({ owner, key }: Scene): Promise<Wrong> {
  const session = owner.cookie.replace('vitrine_session=', '')
  const withBearer = (token: string) => ({ ...bearer(token), Origin: service.config.dashboardUrl })
  const expired = await service.givenPerson({ email: owner.email })
  await service.db
    .updateTable('dashboard_sessions')
    .set({ expires_at: service.now() })
    .where('token_hash', '=', hashToken(expired.cookie.replace('vitrine_session=', '')))
    .execute()
  const ended = await service.givenPerson({ email: owner.email })
  await service.dashboard(ended).delete('/api/session').expect(200)
  return {
    none: [{ Origin: service.config.dashboardUrl }, 'unauthenticated'],
    'an API key': [withBearer(key), 'unauthenticated'],
    'an API key as a cookie': [heldSession(key), 'unauthenticated'],
    'a session token as a bearer': [withBearer(session), 'unauthenticated'],
    'another cookie': [cookie(service, `session=${session}`), 'unauthenticated'],
    'an empty cookie': [heldSession(''), 'unauthenticated'],
    'no token at all': [heldSession('nonsense'), 'unauthenticated'],
    'a damaged token': [heldSession(damaged(session)), 'unauthenticated'],
    'an unknown token': [heldSession(tokenLike('wsd', 'dev')), 'unauthenticated'],
    'a token of production': [heldSession(tokenLike('wsd', 'live')), 'wrong_environment'],
    'an expired session': [cookie(service, expired.cookie), 'token_expired'],
    'a session that was signed out': [cookie(service, ended.cookie), 'unauthenticated'],
    ...ofOtherKinds(heldSession),
  }
}

function heldSession(token: string): Call['headers'] {
  return cookie(service, `vitrine_session=${token}`)
}

function ofOtherKinds(headersFor: (token: string) => Call['headers']): Wrong {
  return Object.fromEntries(
    otherKinds.map((kind) => [kind, [headersFor(tokenLike(kind, 'dev')), 'unauthenticated']]),
  )
}

/** A credential of the right form with a right checksum that was never given out. */
function tokenLike(kind: string, environment: 'dev' | 'live'): string {
  const body = `${kind}_${environment}_${randomBytes(32).toString('base64url')}`
  return body + createHash('sha256').update(body).digest('base64url').slice(0, 6)
}

function damaged(token: string): string {
  return token.slice(0, -1) + (token.endsWith('A') ? 'B' : 'A')
}

/** Everybody who might come to a workspace, beside the owner who made it. */
async function peopleAround(scene: Scene): Promise<Record<string, Person>> {
  const [owner, stranger, suspended, invited, staff, billing] = await Promise.all(
    Array.from({ length: 6 }, () => service.givenPerson()),
  )
  await givenMember(scene, owner!, 'owner')
  await givenMember(scene, suspended!, 'owner', 'SUSPENDED')
  await givenMember(scene, invited!, 'owner', 'INVITED')
  await givenMember(scene, staff!, 'staff')
  await givenMember(scene, billing!, 'billing')
  return {
    'another owner': owner!,
    'a stranger': stranger!,
    'an owner who is suspended': suspended!,
    'somebody invited as owner': invited!,
    'a member of staff': staff!,
    'a billing member': billing!,
  }
}

type Standing = 'ACTIVE' | 'SUSPENDED' | 'APPROVED' | 'BLOCKED'

/** As an administrator sets it. */
async function setStatus(table: string, id: string, status: Standing): Promise<void> {
  await sql`update ${sql.table(table)} set status = ${status} where id = ${id}`.execute(service.db)
}

function workspaceOf({ path }: Call): Record<string, string> {
  return path.workspaceId === undefined ? {} : { workspaceId: path.workspaceId }
}

function mapValues<T, U>(record: Record<string, T>, change: (value: T) => U): Record<string, U> {
  return Object.fromEntries(Object.entries(record).map(([name, value]) => [name, change(value)]))
}

/** The whole content of the database, a hash for each table. */
async function everything(): Promise<Record<string, unknown>> {
  await service.app.outbox.flush()
  const tables = await service.db.introspection.getTables()
  const hashes: Record<string, unknown> = {}
  for (const { name } of tables) {
    const rowsOf = sql.table(name)
    const { rows: found } = await sql<{ hash: string }>`
      select md5(string_agg(t::text, ',' order by t::text)) as hash from ${rowsOf} t
    `.execute(service.db)
    hashes[name] = found[0]?.hash
  }
  return hashes
}
