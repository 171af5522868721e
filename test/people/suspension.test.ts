import type { Response } from 'supertest'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { OperationId } from '../../src/operation.ts'
import { createDatabase, type TestDatabase } from '../kit/database.ts'
import {
  bearer,
  givenMember,
  givenScene,
  type Scene,
  send,
  validCall,
} from '../every_operation/fixtures.ts'
import { type Call, mainWayTo, operationIds, rows } from '../every_operation/operations.ts'
import { openConnection } from '../kit/raw_http.ts'
import { startService, type TestService } from '../kit/service.ts'
import { givenCustomer, givenGuest } from '../kit/visitors.ts'

const experience = operationIds.filter((id) => rows[id].surface === 'experience')

let database: TestDatabase
let service: TestService
/** Another process on the same database: staff use one, visitors both. */
let other: TestService
beforeAll(async () => {
  database = await createDatabase()
  service = await startService({ databaseUrl: database.url })
  other = await startService({ databaseUrl: database.url })
})
afterAll(async () => {
  for (const each of [service, other]) await each.close()
  await database.drop()
})

let scene: Scene
beforeEach(async () => {
  scene = await givenScene(service)
  const policy = { accessPolicy: { challenge: 'OFF' } }
  const website = `/v1/workspaces/${scene.workspace.id}/website`
  await service.api(scene.key).put(website).send(policy).expect(200)
})

const outcome = ({ status, body }: Response) => (status < 400 ? status : `${status} ${body.code}`)

async function attempt(id: OperationId, call: Call, at: TestService): Promise<number | string> {
  return outcome(await send(at, id, mainWayTo(id), call, bearer(scene.key)))
}

/** The ways staff can stop a site, with the refusal visitors get. */
const stops: Record<string, { code: string; set: (stopped: boolean) => Promise<void> }> = {
  'suspended account': {
    code: '403 account_inactive',
    set: (stopped) => setStatus('accounts', scene.owner.accountId, stopped),
  },
  'suspended workspace': {
    code: '403 workspace_inactive',
    set: (stopped) => setStatus('workspaces', scene.workspace.id, stopped),
  },
  'blocked source': { code: '403 source_blocked', set: setSource },
}

async function setStatus(what: 'accounts' | 'workspaces', id: string, stopped: boolean) {
  const path = `/api/admin/${what}/${id}/status`
  const status = stopped ? 'SUSPENDED' : 'ACTIVE'
  await service.admin(scene.staff).put(path).send({ status }).expect(200)
}

async function setSource(stopped: boolean): Promise<void> {
  const { source_id: id } = await service.db
    .selectFrom('api_keys')
    .select('source_id')
    .where('account_id', '=', scene.owner.accountId)
    .orderBy('id')
    .executeTakeFirstOrThrow()
  const path = `/api/admin/sources/${id}/${stopped ? 'block' : 'unblock'}`
  await service.admin(scene.staff).post(path).expect(200)
}

describe.each(Object.keys(stops))('a %s', (name) => {
  const { code, set } = stops[name]!

  test.each(experience)('closes %s to visitors at once, and reopens it when lifted', async (id) => {
    const call = await validCall(id, scene)
    await set(true)
    for (const headers of [call.headers, givenGuest(scene).headers, {}])
      for (const at of [service, other])
        expect(await attempt(id, { ...call, headers }, at)).toBe(code)
    await set(false)
    expect(await attempt(id, call, other)).toBe(rows[id].status)
  })

  test('ends neither the session of a customer nor the token of a guest', async () => {
    const [customer, guest] = [await givenCustomer(scene), givenGuest(scene)]
    await set(true)
    await set(false)
    for (const { headers } of [customer, guest]) {
      const call = { ...(await validCall('create_feedback', scene)), headers }
      expect(await attempt('create_feedback', call, service)).toBe(204)
    }
  })

  test('stops a call whose body is still arriving', async () => {
    const { headers } = await givenCustomer(scene)
    const body = JSON.stringify({ message: 'Written too late' })
    const connection = await openConnection(service.urls.api)
    const head = [
      `POST /v1/workspaces/${scene.workspace.id}/experience/feedback HTTP/1.1`,
      'Host: localhost',
      `Authorization: Bearer ${scene.key}`,
      ...Object.entries(headers).map(([field, value]) => `${field}: ${value}`),
      'Content-Type: application/json',
      `Content-Length: ${body.length}`,
    ]
    await service.db.updateTable('api_keys').set({ last_used_at: null }).execute()
    connection.send(`${head.join('\r\n')}\r\n\r\n${body.slice(0, 1)}`)
    // The key's use is recorded once the call is authorized.
    const usedKeys = () =>
      service.db.selectFrom('api_keys').select('id').where('last_used_at', 'is not', null)
    await expect.poll(async () => (await usedKeys().execute()).length).toBe(1)
    await set(true)
    connection.send(body.slice(1))
    const answer = await connection.answer()
    connection.close()
    expect(`${answer.status} ${(JSON.parse(answer.body) as { code: string }).code}`).toBe(code)
    const feedback = service.db.selectFrom('feedback').select('message')
    expect(await feedback.where('workspace_id', '=', scene.workspace.id).execute()).toEqual([])
  })
})

describe('a suspended account that shares its site with another owner', () => {
  test('closes the site only to visitors on its own key', async () => {
    const second = await service.givenPerson()
    await givenMember(scene, second, 'owner')
    const { key } = await service.givenKey(second)
    const call = await validCall('list_published_products', scene)
    await setStatus('accounts', scene.owner.accountId, true)
    const way = mainWayTo('list_published_products')
    const through = (apiKey: string) =>
      send(service, 'list_published_products', way, call, bearer(apiKey)).then(outcome)
    expect([await through(scene.key), await through(key)]).toEqual(['403 account_inactive', 200])
  })
})
