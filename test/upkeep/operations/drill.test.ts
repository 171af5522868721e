import { beforeAll, expect, test } from 'vitest'
import { build } from '../../../scripts/build.mjs'
import { isHeld } from '../../../scripts/drill/drills/drill.ts'
import { crashes } from '../../../scripts/drill/drills/faults.ts'

beforeAll(() => build())

test('nothing acknowledged is lost when the service and its database are killed under load', async () => {
  const outcome = await crashes.run()
  expect(outcome).toMatchObject({ failed: [], lost: 0, miscounted: 0, wallets: 0 })
  expect(outcome.calls).toBeGreaterThan(60)
  expect(isHeld(crashes, outcome)).toBe(true)
})
