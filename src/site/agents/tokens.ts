import { beginningOf } from '../parts/prose.tsx'

/*
 * How much a model reads. Tokens are not counted here: these are bounds from above, measured with the
 * tokenizer of a current model on random letters, code and rare scripts. Plain prose takes half of them.
 */

/** Tokens that a text takes at most. */
export function mostTokens(text: string): number {
  let tokens = 0
  for (const character of text) tokens += mostOf(character)
  return tokens
}

function mostOf(character: string): number {
  if (/[a-z ]/.test(character)) return 0.55
  const code = character.codePointAt(0)!
  // JSON spells out control characters.
  if (code < 0x20) return 3
  if (character === '"' || character === '\\') return 1.7
  if (code < 0x80) return 0.85
  // A tokenizer knows the letters of widespread alphabets, and takes others byte by byte.
  if (code < 0x800) return 1
  return code < 0x10000 ? 3 : 4
}

/** The beginning of a text, of at most so many characters and tokens; empty if there is no room for any of it. */
export function textWithin(text: string, characters: number, tokens: number): string {
  const beginning = beginningOf(text, characters)
  let [left, end] = [tokens, 0]
  for (const character of beginning) {
    left -= mostOf(character)
    if (left < 0) return end === 0 ? '' : beginningOf(beginning, end)
    end += character.length
  }
  return beginning
}

/** The first of the rows, at least one, that together take at most so many tokens. */
export function rowsWithin<Row extends object>(rows: Row[], tokens: number): Row[] {
  let left = tokens
  const end = rows.findIndex((row) => (left -= mostOfRow(row)) < 0)
  return end === -1 ? rows : rows.slice(0, Math.max(1, end))
}

/** All rows, in short those for whose whole there is no room. All of them in short must fit. */
export function shortenedRows<Row extends object, Short extends object>(
  rows: Row[],
  tokens: number,
  shortOf: (row: Row) => Short,
): (Row | Short)[] {
  let left = tokens - rows.reduce((sum, row) => sum + mostOfRow(shortOf(row)), 0)
  return rows.map((row) => {
    const short = shortOf(row)
    const more = mostOfRow(row) - mostOfRow(short)
    if (more > left) return short
    left -= more
    return row
  })
}

/** A row and the comma after it. */
const mostOfRow = (row: object) => mostTokens(JSON.stringify(row)) + 1
