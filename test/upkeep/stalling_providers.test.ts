import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { smtpMailer } from '../../src/adapters/mailer.ts'
import { stripePayments } from '../../src/adapters/payments.ts'
import { type ChatPlace, givenChats, modelSettings } from '../assistant/chats.ts'
import { givenShop, productBody, type Shop } from '../kit/catalogue.ts'
import {
  http,
  smtp,
  type Stall,
  type StallingServer,
  startStallingServer,
} from '../kit/peers/stalling_server.ts'
import { start, tally } from '../kit/races.ts'
import { startService, type TestService, unique } from '../kit/service.ts'

let servers: Record<'model' | 'mail' | 'payments', StallingServer>
/** Waits for its providers as long as in production. */
let patient: TestService
/** Gives each of them a second. */
let hasty: TestService
let place: ChatPlace
let other: Shop

beforeAll(async () => {
  servers = {
    model: await startStallingServer(http),
    mail: await startStallingServer(smtp),
    payments: await startStallingServer(http),
  }
  patient = await startBeside()
  hasty = await startBeside(1)
  place = await givenChats(patient)
  other = await givenShop(patient)
})
afterAll(async () => {
  for (const server of Object.values(servers)) server.release()
  for (const service of [patient, hasty]) await service.close()
  for (const server of Object.values(servers)) await server.close()
})

function startBeside(seconds?: number): Promise<TestService> {
  const { model, mail, payments } = servers
  const [env, inAll, each] = seconds
    ? [{ AI_TIMEOUT_SECONDS: String(seconds) }, { seconds }, { milliseconds: seconds * 1000 }]
    : [{}, {}, {}]
  return startService({
    env: { ...modelSettings({ baseUrl: `http://127.0.0.1:${model.port}/v1` }), ...env },
    mailer: smtpMailer(`smtp://127.0.0.1:${mail.port}`, 'no-reply@vitrine.example', inAll),
    payments: stripePayments({
      secretKey: 'sk_test_right',
      webhookSecret: 'whsec_a_secret_of_the_tests',
      api: { host: '127.0.0.1', port: payments.port, protocol: 'http' },
      dashboardUrl: 'http://localhost:3001',
      ...each,
    }),
  })
}

const isIdle = ({ connection: { pool } }: TestService) => pool.totalCount === pool.idleCount
const checkout = (service: TestService, { person, workspaceId }: Shop) =>
  service.dashboard(person).post(`/api/workspaces/${workspaceId}/checkout`).send({ pack: 500 })
const requestCode = (service: TestService) =>
  service
    .dashboard()
    .post('/api/session/code')
    .send({ email: `${unique('person')}@example.com` })

/** Everything that needs no provider works, and no call that waits for one holds a connection. */
async function expectOthersWell(): Promise<void> {
  await expect.poll(() => isIdle(patient)).toBe(true)
  await other.api.post(other.at('products')).send(productBody()).expect(200)
  await other.api.get(other.at('products')).expect(200)
  await patient.dashboard(other.person).get('/api/session').expect(200)
  await patient.api().get('/readyz').expect(200)
  // Webhooks look for what the write was about.
  await expect.poll(() => isIdle(patient)).toBe(true)
}

/** More calls than there are connections. */
const many = 15

describe.each<Stall>(['hangs', 'drips'])('a provider that %s', (how) => {
  beforeEach(() => {
    for (const server of Object.values(servers)) server.stall(how)
  })
  afterEach(() => {
    for (const server of Object.values(servers)) server.release()
  })

  test('of models delays only chats', async () => {
    const before = servers.model.accepted()
    const chats = Array.from({ length: many }, () => start(place.ask(place.guest())))
    await expect.poll(() => servers.model.accepted() - before).toBe(many)
    await expectOthersWell()
    servers.model.release()
    // The built-in model answers in their place.
    expect(tally(await Promise.all(chats))).toEqual({ 200: many })
    expect((await place.wallet()).reserved).toBe(0)
  })

  test('of payments delays only checkouts', async () => {
    const before = servers.payments.accepted()
    const shops = await Promise.all(Array.from({ length: many }, () => givenShop(patient)))
    const checkouts = shops.map((shop) => start(checkout(patient, shop)))
    await expect.poll(() => servers.payments.accepted() - before).toBe(many)
    await expectOthersWell()
    servers.payments.release()
    expect(tally(await Promise.all(checkouts))).toEqual({ '503 unavailable': many })
  })

  test('of mail delays no call', async () => {
    const before = servers.mail.accepted()
    const codes = Array.from({ length: many }, () => start(requestCode(patient)))
    expect(tally(await Promise.all(codes))).toEqual({ 202: many })
    // As many as are sent at a time.
    await expect.poll(() => servers.mail.accepted() - before).toBeGreaterThanOrEqual(6)
    await expectOthersWell()
  })
})

describe('a provider that drips longer than it may take', () => {
  beforeEach(() => {
    for (const server of Object.values(servers)) server.stall('drips')
  })

  test('of models is cut off', async () => {
    const hastyPlace = await givenChats(hasty)
    const { body } = await hastyPlace.ask(hastyPlace.guest()).expect(200)
    expect(body.response).toContain('“Rich care for dry skin.”')
  })

  test('of payments is cut off', async () => {
    const answer = await checkout(hasty, await givenShop(hasty))
    expect(tally([answer])).toEqual({ '503 unavailable': 1 })
  })

  test('of mail is cut off, and the mail waits', async () => {
    await requestCode(hasty).expect(202)
    const waits = 'A mail was not accepted and waits.'
    const waiting = () => hasty.logged().filter(({ msg }) => msg === waits)
    await expect.poll(() => waiting().length).toBeGreaterThan(0)
  })
})

describe('a provider that refuses', () => {
  beforeEach(() => {
    for (const server of Object.values(servers)) server.release()
  })

  test('is felt only by calls that need it', async () => {
    expect((await place.ask(place.guest())).status).toBe(200)
    expect((await checkout(patient, other)).status).toBe(503)
    await requestCode(patient).expect(202)
    await expectOthersWell()
  })
})
