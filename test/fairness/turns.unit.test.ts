import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { NoPlaceError } from '../../src/fairness/shares.ts'
import { createTurns, type Place, type Turns } from '../../src/fairness/turns.ts'

const places = 32
const stranger = '203.0.113.7'
const pauseMilliseconds = 8

let turns: Turns
beforeEach(() => {
  vi.useFakeTimers()
  turns = createTurns(100)
})
afterEach(() => vi.useRealTimers())

const takeAll = () => Array.from({ length: places }, () => turns.take(stranger) as Place)

/** Takes a place that is not free yet, and says whether it has become free. */
function wait(): { isFree: boolean } {
  const waiting = { isFree: false }
  void Promise.resolve(turns.take(stranger)).then(() => (waiting.isFree = true))
  return waiting
}

describe('the requests of one address', () => {
  test('wait when all of its places are taken, and those of another do not', () => {
    takeAll()
    expect(turns.take(stranger)).toBeInstanceOf(Promise)
    expect(turns.take('198.51.100.9')).not.toBeInstanceOf(Promise)
  })

  test('go on as soon as the caller of one is known', async () => {
    const [first] = takeAll()
    const next = wait()
    first!.identified()
    await vi.advanceTimersByTimeAsync(0)
    expect(next.isFree).toBe(true)
  })

  test('go on one after the other while their callers stay unknown', async () => {
    for (const place of takeAll()) place.end()
    const next = [wait(), wait(), wait()]
    const free = () => next.filter(({ isFree }) => isFree).length
    for (const expected of [0, 1, 2, 3]) {
      expect(free()).toBe(expected)
      await vi.advanceTimersByTimeAsync(pauseMilliseconds)
    }
  })

  test('give a place back once, however they end', async () => {
    const [first] = takeAll()
    const next = [wait(), wait()]
    first!.identified()
    first!.end()
    first!.identified()
    await vi.advanceTimersByTimeAsync(pauseMilliseconds)
    expect(next.map(({ isFree }) => isFree)).toEqual([true, false])
  })

  test('are refused after ten seconds, or if too many wait', async () => {
    takeAll()
    const refused = expect(turns.take(stranger)).rejects.toBeInstanceOf(NoPlaceError)
    await vi.advanceTimersByTimeAsync(10_000)
    await refused
    for (let count = 0; count < 100; count++) wait()
    expect(() => turns.take(stranger)).toThrow(NoPlaceError)
  })
})
