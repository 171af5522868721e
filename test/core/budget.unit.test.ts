import { expect, test } from 'vitest'
import { createBudget } from '../../src/core/budget.ts'
import { ApiError } from '../../src/core/errors.ts'

test('one holder gets a third of a budget, all together no more than all of it', () => {
  const budget = createBudget(300)
  const holdings = ['one', 'two', 'three', 'four'].map((holder) => budget.open(holder))
  holdings[0]!.take(100)
  expect(() => budget.open('one').take(1)).toThrow(ApiError)
  holdings[1]!.take(100)
  holdings[2]!.take(100)
  expect(() => holdings[3]!.take(1)).toThrow(ApiError)
})

test('what is given back can be taken again, and is given back once', () => {
  const budget = createBudget(300)
  const holding = budget.open('one')
  holding.take(60)
  holding.take(40)
  holding.release()
  holding.release()
  budget.open('one').take(100)
  expect(() => budget.open('one').take(1)).toThrow(ApiError)
})
