import { EventEmitter } from 'node:events'
import type { ServerResponse } from 'node:http'
import { expect, test } from 'vitest'
import { createBudget } from '../../src/fairness/budget.ts'
import { ApiError } from '../../src/core/errors.ts'
import { openHoldings } from '../../src/surfaces/http/holdings.ts'

test('bytes are held until the work is done, also if the client has left', () => {
  const response = new EventEmitter() as ServerResponse
  const budget = createBudget(300)
  const held = openHoldings({ response })
  held.open(budget, 'one').take(100)
  response.emit('close')
  expect(() => budget.open('one').take(100)).toThrow(ApiError)
  held.end()
  budget.open('one').take(100)
})

test('what arrives after the work is given back with the response', () => {
  const response = new EventEmitter() as ServerResponse
  const budget = createBudget(300)
  const held = openHoldings({ response })
  const holding = held.open(budget, 'one')
  held.end()
  holding.take(100)
  expect(() => budget.open('one').take(100)).toThrow(ApiError)
  response.emit('close')
  budget.open('one').take(100)
})
