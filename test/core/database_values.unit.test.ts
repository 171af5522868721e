import { expect, test } from 'vitest'
import { types } from '../../src/db/connect.ts'

const parseTime = types.getTypeParser(1184) as (value: string) => unknown

test.each([
  ['2026-11-18 03:36:24+00', '2026-11-18T03:36:24.000Z'],
  ['2026-11-18 03:36:24.5+00', '2026-11-18T03:36:24.500Z'],
  ['2026-11-18 03:36:24.012+00', '2026-11-18T03:36:24.012Z'],
  ['2026-11-18 03:36:24.123999+00', '2026-11-18T03:36:24.123Z'],
  ['2026-11-18 03:36:24.123+03', '2026-11-18T00:36:24.123Z'],
  ['2026-11-18 03:36:24.123+05:30', '2026-11-17T22:06:24.123Z'],
])('the time %s is read as %s', (stored, time) => {
  expect(parseTime(stored)).toBe(time)
})
