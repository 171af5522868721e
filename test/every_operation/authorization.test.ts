import { sql } from 'kysely'
import request, { type Response } from 'supertest'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { hashToken } from '../../src/core/secrets.ts'
import { powers } from '../../src/generated/roles.ts'
import type { OperationId } from '../../src/operation.ts'
import {
  bearer,
  cookie,
  credentialOf,
  givenMember,
  givenScene,
  ownOrigin,
  type Scene,
  send,
  validCall,
} from './fixtures.ts'
import {
  type Call,
  declarationOf,
  everyWayTo,
  inWorkspace,
  operationIds,
  resourceNames,
  rows,
  waysTo,
} from './operations.ts'
import { argumentsOf, errorOf, message, post, resultOf } from '../kit/agents.ts'
import { allScopes, type Person, startService, type TestService } from '../kit/service.ts'
import { type Access, peopleAround, type Position, takePositions } from './positions.ts'
import { allCases, casesOf } from './turns.ts'
import {
  damaged,
  makeWrong,
  otherKinds,
  sessionAt,
  staffSessionAt,
  tokenLike,
  type Wrong,
} from './wrong_credentials.ts'

let service: TestService
let people: Record<Position, Access>
/** The holder of the credentials used where they are not valid, and a workspace foreign to others. */
let holder: Scene
beforeAll(async () => {
  service = await startService({ env: { TRUST_PROXY: '1' } })
  people = await peopleAround(service)
  holder = await givenScene(service)
})
afterAll(() => service.close())

const scenes = new Map<string, Promise<Scene>>()

/** A scene for all ways to an operation within a workspace, with everyone in their position. */
function sharedScene(name: string): Promise<Scene> {
  const scene = scenes.get(name) ?? sceneWithMembers()
  scenes.set(name, scene)
  return scene
}

async function sceneWithMembers(): Promise<Scene> {
  const scene = await givenScene(service)
  await takePositions(scene, people)
  await givenMember(scene, holder.owner, 'owner')
  return scene
}

/** Operations without a credential, and why. */
const publicOperations: Partial<Record<OperationId, string>> = {
  complete_media_upload: 'the secret in its path is the credential',
  create_contact_request: 'open to everyone who has solved the challenge',
  create_session: 'signing in ends with it',
  create_staff_session: 'signing in ends with it',
  get_config: 'a page reads it before the sign-in',
  request_session_code: 'signing in begins with it',
  request_staff_code: 'signing in begins with it',
  undo_account_email: 'the secret of its mail is the credential',
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

/** Checks an operation is exempt from, and why. This list may only shrink. */
const exceptions: readonly { operation: OperationId; check: Check; reason: string }[] = []

describe('the table of exceptions', () => {
  test('is empty', () => {
    expect(exceptions).toHaveLength(0)
  })

  test('the operations without a credential match the contract', () => {
    const open = operationIds.filter((id) => declarationOf(id).security.length === 0)
    expect(open).toEqual(Object.keys(publicOperations))
    expect(operationIds.filter((id) => rows[id].auth === 'none')).toEqual(open)
  })
})

const ways = operationIds.flatMap((id) => everyWayTo(id).map((way) => ({ id, way })))

describe.each(ways)('$id $way.name', ({ id, way }) => {
  const { scope, tag, method, status: success } = rows[id]
  const guarded = rows[id].auth !== 'none'
  // A key and an agent both act for their account, within their scopes.
  const byKey = way.origin === 'api'
  const byStaff = way.origin === 'admin'
  // A flat URL leads to the operation that the path with its workspace leads to, too.
  const isAlias = way.flat && !allCases
  let scene: Scene
  let call: Call
  let agent: Agent
  // One call for all refusals, which change nothing; its owner makes it in the end.
  beforeAll(async () => {
    scene = await (inWorkspace(id) ? sharedScene(id) : givenScene(service))
    if (way.tool) agent = await service.givenAgent(scene.owner)
    call = await validCall(id, scene)
  })

  const answer = (headers: Call['headers'], input = call): Promise<Outcome> =>
    way.tool ? callTool(id, input, headers) : send(service, id, way, input, headers)
  const own = () => (way.tool ? bearer(agent.token) : credentialOf(scene, way))

  /** A person's credential for this way in, with the given scopes if it has any. */
  async function credentialFor(person: Person, scopes = allScopes): Promise<Call['headers']> {
    if (way.tool) return bearer((await service.givenAgent(person, { scopes })).token)
    if (!byKey) return cookie(service, person.cookie)
    return bearer((await service.givenKey(person, { scopes })).key)
  }

  /** The answer while a row has another status. */
  async function answerWhile(table: string, row: string, status: Standing): Promise<Outcome> {
    await setStatus(table, row, status)
    try {
      return await answer(own())
    } finally {
      await setStatus(table, row, status === 'BLOCKED' ? 'APPROVED' : 'ACTIVE')
    }
  }

  function check(name: Check, applies: boolean, title: string, run: () => Promise<void>): void {
    const isException = exceptions.some((entry) => entry.operation === id && entry.check === name)
    if (applies && !isException) test(title, run)
  }

  check('credential', !guarded, 'ignores credentials', async () => {
    const Cookie = 'vitrine_session=nonsense; vitrine_staff=nonsense'
    const useless = { ...bearer('nonsense'), Cookie, Origin: ownOrigin(service, way) }
    expect(outcome(await answer(useless))).toBe(success)
  })

  check('credential', guarded, 'refuses every other credential with 401', async () => {
    const [none, ...others] = Object.entries(await wrongAt(way.tool ? 'mcp' : way.origin))
    const wrong = Object.fromEntries([none!, ...casesOf(id, others)])
    const challenges = way.tool ? /^Bearer .*resource_metadata="[^"]+", scope="[^"]+"$/ : /^Bearer$/
    const refused = Object.entries(wrong).map(async ([name, [headers]], number) => {
      const { status, body, headers: answered } = await answer(asStranger(headers, number))
      if (byKey) expect(answered['www-authenticate']).toMatch(challenges)
      return [name, `${status} ${body.code}`]
    })
    const answers = Object.fromEntries(await Promise.all(refused)) as Record<string, string>
    expect(answers).toEqual(mapValues(wrong, ([, code]) => `401 ${code}`))
  })

  check('scope', guarded && byKey && !isAlias, 'needs its scope, and no other', async () => {
    const others = allScopes.filter((other) => other !== scope)
    const refusal = await answer(await credentialFor(scene.owner, others))
    expect(outcome(refusal)).toBe('403 insufficient_scope')
    if (way.tool) expect(refusal.headers['www-authenticate']).toContain(`scope="${scope!}`)
    const again = await validCall(id, scene)
    expect(outcome(await answer(await credentialFor(scene.owner, [scope!]), again))).toBe(success)
  })

  check('ownership', inWorkspace(id), 'admits people only by their role', async () => {
    const byRole = (role: 'staff' | 'billing') => {
      if (byKey) return '403 not_owner'
      const tags: readonly string[] = powers[role]
      return tags.includes(tag) ? success : '403 role_insufficient'
    }
    const expected: Partial<Record<Position, number | string>> = {
      'another owner': success,
      'a stranger': '403 not_owner',
      'an owner who is suspended': '403 not_owner',
      'an invited owner': '403 not_owner',
      'a member of staff': byRole('staff'),
      'a billing member': byRole('billing'),
    }
    const answers: Record<string, unknown> = {}
    // Roles count at the dashboard alone: at the API they take turns, but for the stranger.
    const everyone = Object.entries(people)
    const someone = new Map([...casesOf(id, everyone), ['a stranger', people['a stranger']]])
    for (const [name, { person, key, token }] of byKey ? someone : everyone) {
      const byBearer = bearer(way.tool ? token : key)
      const headers = byKey ? byBearer : cookie(service, person.cookie)
      // A call that succeeds may be valid only once; a refused one can be repeated.
      const input = expected[name as Position] === success ? await validCall(id, scene) : call
      answers[name] = outcome(await answer(headers, input))
    }
    const others = Object.keys(people).filter((name) => !(name in answers))
    for (const name of others) delete expected[name as Position]
    expect(answers).toEqual(expected)
  })

  check('unknown workspace', inWorkspace(id), 'does not tell unknown from foreign', async () => {
    const ask = async (workspaceId: string) => {
      const path = { ...call.path, workspaceId }
      return answer(own(), { ...call, path })
    }
    const refusal = await ask(holder.workspace.id)
    expect(outcome(refusal)).toBe('403 not_owner')
    const unknown = await ask('ws_00000000000000000000000000')
    expect(unknown.status).toBe(403)
    expect(unknown.body).toEqual(refusal.body)
  })

  check(
    'suspended account',
    guarded && !byStaff,
    'refuses a suspended account at once',
    async () => {
      const refusal = await answerWhile('accounts', scene.owner.accountId, 'SUSPENDED')
      expect(outcome(refusal)).toBe('403 account_inactive')
    },
  )

  check('suspended workspace', inWorkspace(id), 'refuses in a suspended workspace', async () => {
    const refusal = await answerWhile('workspaces', scene.workspace.id, 'SUSPENDED')
    expect(outcome(refusal)).toBe('403 workspace_inactive')
  })

  check('blocked source', guarded && byKey, 'refuses a blocked integration at once', async () => {
    const source = way.tool ? agent.sourceId : await sourceOf(scene.key)
    const refusal = await answerWhile('integration_sources', source, 'BLOCKED')
    expect(outcome(refusal)).toBe('403 source_blocked')
  })

  // Staff see every account's resources.
  const hasResource = guarded && !byStaff && !isAlias && resourceNames(id).length > 0
  check('foreign id', hasResource, 'does not find another owner’s resource', async () => {
    const other = await (inWorkspace(id) ? sharedScene('foreign') : givenScene(service))
    const foreign = await validCall(id, other)
    const path = { ...foreign.path, ...workspaceOf(call) }
    const refusal = await answer(own(), { ...call, path })
    expect(outcome(refusal)).toBe('404 not_found')
    expect(outcome(await answer(await credentialFor(other.owner), foreign))).toBe(success)
  })

  check('origin', !byKey && method !== 'get', 'is refused from any other site', async () => {
    const { Cookie = '' } = credentialOf(scene, way)
    const own = ownOrigin(service, way)
    const { baseUrl, dashboardUrl, adminUrl } = service.config
    const others = [baseUrl, dashboardUrl, adminUrl].filter((origin) => origin !== own)
    const foreign = ['https://site.example', ...others, `${own}.site.example`, 'null']
    // To look at all that is stored takes longest.
    const look = casesOf(id, [everything])[0] ?? (() => Promise.resolve({}))
    const before = await look()
    const refused = [{ Cookie }, ...foreign.map((Origin) => ({ Cookie, Origin }))]
    const answers = refused.map(async (headers) => outcome(await answer(headers)))
    expect(await Promise.all(answers)).toEqual(refused.map(() => '403 origin_refused'))
    expect(await look()).toEqual(before)
  })

  check('origin', !byKey && method === 'get', 'is read without an Origin', async () => {
    const { Cookie = '' } = credentialOf(scene, way)
    expect(outcome(await answer({ Cookie }))).toBe(success)
  })

  check('credential', guarded, 'answers its owner after all refusals', async () => {
    expect(outcome(await answer(own()))).toBe(success)
  })
})

describe.each(operationIds)('%s', (id) => {
  const elsewhere = (['api', 'dashboard', 'admin'] as const).filter(
    (origin) => !waysTo(id).some((way) => way.origin === origin),
  )
  test.each(elsewhere)('is not served at the origin %s', async (origin) => {
    const { owner, key, workspace } = holder
    const path = rows[id].path.replace('{workspaceId}', workspace.id)
    const headers = { ...cookie(service, owner.cookie), ...bearer(key) }
    const pending = request(service.urls[origin])[rows[id].method](path)
    expect(outcome(await pending.set(headers))).toBe('404 not_found')
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
    { kind: 'wsd', origin: 'dashboard', path: '/api/session', headersFor: sessionHeaders },
    { kind: 'wss', origin: 'admin', path: '/api/admin/accounts', headersFor: staffHeaders },
  ] as const)('is refused at the $origin without a look at the database', async (door) => {
    const { kind, origin, path, headersFor } = door
    const ask = async (token: string) =>
      outcome(await request(adrift.urls[origin]).get(path).set(headersFor(token)))
    const unknown = tokenLike(kind, 'dev')
    expect(await ask(unknown)).toBe('503 unavailable')
    expect(await ask(damaged(unknown))).toBe('401 unauthenticated')
    expect(await ask(tokenLike(kind, 'live'))).toBe('401 wrong_environment')
    for (const other of [...otherKinds, 'wsk', 'wsd', 'wss'].filter((one) => one !== kind))
      expect(await ask(tokenLike(other, 'dev'))).toBe('401 unauthenticated')
  })
})

type Agent = Awaited<ReturnType<TestService['givenAgent']>>
type Outcome = Pick<Response, 'status' | 'body' | 'headers'>

/** The calls of strangers at one address wait for each other, so each has an address of its own. */
function asStranger(headers: Call['headers'], number: number): Call['headers'] {
  return { ...headers, 'X-Forwarded-For': `192.0.2.${number}` }
}

/** Calls a tool; returns its outcome in REST terms. */
async function callTool(id: OperationId, call: Call, headers: Call['headers']): Promise<Outcome> {
  const params = { name: id, arguments: argumentsOf(id, call) }
  const response = await post(service, message('tools/call', params), headers)
  if (response.status !== 200) return response
  if (!resultOf(response).isError) return { ...response, status: rows[id].status }
  const body = errorOf(response)
  return { headers: response.headers, status: body.status, body }
}

async function sourceOf(key: string): Promise<string> {
  const { source_id: source } = await service.db
    .selectFrom('api_keys')
    .select('source_id')
    .where('key_hash', '=', hashToken(key))
    .executeTakeFirstOrThrow()
  return source
}

/** Status of a success; status and code of a refusal. */
function outcome({ status, body }: Outcome): number | string {
  return status < 400 ? status : `${status} ${body.code}`
}

const wrongCredentials: Partial<Record<keyof typeof makeWrong, Promise<Wrong>>> = {}

/** Credentials that are not valid at a door; all belong to the holder and are made once. */
const wrongAt = (door: keyof typeof makeWrong): Promise<Wrong> =>
  (wrongCredentials[door] ??= makeWrong[door](holder))

const staffHeaders = (token: string) => staffSessionAt(service)(token)
const sessionHeaders = (token: string) => sessionAt(service)(token)

type Standing = 'ACTIVE' | 'SUSPENDED' | 'APPROVED' | 'BLOCKED'

/** Sets a status as an administrator would. */
async function setStatus(table: string, id: string, status: Standing): Promise<void> {
  await sql`update ${sql.table(table)} set status = ${status} where id = ${id}`.execute(service.db)
}

function workspaceOf({ path }: Call): Record<string, string> {
  return path.workspaceId === undefined ? {} : { workspaceId: path.workspaceId }
}

function mapValues<T, U>(record: Record<string, T>, change: (value: T) => U): Record<string, U> {
  return Object.fromEntries(Object.entries(record).map(([name, value]) => [name, change(value)]))
}

/** No table is added while the tests run. */
let tables: Promise<{ name: string }[]> | undefined

/** A fingerprint of the database: per table, the row count and the last write. */
async function everything(): Promise<Record<string, unknown>> {
  await service.app.outbox.flush()
  await service.app.webhooks.flush()
  tables ??= service.db.introspection.getTables()
  // What calls have cost is noted now and then, whatever they were answered.
  const written = (await tables).filter(({ name }) => name !== 'workspace_costs')
  const states = written.map(
    ({ name }) => sql<{ name: string; state: string }>`
      select ${sql.lit(name)} as name, concat(count(*), ' ', max(xmin::text::bigint)) as state
      from ${sql.table(name)}
    `,
  )
  const { rows: results } = await sql<{ name: string; state: string }>`
    ${sql.join(states, sql` union all `)}
  `.execute(service.db)
  return Object.fromEntries(results.map(({ name, state }) => [name, state]))
}
