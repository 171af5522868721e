import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { components } from '../../src/generated/types.ts'
import { givenChats } from '../assistant/chats.ts'
import { givenMember } from '../every_operation/fixtures.ts'
import { type Person, startService, type TestService } from '../kit/service.ts'

let service: TestService
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service.close())

const start = async (person: Person, body: object = {}) =>
  (await service.dashboard(person).post('/api/trials').send(body).expect(201))
    .body as components['schemas']['Trial']

const bootstrap = (key: string, workspaceId: string) =>
  service
    .api(key)
    .get(`/v1/workspaces/${workspaceId}/experience/bootstrap`)
    .set('X-Guest-Device-Id', 'device-of-a-trial')

describe('start_trial', () => {
  test('gives a key of one day for visitors, which is listed and revoked like any other', async () => {
    const person = await service.givenPerson()
    const workspace = await service.givenWorkspace(person)
    const { id, key, expiresAt } = await start(person)
    expect(Date.parse(expiresAt) - service.now().getTime()).toBe(24 * 3600_000)
    await bootstrap(key, workspace.id).expect(200)
    await service.api(key).get('/v1/workspaces').expect(403)
    const keys = async () => (await service.dashboard(person).get('/api/keys').expect(200)).body
    const listed = await keys()
    expect(listed.pagination.total).toBe(1)
    expect(listed.keys).toMatchObject([{ id, name: 'Chat trial', expiresAt, revokedAt: null }])
    expect(await service.mailsTo(person.email)).toEqual([])
    await service.dashboard(person).delete(`/api/keys/${id}`).expect(200)
    expect((await bootstrap(key, workspace.id)).body.code).toBe('token_revoked')
    // Ended ones are no news: there is one for every look at the chat.
    expect((await keys()).keys).toEqual([])
  })

  test('gives a key for one workspace of those that the account owns', async () => {
    const person = await service.givenPerson()
    const [tried, other] = [
      await service.givenWorkspace(person),
      await service.givenWorkspace(person),
    ]
    const unsaid = await service.dashboard(person).post('/api/trials').send({})
    expect([unsaid.status, unsaid.body.fieldErrors]).toEqual([400, { workspaceId: 'Required.' }])
    const { key } = await start(person, { workspaceId: tried.id })
    await bootstrap(key, tried.id).expect(200)
    const refused = await bootstrap(key, other.id)
    expect([refused.status, refused.body.code]).toEqual([403, 'not_owner'])
    expect(refused.body.message).toContain('limited to one workspace')
  })

  test.each(['staff', 'billing'] as const)(
    'tells a member with the role %s why not',
    async (role) => {
      const owner = await service.givenPerson()
      const workspace = await service.givenWorkspace(owner)
      const member = await service.givenPerson()
      await givenMember({ service, workspace }, member, role)
      for (const body of [{ workspaceId: workspace.id }, {}]) {
        const refused = await service.dashboard(member).post('/api/trials').send(body)
        expect(refused.status).toBe(403)
        expect(refused.body).toMatchObject({
          code: 'not_owner',
          message: 'Only an owner of the workspace can try its site: a trial spends its credits.',
        })
      }
    },
  )

  test('leaves one trial, even of several that start at once', async () => {
    const person = await service.givenPerson()
    await service.givenWorkspace(person)
    const { id: other } = await service.givenKey(person)
    await Promise.all([1, 2, 3, 4].map(() => start(person)))
    const live = service.db.selectFrom('api_keys').where('account_id', '=', person.accountId)
    const keys = await live.select(['id', 'is_trial']).where('revoked_at', 'is', null).execute()
    expect(keys).toHaveLength(2)
    expect(keys.filter((key) => !key.is_trial)).toEqual([{ id: other, is_trial: false }])
  })
})

describe('what happens in a trial', () => {
  test('costs credits, and is recorded as a trial and as nothing of visitors', async () => {
    const place = await givenChats(service)
    await place.setPolicy({ challenge: 'OFF' })
    const { key } = await start(place.person)
    const trial = service.api(key)
    const deviceId = 'device-of-a-trial'
    const at = (path: string) => place.at(`experience/${path}`)
    const device = { 'X-Guest-Device-Id': deviceId }
    const bootstrap = await trial.get(at('bootstrap')).set(device).expect(200)
    const headers = { ...device, 'X-Guest-Token': bootstrap.body.guestToken as string }
    const productId = place.product.id
    const chat = { message: 'Does it contain zinc?', productId }
    await trial.post(at('chat/product')).set(headers).send(chat).expect(200)
    const view = { name: 'PRODUCT_VIEW', productId }
    await trial.post(at('events')).set(headers).send(view).expect(202)
    await place.ask(place.guest()).expect(200)

    expect(await place.wallet()).toEqual({ balance: 98, reserved: 0 })
    const { body } = await place.api.get(place.at('usage')).expect(200)
    const { usage } = body as components['schemas']['UsageReport']
    const counts = usage.map(({ actorType, userId, name, requests, credits, visits }) => [
      [actorType, userId, name],
      [requests, credits, visits],
    ])
    expect(counts).toContainEqual([
      ['TRIAL', null, 'Trials'],
      [1, 1, 0],
    ])
    expect(counts).toContainEqual([
      ['GUEST', null, 'Guests'],
      [1, 1, 0],
    ])
    const statistics = await place.api.get(place.at('usage/products')).expect(200)
    expect(statistics.body.products).toMatchObject([{ productId, views: 0, questions: 1 }])
    const unanswered = await place.api.get(place.at('questions/unanswered')).expect(200)
    expect(unanswered.body.questions).toEqual([])
  })
})
