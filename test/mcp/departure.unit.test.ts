import { IncomingMessage, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import { expect, test } from 'vitest'
import { departureOf, type Exchange } from '../../src/surfaces/http/exchange.ts'

test('the calls of a batch watch for the departure of their client once', () => {
  const response = new ServerResponse(new IncomingMessage(new Socket()))
  const exchange = { response } as Exchange
  const signals = new Set(Array.from({ length: 20 }, () => departureOf(exchange)))
  expect(response.listenerCount('close')).toBe(1)
  response.emit('close')
  expect([...signals].map(({ aborted }) => aborted)).toEqual([true])
})
