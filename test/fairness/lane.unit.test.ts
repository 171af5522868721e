import { expect, test } from 'vitest'
import { createLane } from '../../src/fairness/lane.ts'

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
  // One has had a turn when the others come.
  expect(order).toEqual(['two', 'three', 'one', 'two', 'one'])
})

test('work that fails is told so, and the next is done', async () => {
  const lane = createLane()
  const failing = lane.inTurn('one', () => Promise.reject(new Error('It failed.')))
  await expect(failing).rejects.toThrow('It failed.')
  await expect(lane.inTurn('one', () => Promise.resolve(1))).resolves.toBe(1)
})

test('holders get equal shares of the cost, however it is divided', async () => {
  const lane = createLane()
  const order: string[] = []
  const first = held()
  const all = [lane.inTurn('zero', first.work)]
  const wait = (name: string, cost: number) =>
    all.push(lane.inTurn(name, noted(order, name), { cost }))
  for (let count = 0; count < 3; count++) wait('dear', 30)
  for (let count = 0; count < 7; count++) wait('cheap', 10)
  first.end()
  await Promise.all(all)
  expect(order.join(' ')).toBe('cheap cheap dear cheap cheap cheap dear cheap cheap dear')
})

test('a cheap job of a newcomer waits for the one in progress alone', async () => {
  const lane = createLane()
  const order: string[] = []
  const names = ['one', 'two', 'three']
  const second = held()
  let begun = () => undefined as void
  const secondBegun = new Promise<void>((resolve) => (begun = resolve))
  const wait = (name: string, work: () => Promise<void>) => lane.inTurn(name, work, { cost: 40 })
  const dear = [
    wait('one', noted(order, 'one')),
    wait('two', () => {
      begun()
      return second.work().then(() => void order.push('two'))
    }),
    wait('three', noted(order, 'three')),
    ...names.map((name) => wait(name, noted(order, `${name} again`))),
  ]
  await secondBegun
  const cheap = lane.inTurn('newcomer', noted(order, 'cheap'), { cost: 1 })
  second.end()
  await Promise.all([...dear, cheap])
  const again = names.map((name) => `${name} again`)
  expect(order).toEqual(['one', 'two', 'cheap', 'three', ...again])
})

test('a holder has so much at once', async () => {
  const lane = createLane({ maxOfHolder: 2 })
  const first = held()
  const nothing = () => Promise.resolve()
  const admitted = [lane.inTurn('one', first.work), lane.inTurn('one', nothing)]
  await expect(lane.inTurn('one', nothing)).rejects.toThrow('not available')
  first.end()
  await Promise.all(admitted)
  await expect(lane.inTurn('one', nothing)).resolves.toBeUndefined()
})

test('when all places are taken, the holder with most waiting loses its newest', async () => {
  const lane = createLane({ maxWaiting: 3 })
  const order: string[] = []
  const first = held()
  const wait = (holder: string, name: string, cost: number) =>
    lane.inTurn(holder, noted(order, name), { cost })
  const running = lane.inTurn('zero', first.work)
  const dear = wait('one', 'dear', 40)
  const small = wait('two', 'small', 5)
  const newest = wait('two', 'newest', 5)
  const dropped = expect(dear).rejects.toThrow('not available')
  // Two small ones cost less than one dear one.
  const newcomer = wait('three', 'newcomer', 1)
  await dropped
  // Now it is the newcomer that would have most waiting.
  await expect(wait('four', 'refused', 11)).rejects.toThrow('not available')
  await expect(wait('five', 'refused', 10)).rejects.toThrow('not available')
  const newestDropped = expect(newest).rejects.toThrow('not available')
  const last = wait('five', 'last', 9)
  await newestDropped
  first.end()
  await Promise.all([running, small, newcomer, last])
  expect(order).toEqual(['newcomer', 'small', 'last'])
})

test('who leaves while waiting frees the place', async () => {
  const lane = createLane({ maxWaiting: 1 })
  const order: string[] = []
  const first = held()
  const leaving = new AbortController()
  const running = lane.inTurn('one', first.work)
  const left = lane.inTurn('two', noted(order, 'left'), { signal: leaving.signal })
  leaving.abort()
  await expect(left).rejects.toThrow('not available')
  const stayed = lane.inTurn('two', noted(order, 'stayed'))
  first.end()
  await Promise.all([running, stayed])
  expect(order).toEqual(['stayed'])
  await expect(lane.inTurn('one', first.work, { signal: leaving.signal })).rejects.toThrow(
    'not available',
  )
})
