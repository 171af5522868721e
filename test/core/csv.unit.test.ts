import { describe, expect, test } from 'vitest'
import { csvLine, csvOfPages } from '../../src/core/csv.ts'

describe('a cell', () => {
  test.each([
    ['=1+1', "'=1+1"],
    ['\t=1+1', '"\'\t=1+1"'],
    ['\r=1+1', '"\'\r=1+1"'],
    ["'\t=1+1", '"\'\'\t=1+1"'],
    ['a;=1+1', '"a;=1+1"'],
    ['a\t=1+1', '"a\t=1+1"'],
    ['a = 1', 'a = 1'],
  ])('%j is %j', (text, cell) => {
    expect(csvLine([text])).toBe(`${cell}\r\n`)
  })
})

/** The cells of the first row where semicolons and line breaks end them, quoted or not. */
async function cellsElsewhere(message: string): Promise<string[]> {
  const rows = [{ id: 'fbk_1', message }]
  const file = csvOfPages('x.csv', { id: true, message: true }, () => Promise.resolve(rows))
  let text = ''
  for await (const part of file.parts()) text += part
  return text
    .split('\r\n')
    .slice(1)
    .join('\r\n')
    .split(/[;\r\n]/)
}

describe('a text of strangers', () => {
  test.each([
    'x;=HYPERLINK("https://evil.example","a")',
    'x;@SUM(1+1)*cmd|calc',
    "x; -2+3+cmd|' /C calc'!A0",
    "x\n+cmd|' /C calc'!A0",
    'x\r\n\t=1+1;y',
    'x;;\t=1+1',
  ])('%j begins no formula where semicolons separate cells', async (message) => {
    for (const cell of await cellsElsewhere(message)) expect(cell.trim()).not.toMatch(/^[=+\-@]/)
  })

  test('is as it was written where nothing could be one', async () => {
    const message = 'Lovely ;-) I bought 2; my sister - too - and a@b.example = mine.'
    expect((await cellsElsewhere(message)).join(';')).toContain(message)
  })

  test.each(['\n', '\t '])('%j again and again is read once', async (separator) => {
    const message = `x;${separator.repeat(300_000)}x`
    expect((await cellsElsewhere(message)).join('').endsWith('x"')).toBe(true)
  })
})
