import { expect, test } from 'vitest'
import { fileOf } from '../../scripts/table/file.ts'
import type { Pair } from '../../scripts/table/pairs.ts'
import { type Plan, trained } from '../../scripts/table/training.ts'
import { featuresOf, hashOf } from '../../src/language/word_vectors.ts'

const pairs: Pair[] = [
  ['ladder', 'merdiven'],
  ['paint', 'boya'],
  ['glue', 'tutkal'],
  ['hammer', 'cekic'],
  ['glove', 'eldiven'],
  ['varnish', 'vernik'],
]
const plan: Plan = {
  dimensions: 16,
  rows: 512,
  batch: 12,
  steps: 300,
  rate: 0.1,
  temperature: 0.1,
}
const train = () => trained([{ share: 1, pairs }], plan, () => undefined)

/** How close two words are in a table as it is stored. */
function closeness(file: Buffer, a: string, b: string): number {
  const vectorOf = (word: string) => {
    const sum = Array.from({ length: plan.dimensions }, () => 0)
    for (const feature of featuresOf(word)) {
      const row = hashOf(feature) % plan.rows
      const scale = file.readFloatLE(16 + row * 4)
      const start = 16 + plan.rows * 4 + row * plan.dimensions
      for (const index of sum.keys()) sum[index]! += file.readInt8(start + index) * scale
    }
    const length = Math.hypot(...sum)
    return sum.map((value) => value / length)
  }
  const [left, right] = [vectorOf(a), vectorOf(b)]
  return left.reduce((total, value, index) => total + value * right[index]!, 0)
}

test('a trained table brings words of one meaning closer than all others', () => {
  const file = fileOf(train(), plan)
  for (const [a, b] of pairs)
    for (const [, other] of pairs.filter((pair) => pair[1] !== b))
      expect(closeness(file, a, b)).toBeGreaterThan(closeness(file, a, other))
})

test('training twice gives the same table', () => {
  expect(fileOf(train(), plan).equals(fileOf(train(), plan))).toBe(true)
})
