import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { components } from '../../src/generated/types.ts'
import type { OperationId } from '../../src/operation.ts'
import { bearer, givenScene, type Scene, send, validCall } from '../every_operation/fixtures.ts'
import { type Call, mainWayTo, operationIds, rows } from '../every_operation/operations.ts'
import { startService, type TestService } from '../kit/service.ts'
import { givenGuest } from '../kit/visitors.ts'

const experience = operationIds.filter((id) => rows[id].surface === 'experience')
const catalogue = experience.filter((id) => rows[id].tag === 'storefront')
/** Chats, whose answers reveal the catalogue. */
const chats = experience.filter((id) => rows[id].scope === 'ai:write')

let service: TestService
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service.close())

let scene: Scene
beforeEach(async () => {
  scene = await givenScene(service)
})

type AccessPolicy = components['schemas']['AccessPolicy']

const manage = (path: string) => `/v1/workspaces/${scene.workspace.id}/${path}`

async function setPolicy(accessPolicy: Partial<AccessPolicy>): Promise<void> {
  await service.api(scene.key).put(manage('website')).send({ accessPolicy }).expect(200)
}

async function setVisible(isVisible: boolean): Promise<void> {
  await service.api(scene.key).put(manage('workspace')).send({ isVisible }).expect(200)
}

async function outcomeOf(id: OperationId, call: Call): Promise<number | string> {
  const { status, body } = await send(service, id, mainWayTo(id), call, bearer(scene.key))
  return status < 400 ? status : `${status} ${body.code}`
}

const closings: Record<string, () => Promise<void>> = {
  'is closed': () => setPolicy({ visibility: 'CLOSED' }),
  'is hidden': () => setVisible(false),
}

const restrictedIds = experience.filter((id) => id !== 'get_bootstrap')

describe.each(Object.keys(closings))('a site that %s', (name) => {
  test.each(restrictedIds)('refuses %s to all visitors', async (id) => {
    const call = await validCall(id, scene)
    await closings[name]!()
    const anonymous = { ...call, headers: {} }
    const guest = { ...call, headers: givenGuest(scene).headers }
    for (const attempt of [call, guest, anonymous])
      expect(await outcomeOf(id, attempt)).toBe('403 access_restricted')
    await setPolicy({ visibility: 'PUBLIC' })
    await setVisible(true)
    expect(await outcomeOf(id, call)).toBe(rows[id].status)
  })

  test('still serves get_bootstrap, which says that it is closed', async () => {
    await closings[name]!()
    const path = manage('experience/bootstrap')
    const { status, body } = await service.api(scene.key).get(path).set(givenGuest(scene).headers)
    expect([status, body.accessPolicy.visibility]).toEqual([200, 'CLOSED'])
    expect(body.workspace.website.accessPolicy).toEqual(body.accessPolicy)
  })

  test('is reported after validation errors and before the visitor is checked', async () => {
    await closings[name]!()
    const call = service.api(scene.key).post(manage('experience/feedback'))
    const badToken = { 'X-Visitor-Token': 'nonsense' }
    expect((await call.set(badToken).send({})).body.fieldErrors).toEqual({
      message: 'Required.',
    })
    const whole = service.api(scene.key).post(manage('experience/feedback'))
    const answer = await whole.set(badToken).send({ message: 'Hello' })
    expect(answer.body.code).toBe('access_restricted')
  })

  test('stays open to its owner', async () => {
    await closings[name]!()
    for (const path of ['products', 'website', 'workspace', 'feedback'])
      await service.api(scene.key).get(manage(path)).expect(200)
  })
})

describe('a site for signed-in customers', () => {
  test('lets a guest visit, send feedback and sign in', async () => {
    await setPolicy({ visibility: 'SIGN_IN', challenge: 'OFF' })
    const guest = givenGuest(scene)
    for (const id of restrictedIds) {
      if ([...catalogue, ...chats].includes(id) || rows[id].scope === 'visitors:read') continue
      if (/^(refresh|log_out|update|delete)_customer/.test(id)) continue
      expect([id, await outcomeOf(id, await validCall(id, scene, guest))]).toEqual([
        id,
        rows[id].status,
      ])
    }
  })

  for (const id of [...catalogue, ...chats])
    test(`allows ${id} to customers only`, async () => {
      await setPolicy({ visibility: 'SIGN_IN' })
      const call = await validCall(id, scene)
      expect(await outcomeOf(id, call)).toBe(rows[id].status)
      const guest = givenGuest(scene)
      for (const headers of [{}, guest.headers, { 'X-Guest-Device-Id': guest.deviceId }])
        expect(await outcomeOf(id, { ...call, headers })).toBe('401 sign_in_required')
    })
})

describe('a public site', () => {
  for (const id of catalogue)
    test(`allows ${id} to all visitors on the key`, async () => {
      const call = await validCall(id, scene)
      for (const headers of [{}, givenGuest(scene).headers, call.headers])
        expect(await outcomeOf(id, { ...call, headers })).toBe(rows[id].status)
    })

  test('is closed to keys of accounts that do not own it', async () => {
    const stranger = await givenScene(service)
    const call = await validCall('get_bootstrap', scene)
    const answer = await send(
      service,
      'get_bootstrap',
      mainWayTo('get_bootstrap'),
      call,
      bearer(stranger.key),
    )
    expect([answer.status, answer.body.code]).toEqual([403, 'not_owner'])
  })
})
