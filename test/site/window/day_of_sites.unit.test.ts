import { expect, test } from 'vitest'
import {
  type Arrival,
  createDay,
  mostOfDay,
  type Shortage,
} from '../../../src/domain/site/day_of_sites.ts'

const today = '2026-11-19'

/** A hundredth of the room for visitors and addresses. */
const smallRoom = { ...mostOfDay, knownVisitors: 2_000, knownAddresses: 2_000, shareOfShop: 50 }

const arrival = (
  visitor: string,
  from: string,
  at = { workspaceId: 'ws', day: today },
): Arrival => ({
  visitor: { ...at, visitor },
  from,
})

/** Visitors of one address, of whom the first three hundred count. */
const crowdOf = (name: string, from: string) =>
  Array.from({ length: 400 }, (_, index) => arrival(`${name} ${index}`, from))

test('an address is three hundred visitors a day, also once too many visitors are known', () => {
  const day = createDay(undefined, smallRoom)
  // A quarter as many addresses as visitors.
  for (let index = 0; index < 2_001; index++)
    day.learn(arrival(`visitor ${index}`, `address ${index >> 2}`))
  const counted = day.arrivalsAmong(crowdOf('made up', 'program'))
  expect(counted).toHaveLength(300)
  for (const each of counted) day.learn(each)
  expect(day.arrivalsAmong(crowdOf('others', 'program'))).toEqual([])
})

test('an address that comes after too many others is no visitor', () => {
  const day = createDay(undefined, smallRoom)
  for (let index = 0; index < 2_000; index++)
    day.learn(arrival(`visitor ${index}`, `address ${index}`))
  expect(day.arrivalsAmong(crowdOf('late', 'one more'))).toEqual([])
})

/** As many visitors of a shop as a flood brings, each from an address of their own. */
function flood(day: ReturnType<typeof createDay>, workspaceId: string, visitors: number): void {
  const at = { workspaceId, day: today }
  for (let index = 0; index < visitors; index++) day.learn(arrival(`${index}`, `${index}`, at))
  day.arrivalsAmong([arrival('last', 'last', at)])
}

/** How many of so many new visitors are counted at a shop, each from an address of their own. */
function countedAt(
  day: ReturnType<typeof createDay>,
  workspaceId: string,
  visitors: number,
): number {
  const at = { workspaceId, day: today }
  const came = Array.from({ length: visitors }, (_, index) =>
    arrival(`new ${index}`, `new ${index}`, at),
  )
  return day.arrivalsAmong(came).filter((each) => {
    const isNew = day.arrivalsAmong([each]).length === 1
    day.learn(each)
    return isNew
  }).length
}

test('a flood at one shop leaves every other shop its visitors', () => {
  const told: [Shortage, string][] = []
  const day = createDay((...of) => void told.push(of), smallRoom)
  flood(day, 'flooded', 2_010)
  expect(told).toEqual([['shop', 'flooded']])
  for (let shop = 0; shop < 15; shop++) expect(countedAt(day, `small ${shop}`, 50)).toBe(50)
  expect(countedAt(day, 'large', 60)).toBe(50)
  expect(countedAt(day, 'flooded', 10)).toBe(0)
  // Who was here is told apart from who was not.
  expect(
    day.arrivalsAmong([arrival('new 1', 'new 1', { workspaceId: 'large', day: today })]),
  ).toEqual([])
})

test('what is kept is bounded for all shops together, which is told once a day', () => {
  const told: [Shortage, string][] = []
  const day = createDay((...of) => void told.push(of), smallRoom)
  for (let shop = 0; shop < 40; shop++) flood(day, `flooded ${shop}`, 60)
  expect(countedAt(day, 'late', 10)).toBe(0)
  expect(told).toEqual([
    ['shop', 'flooded 16'],
    ['all', 'flooded 36'],
  ])
  const tomorrow = { workspaceId: 'late', day: '2026-11-20' }
  day.learn(arrival('first', 'first', tomorrow))
  expect(day.arrivalsAmong([arrival('second', 'second', tomorrow)])).toHaveLength(1)
})
