import { sql } from 'kysely'
import request, { type Response } from 'supertest'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { hashToken } from '../../src/core/secrets.ts'
import type { Scope } from '../../src/generated/operations.ts'
import { powers } from '../../src/generated/roles.ts'
import type { OperationId } from '../../src/operation.ts'
import {
  bearer,
  cookie,
  credentialOf,
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
  type Way,
  waysTo,
} from './operations.ts'
import { argumentsOf, errorOf, message, post, resultOf } from '../kit/agents.ts'
import {
  allScopes,
  keepAliveAgent,
  type Person,
  startService,
  type TestService,
} from '../kit/service.ts'
import { type Access, openScenes, peopleAround, type Position, type Scenes } from './positions.ts'
import { everythingIn } from './statements/all_tables.ts'
import { allCases, isMetAt, shareOf } from './turns.ts'
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
let scenes: Scenes
beforeAll(async () => {
  service = await startService({ env: { TRUST_PROXY: '1' } })
  people = await peopleAround(service)
  holder = await givenScene(service)
  scenes = openScenes(service, people, holder)
})
afterAll(() => service.close())

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

const checks = [
  'credential',
  'scope',
  'ownership',
  'unknown workspace',
  'suspended account',
  'suspended workspace',
  'blocked source',
  'foreign id',
  'origin',
] as const
type Check = (typeof checks)[number]

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

type Door = keyof typeof makeWrong

const isGuarded = (id: OperationId) => rows[id].auth !== 'none'
const doorOf = (way: Way): Door => (way.tool ? 'mcp' : way.origin)
const ways = operationIds.flatMap((id) => everyWayTo(id).map((way) => ({ id, way })))

describe.each(ways)('$id $way.name', (entry) => {
  const { id, way } = entry
  const { scope, tag, method, status: success } = rows[id]
  const guarded = isGuarded(id)
  // A key and an agent both act for their account, within their scopes.
  const byKey = way.origin === 'api'
  // Those that are guarded by the same door take turns. One that is open does as the first of them.
  const queue = ways.filter((other) => doorOf(other.way) === doorOf(way) && isGuarded(other.id))
  const place = guarded ? queue.indexOf(entry) : 0
  let scene: Scene
  let call: Call
  let agent: Agent
  // One call for all refusals, which change nothing; its owner makes it in the end.
  beforeAll(async () => {
    scene = await scenes.of(id)
    if (way.tool) agent = await service.givenAgent(scene.owner)
    call = await scenes.callIn(scene, id)
  })

  const answer = (headers: Call['headers'], input = call): Promise<Outcome> =>
    way.tool ? callTool(id, input, headers) : send(service, id, way, input, headers)
  const own = () => (way.tool ? bearer(agent.token) : credentialOf(scene, way))

  /** A person's credential for this way in, with the given scopes if it has any; made once. */
  function credentialFor(person: Person, scopes = allScopes): Promise<Call['headers']> {
    const name = [doorOf(way), person.accountId, ...scopes].join(' ')
    const made = credentials.get(name) ?? newCredential(way, person, scopes)
    credentials.set(name, made)
    return made
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

  /** Whether a check is made here: the ways in to an operation, through which it is the same, take turns. */
  const isMet = (name: Check, applies: (way: Way) => boolean) =>
    isMetAt(id, way, checks.indexOf(name), applies)

  check('credential', !guarded, 'ignores credentials', async () => {
    const Cookie = 'vitrine_session=nonsense; vitrine_staff=nonsense'
    const useless = { ...bearer('nonsense'), Cookie, Origin: ownOrigin(service, way) }
    expect(outcome(await answer(useless))).toBe(success)
  })

  check('credential', guarded, 'refuses every other credential with 401', async () => {
    const [none, ...others] = Object.entries(await wrongAt(doorOf(way)))
    const wrong = Object.fromEntries([none!, ...shareOf(place, others)])
    const challenges = way.tool ? /^Bearer .*resource_metadata="[^"]+", scope="[^"]+"$/ : /^Bearer$/
    const refused = Object.entries(wrong).map(async ([name, [headers]], number) => {
      const { status, body, headers: answered } = await answer(asStranger(headers, number))
      if (byKey) expect(answered['www-authenticate']).toMatch(challenges)
      return [name, `${status} ${body.code}`]
    })
    const answers = Object.fromEntries(await Promise.all(refused)) as Record<string, string>
    expect(answers).toEqual(mapValues(wrong, ([, code]) => `401 ${code}`))
  })

  // Through a flat URL it is the operation that the path with its workspace leads to.
  const takesScope = ({ origin, flat }: Way) => guarded && origin === 'api' && (!flat || allCases)
  // The holder owns every workspace, too.
  const scoped = () => (inWorkspace(id) ? holder.owner : scene.owner)
  check('scope', takesScope(way), 'needs its scope', async () => {
    const others = allScopes.filter((other) => other !== scope)
    const refusal = await answer(await credentialFor(scoped(), others))
    expect(outcome(refusal)).toBe('403 insufficient_scope')
    if (way.tool) expect(refusal.headers['www-authenticate']).toContain(`scope="${scope!}`)
  })

  check('scope', isMet('scope', takesScope), 'needs no other scope', async () => {
    const again = await scenes.callIn(scene, id)
    expect(outcome(await answer(await credentialFor(scoped(), [scope!]), again))).toBe(success)
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
    // Roles count at the dashboard alone. All others take turns, but for the stranger.
    const always = byKey ? ['a stranger'] : ['a stranger', 'a member of staff', 'a billing member']
    const others = Object.keys(people).filter((name) => !always.includes(name))
    const turn = allCases ? others : [others[place % others.length]!]
    for (const name of [...always, ...turn] as Position[]) {
      const { person, key, token } = people[name]
      const byBearer = bearer(way.tool ? token : key)
      const headers = byKey ? byBearer : cookie(service, person.cookie)
      // A call that succeeds may be valid only once; a refused one can be repeated.
      const input = expected[name] === success ? await scenes.callIn(scene, id) : call
      answers[name] = outcome(await answer(headers, input))
    }
    const asked = Object.entries(expected).filter(([name]) => name in answers)
    expect(answers).toEqual(Object.fromEntries(asked))
  })

  const isInside = () => inWorkspace(id)
  const asksUnknown = isMet('unknown workspace', isInside)
  check('unknown workspace', asksUnknown, 'does not tell unknown from foreign', async () => {
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

  const ofAccount = isMet('suspended account', ({ origin }) => guarded && origin !== 'admin')
  check('suspended account', ofAccount, 'refuses a suspended account at once', async () => {
    const refusal = await answerWhile('accounts', scene.owner.accountId, 'SUSPENDED')
    expect(outcome(refusal)).toBe('403 account_inactive')
  })

  const suspends = isMet('suspended workspace', isInside)
  check('suspended workspace', suspends, 'refuses in a suspended workspace', async () => {
    const refusal = await answerWhile('workspaces', scene.workspace.id, 'SUSPENDED')
    expect(outcome(refusal)).toBe('403 workspace_inactive')
  })

  const blocks = isMet('blocked source', ({ origin }) => guarded && origin === 'api')
  check('blocked source', blocks, 'refuses a blocked integration at once', async () => {
    const source = way.tool ? agent.sourceId : await sourceOf(scene.key)
    const refusal = await answerWhile('integration_sources', source, 'BLOCKED')
    expect(outcome(refusal)).toBe('403 source_blocked')
  })

  // Staff see every account's resources.
  const hasResource = guarded && resourceNames(id).length > 0
  const asksForeign = isMet('foreign id', ({ origin }) => hasResource && origin !== 'admin')
  check('foreign id', asksForeign, 'does not find another owner’s resource', async () => {
    const other = await (inWorkspace(id) ? scenes.shared('foreign') : givenScene(service))
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
    const foreign = [...others, `${own}.site.example`, 'null']
    const turn = allCases ? foreign : [foreign[place % foreign.length]!]
    // To look at all that is stored takes longest.
    const looks = shareOf(place, [everythingIn])
    const look = () => Promise.all(looks.map((fingerprint) => fingerprint(service)))
    const before = await look()
    const origins = ['https://site.example', ...turn]
    const refused = [{ Cookie }, ...origins.map((Origin) => ({ Cookie, Origin }))]
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

test.each(['api', 'dashboard', 'admin'] as const)(
  'the origin %s serves no operation of another',
  async (origin) => {
    const { owner, key, workspace } = holder
    const headers = { ...cookie(service, owner.cookie), ...bearer(key) }
    const others = operationIds.filter((id) => waysTo(id).every((way) => way.origin !== origin))
    const answers: [OperationId, number | string][] = []
    for (const id of others) {
      const path = rows[id].path.replace('{workspaceId}', workspace.id)
      const pending = request(service.urls[origin])[rows[id].method](path).agent(keepAliveAgent)
      answers.push([id, outcome(await pending.set(headers))])
    }
    expect(answers).toEqual(others.map((id) => [id, '404 not_found']))
  },
)

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

const credentials = new Map<string, Promise<Call['headers']>>()

async function newCredential(way: Way, person: Person, scopes: Scope[]): Promise<Call['headers']> {
  if (way.tool) return bearer((await service.givenAgent(person, { scopes })).token)
  if (way.origin !== 'api') return cookie(service, person.cookie)
  return bearer((await service.givenKey(person, { scopes })).key)
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
