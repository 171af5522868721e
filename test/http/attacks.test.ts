import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Scene } from '../../scripts/attack/attack.ts'
import { attacks } from '../../scripts/attack/attacks.ts'
import { standBy } from '../../scripts/attack/bystander.ts'
import { type MailServer, startMailServer } from '../../scripts/attack/loopback_mail.ts'
import { startStore, type Store } from '../../scripts/attack/loopback_store.ts'
import { smtpMailer } from '../../src/adapters/mailer.ts'
import { s3MediaStore } from '../../src/adapters/s3_store.ts'
import { givenProduct, givenShop, type Shop } from '../kit/catalogue.ts'
import { createDatabase, type TestDatabase } from '../kit/database.ts'
import { startService, type TestService } from '../kit/service.ts'
import { toHanging } from '../webhooks/webhook_calls.ts'

let store: Store
let mail: MailServer
let database: TestDatabase
let service: TestService
let usual: TestService
let scene: Scene
let other: Shop
let otherKeys: string[]
beforeAll(async () => {
  store = await startStore()
  mail = await startMailServer()
  database = await createDatabase()
  const shared = { databaseUrl: database.url, mediaStore: s3MediaStore(store.settings) }
  const mailer = () => smtpMailer(mail.url, 'no-reply@vitrine.example')
  service = await startService({ ...shared, ...toHanging, mailer: mailer() })
  const env = { RATE_LIMIT_PER_MINUTE: '120', TRUST_PROXY: '1' }
  usual = await startService({ ...shared, mailer: mailer(), env })
  const attacker = await givenShop(service)
  for (let count = 0; count < 20; count++) await givenProduct(attacker)
  other = await givenShop(service)
  await givenProduct(other)
  const { key: apiKey } = await service.givenKey(attacker.person)
  const { token } = await service.givenAgent(attacker.person)
  otherKeys = []
  for (let count = 0; count < 8; count++) otherKeys.push((await service.givenKey(other.person)).key)
  scene = {
    origin: service.urls.api,
    usual: {
      api: usual.urls.api,
      dashboard: usual.urls.dashboard,
      dashboardUrl: usual.config.dashboardUrl,
    },
    attacker: { workspaceId: attacker.workspaceId, apiKey, token },
    db: service.db,
    store,
    mail,
    // The short form of npm run attack.
    times: (full) => Math.max(1, Math.ceil(full / 10)),
    codeMilliseconds: 100_000,
    uploadMilliseconds: 100_000,
    writeMilliseconds: 100_000,
  }
})
afterAll(async () => {
  await usual.close()
  await service.close()
  await database.drop()
  await mail.close()
  await store.close()
})

test.each(attacks)('$name: fails no call of another account', async ({ isUsual, prepare, run }) => {
  const { workspaceId } = other
  await prepare?.()
  const noticed = await standBy(
    { origin: isUsual ? scene.usual.api : scene.origin, workspaceId, apiKeys: otherKeys },
    async () => {
      const { sent, broken } = await run(scene)
      expect(sent).toBeGreaterThan(0)
      expect(broken).toBeUndefined()
    },
  )
  expect(noticed.calls).toBeGreaterThan(0)
  expect(noticed.failed).toBe(0)
})
