import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { reserveCredits } from '../../src/domain/credits/wallet.ts'
import type { components } from '../../src/generated/types.ts'
import { brokenIn, givenChats } from '../assistant/chats.ts'
import { givenMember } from '../every_operation/fixtures.ts'
import { drawFaces } from '../kit/faces.ts'
import { losingTheCommitAfter } from '../kit/races.ts'
import { type Person, startService, type TestService, unique } from '../kit/service.ts'
import { write } from '../kit/wallets.ts'

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
  test('is free at first, recorded as a trial and as nothing of visitors, and lists what it missed', async () => {
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
    const answer = await trial.post(at('chat/product')).set(headers).send(chat).expect(200)
    expect(answer.body).toMatchObject({ credits: { charged: 0 } })
    const view = { name: 'PRODUCT_VIEW', productId }
    await trial.post(at('events')).set(headers).send(view).expect(202)
    await place.ask(place.guest()).expect(200)

    expect(await place.wallet()).toEqual({ balance: 99, reserved: 0 })
    const { body } = await place.api.get(place.at('usage')).expect(200)
    const { usage } = body as components['schemas']['UsageReport']
    const counts = usage.map(({ actorType, userId, name, requests, credits, visits }) => [
      [actorType, userId, name],
      [requests, credits, visits],
    ])
    expect(counts).toContainEqual([
      ['TRIAL', null, 'Trials'],
      [1, 0, 0],
    ])
    expect(counts).toContainEqual([
      ['GUEST', null, 'Guests'],
      [1, 1, 0],
    ])
    const statistics = await place.api.get(place.at('usage/products')).expect(200)
    expect(statistics.body.products).toMatchObject([{ productId, views: 0, questions: 1 }])
    const unanswered = await place.api.get(place.at('questions/unanswered')).expect(200)
    expect(unanswered.body.questions).toMatchObject([{ productId, text: chat.message }])
  })

  test('costs credits from the 51st answer of a day on, however many come at once', async () => {
    const place = await givenChats(service, 3)
    await place.setPolicy({ challenge: 'OFF', guestDailyRequests: 200 })
    const { key } = await start(place.person)
    const trial = service.api(key)
    const at = (path: string) => place.at(`experience/${path}`)
    const device = { 'X-Guest-Device-Id': 'device-of-a-trial' }
    const bootstrap = await trial.get(at('bootstrap')).set(device).expect(200)
    const headers = { ...device, 'X-Guest-Token': bootstrap.body.guestToken as string }
    const chat = { message: 'Is it fit for dry skin?', productId: place.product.id }
    const ask = () => trial.post(at('chat/product')).set(headers).send(chat)
    const outcome = async () => {
      const { status, body } = await ask()
      return status === 200 ? (body as { credits: { charged: number } }).credits.charged : status
    }
    const answers = await Promise.all(Array.from({ length: 55 }, outcome))
    const count = (one: number) => answers.filter((answer) => answer === one).length
    expect([count(0), count(1), count(402)]).toEqual([50, 3, 2])
    expect(await place.wallet()).toEqual({ balance: 0, reserved: 0 })
    expect(await brokenIn(service)).toEqual([])
    // Visitors pay as ever, and another day begins anew.
    expect((await place.ask(place.guest())).status).toBe(402)
    service.advance(24 * 3600_000)
    const { key: next } = await start(place.person)
    const again = await service.api(next).post(at('chat/product')).set(headers).send(chat)
    expect([again.status, again.body.credits]).toEqual([200, { charged: 0 }])
  })

  /** A shop without credits, its owner's chat in a trial, and how many free trials are taken. */
  async function givenTrial() {
    const place = await givenChats(service, 0)
    const { key } = await start(place.person)
    const at = (path: string) => place.at(`experience/${path}`)
    const device = { 'X-Guest-Device-Id': 'device-of-a-trial' }
    const bootstrap = await service.api(key).get(at('bootstrap')).set(device).expect(200)
    const headers = { ...device, 'X-Guest-Token': bootstrap.body.guestToken as string }
    const send = (kind: string, body: object) =>
      service
        .api(key)
        .post(at(`chat/${kind}`))
        .set(headers)
        .send(body)
    const chat = { message: 'Is it fit for dry skin?', productId: place.product.id }
    const taken = async () => {
      const quotas = service.db.selectFrom('visitor_quotas').select('requests')
      const ofTrials = quotas.where('workspace_id', '=', place.workspaceId)
      const rows = await ofTrials.where('visitor_id', '=', 'trials').execute()
      return rows.map(({ requests }) => requests)
    }
    return { place, send, ask: () => send('product', chat), taken }
  }

  test('gives a free trial back that brought no answer', async () => {
    const { place, send, taken } = await givenTrial()
    const image = (await drawFaces([])).toString('base64')
    for (let time = 0; time < 2; time++)
      expect((await send('analyze-face', { image })).status).toBe(400)
    expect(await taken()).toEqual([0])
    expect(await place.events()).toEqual([
      'chat.analyze_face FAILED 0',
      'chat.analyze_face FAILED 0',
    ])
  })

  test('keeps a free trial whose answer was committed and nobody learned of it', async () => {
    const { place, ask, taken } = await givenTrial()
    const call = await losingTheCommitAfter('insert into "threads"', ask)
    expect(call.status).toBe(503)
    expect(await taken()).toEqual([1])
    expect(await place.events()).toEqual(['chat.product SUCCESS 0'])
  })

  test('gives back the free trials of a process that died, when they are needed', async () => {
    const { place, ask, taken } = await givenTrial()
    const day = service.now().toISOString().slice(0, 10)
    const visitor = { id: 'device', day, budget: 'trials' }
    const { workspaceId } = place
    for (let time = 0; time < 50; time++) {
      const request = { credits: 0, reference: unique('call'), now: service.now(), seconds: 300 }
      await write(service, (trx) => reserveCredits(trx, workspaceId, { ...request, visitor }))
    }
    const counted = { workspace_id: workspaceId, visitor_id: 'trials', day, requests: 50 }
    await service.db.insertInto('visitor_quotas').values(counted).execute()
    expect((await ask()).status).toBe(402)
    service.advance(300_000)
    expect((await ask()).status).toBe(200)
    expect(await taken()).toEqual([1])
    expect(await brokenIn(service)).toEqual([])
  })
})
