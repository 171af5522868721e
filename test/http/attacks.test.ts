import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Scene } from '../../scripts/attack/attack.ts'
import { attacks } from '../../scripts/attack/attacks.ts'
import { standBy } from '../../scripts/attack/bystander.ts'
import { startStore, type Store } from '../../scripts/attack/loopback_store.ts'
import { s3MediaStore } from '../../src/adapters/media_store.ts'
import { givenProduct, givenShop, type Shop } from '../kit/catalogue.ts'
import { startService, type TestService } from '../kit/service.ts'

let store: Store
let service: TestService
let scene: Scene
let other: Shop
let otherKey: string
beforeAll(async () => {
  store = await startStore()
  service = await startService({ mediaStore: s3MediaStore(store.settings) })
  const attacker = await givenShop(service)
  for (let count = 0; count < 20; count++) await givenProduct(attacker)
  other = await givenShop(service)
  await givenProduct(other)
  const { key: apiKey } = await service.givenKey(attacker.person)
  const { token } = await service.givenAgent(attacker.person)
  otherKey = (await service.givenKey(other.person)).key
  scene = {
    origin: service.urls.api,
    attacker: { workspaceId: attacker.workspaceId, apiKey, token },
    db: service.db,
    store,
    // The short form of npm run attack.
    times: (full) => Math.max(1, Math.ceil(full / 10)),
  }
})
afterAll(async () => {
  await service.close()
  await store.close()
})

test.each(attacks)('$name fail no call of another account', async ({ run }) => {
  const { workspaceId } = other
  const noticed = await standBy(
    { origin: scene.origin, workspaceId, apiKey: otherKey },
    async () => {
      expect((await run(scene)).sent).toBeGreaterThan(0)
    },
  )
  expect(noticed.calls).toBeGreaterThan(0)
  expect(noticed.failed).toBe(0)
})
