import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Scene } from '../../scripts/attack/attack.ts'
import { attacks } from '../../scripts/attack/attacks.ts'
import { standBy } from '../../scripts/attack/bystander.ts'
import { givenProduct, givenShop, type Shop } from '../kit/catalogue.ts'
import { startService, type TestService } from '../kit/service.ts'

let service: TestService
let scene: Scene
let other: Shop
let otherKey: string
beforeAll(async () => {
  service = await startService()
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
    // The short form of npm run attack.
    times: (full) => Math.max(1, Math.ceil(full / 10)),
  }
})
afterAll(() => service.close())

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
