import { expect, test } from 'vitest'
import { createShares, NoPlaceError } from '../../src/fairness/shares.ts'

test('a place that is given back goes to the call that has waited longest', async () => {
  const shares = createShares({ places: 1, seconds: 60 })
  const order: string[] = []
  const giveBack = await shares.take('one')
  const later = ['first', 'second'].map(async (name) => {
    const giveBackLater = await shares.take('one')
    order.push(name)
    giveBackLater()
  })
  order.push('before')
  giveBack()
  await Promise.all(later)
  expect(order).toEqual(['before', 'first', 'second'])
})

test('accounts do not wait for each other', async () => {
  const shares = createShares({ places: 1, seconds: 60 })
  await shares.take('one')
  expect(shares.take('other')).toBeTypeOf('function')
})

test('a call that gave up waiting does not take the place later', async () => {
  const shares = createShares({ places: 1, seconds: 0.01 })
  const giveBack = await shares.take('one')
  await expect(shares.take('one')).rejects.toThrow(NoPlaceError)
  giveBack()
  const again = await shares.take('one')
  again()
})
