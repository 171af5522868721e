import { expect, test } from 'vitest'
import { createBudget } from '../../src/fairness/budget.ts'
import { ApiError } from '../../src/core/errors.ts'

test('a holder gets half of what is left free, so that something is left for the next', () => {
  const budget = createBudget(243)
  const most = [81, 54, 36, 24]
  for (const [index, bytes] of most.entries()) {
    const holding = budget.open(`holder ${index}`)
    holding.take(bytes)
    expect(() => holding.take(1)).toThrow(ApiError)
  }
  budget.open('another').take(16)
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
