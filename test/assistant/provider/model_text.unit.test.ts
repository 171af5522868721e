import { expect, test } from 'vitest'
import { beginningOfObject } from '../../../src/adapters/models/text.ts'

test.each([
  ['Here: {"a":1}\n```\n', '{"a":1}'],
  ['{"a":{"b":1}', '{"a":{"b":1}'],
  ['{"a":1}````', '{"a":1}````'],
  ['{"a":"} `', '{"a":"}'],
  ['Nothing', ''],
])('%j has begun with %j', (text, beginning) => {
  expect(beginningOfObject(text)).toBe(beginning)
})

test('a model that goes on with spaces is read once', () => {
  expect(beginningOfObject(`{"a":1}${' '.repeat(500_000)}x`)).toHaveLength(500_008)
})
