import { expect, test } from 'vitest'
import { sentencesOf } from '../../src/language/sentences.ts'

test.each([
  ['One. Two.\nThree', ['One. ', 'Two.\n', 'Three']],
  ['A\r\n\r\nB\u2028C', ['A\r\n', '\r\n', 'B\u2028', 'C']],
  ['', []],
])('%j has the sentences %j', (text, sentences) => {
  expect([...sentencesOf(text)]).toEqual(sentences)
})

test.each(['\n', '\r\n', '\u2028'])('%j again and again is read once', (line) => {
  expect([...sentencesOf(line.repeat(100_000))]).toHaveLength(100_000)
})
