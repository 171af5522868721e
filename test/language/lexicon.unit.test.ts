import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { foldedText } from '../../src/language/words.ts'
import { strengthOf, wordsIn } from '../../src/domain/assistant/finding/matching.ts'
import { termsOf } from '../../src/domain/assistant/understanding/questions.ts'

const folder = join(import.meta.dirname, '../../src/language/lexicon')
const read = (file: string) => JSON.parse(readFileSync(join(folder, file), 'utf8')) as unknown
const lines = readdirSync(folder)
  .filter((file) => file !== 'classes.json')
  .flatMap((file) => read(file) as string[])
const meanings = new Set(lines.map((line) => foldedText(line).match(/[^\s~]+/)![0]))

describe('the lexicon', () => {
  test('relates meanings that it has', () => {
    const related = lines.flatMap(
      (line) => foldedText(line.split('>')[1] ?? '').match(/[^\s~]+/g) ?? [],
    )
    expect(related.filter((meaning) => !meanings.has(meaning))).toEqual([])
  })

  test('has classes of meanings that it has', () => {
    const members = Object.values(read('classes.json') as Record<string, string[]>).flat()
    expect(members.filter((meaning) => !meanings.has(meaning))).toEqual([])
  })

  test.each([
    ['polyester', 'nylon'],
    ['oak', 'beech'],
    ['induction', 'gas'],
    ['eczema', 'psoriasis'],
    ['car', 'bicycle'],
    ['iPhone', 'Android'],
    ['Bursa', 'Denizli'],
  ])('does not take %s for %s', (asked, said) => {
    const [term] = termsOf(asked)
    expect(strengthOf(term!, wordsIn(said))).toBeLessThan(0.7)
  })

  test.each([
    ['wood', 'oak'],
    ['ahşap', 'oak'],
    ['plastic', 'ABS'],
    ['meat', 'dana'],
    ['outdoors', 'balkon'],
  ])('answers a question about %s with %s', (asked, said) => {
    const [term] = termsOf(asked)
    expect(strengthOf(term!, wordsIn(said))).toBeGreaterThanOrEqual(0.7)
  })
})
