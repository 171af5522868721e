import { expect, test } from 'vitest'
import { type Arrival, createDay } from '../../../src/domain/site/day_of_sites.ts'

const arrival = (visitor: string, from: string): Arrival => ({
  visitor: { workspaceId: 'ws', day: '2026-11-19', visitor },
  from,
})

/** Visitors of one address, of whom the first three hundred count. */
const crowdOf = (name: string, from: string) =>
  Array.from({ length: 400 }, (_, index) => arrival(`${name} ${index}`, from))

test('an address is three hundred visitors a day, also once too many visitors are known', () => {
  const day = createDay()
  // Half as many addresses as visitors.
  for (let index = 0; index < 200_001; index++)
    day.learn(arrival(`visitor ${index}`, `address ${index >> 1}`))
  const counted = day.arrivalsAmong(crowdOf('made up', 'program'))
  expect(counted).toHaveLength(300)
  for (const each of counted) day.learn(each)
  expect(day.arrivalsAmong(crowdOf('others', 'program'))).toEqual([])
})

test('an address that comes after too many others is no visitor', () => {
  const day = createDay()
  for (let index = 0; index < 200_000; index++)
    day.learn(arrival(`visitor ${index}`, `address ${index}`))
  expect(day.arrivalsAmong(crowdOf('late', 'one more'))).toEqual([])
})
