import { expect, test } from 'vitest'
import { prefersStream } from '../../src/surfaces/http/event_stream.ts'

test.each([
  ['text/event-stream', true],
  ['Text/Event-Stream', true],
  ['text/event-stream, application/json', true],
  ['text/event-stream, */*;q=0.1', true],
  ['application/json;q=0.5, text/event-stream', true],
  ['application/json, text/event-stream', false],
  ['application/json, text/event-stream;q=0.9', false],
  ['text/event-stream;q=0', false],
  ['text/event-stream;q=x', false],
  ['*/*', false],
  ['text/*', false],
  ['', false],
])('Accept: %s asks for a stream: %s', (accept, expected) => {
  expect(prefersStream(accept)).toBe(expected)
})
