import { expect, test } from 'vitest'
import { createLane } from '../../src/core/lane.ts'

/** Work that ends when it is told to. */
function held(): { work: () => Promise<void>; end: () => void } {
  let end = () => undefined as void
  const ended = new Promise<void>((resolve) => (end = resolve))
  return { work: () => ended, end }
}

const noted = (order: string[], name: string) => () => Promise.resolve(void order.push(name))

test('work is done one at a time, and holders take turns', async () => {
  const lane = createLane()
  const order: string[] = []
  const first = held()
  const all = [lane.inTurn('one', first.work)]
  for (const name of ['one', 'one', 'two', 'three', 'two'])
    all.push(lane.inTurn(name, noted(order, name)))
  expect(order).toEqual([])
  first.end()
  await Promise.all(all)
  expect(order).toEqual(['one', 'two', 'three', 'one', 'two'])
})

test('work that fails is told so, and the next is done', async () => {
  const lane = createLane()
  const failing = lane.inTurn('one', () => Promise.reject(new Error('It failed.')))
  await expect(failing).rejects.toThrow('It failed.')
  await expect(lane.inTurn('one', () => Promise.resolve(1))).resolves.toBe(1)
})

test('a holder has so much at once, and all together wait so many', async () => {
  const lane = createLane({ maxOfHolder: 2, maxWaiting: 3 })
  const first = held()
  const nothing = () => Promise.resolve()
  const admitted = [
    lane.inTurn('one', first.work),
    lane.inTurn('one', nothing),
    lane.inTurn('two', nothing),
    lane.inTurn('three', nothing),
  ]
  await expect(lane.inTurn('one', nothing)).rejects.toThrow('not available')
  await expect(lane.inTurn('four', nothing)).rejects.toThrow('not available')
  first.end()
  await Promise.all(admitted)
  await expect(lane.inTurn('four', nothing)).resolves.toBeUndefined()
})

test('who leaves while waiting frees the place', async () => {
  const lane = createLane({ maxWaiting: 1 })
  const order: string[] = []
  const first = held()
  const leaving = new AbortController()
  const running = lane.inTurn('one', first.work)
  const left = lane.inTurn('two', noted(order, 'left'), leaving.signal)
  leaving.abort()
  await expect(left).rejects.toThrow('not available')
  const stayed = lane.inTurn('two', noted(order, 'stayed'))
  first.end()
  await Promise.all([running, stayed])
  expect(order).toEqual(['stayed'])
  await expect(lane.inTurn('one', first.work, leaving.signal)).rejects.toThrow('not available')
})
