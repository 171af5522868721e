import { pipeline, Readable } from 'node:stream'
import { type CsvError, type Info, parse } from 'csv-parse'
import streamArray from 'stream-json/streamers/stream-array.js'
import { refusedFile } from './text.ts'

/** The values of a row, by the places of their columns. */
export type Cells = unknown[]

/** The rows of a file, one after the other; the columns are known as far as it is read. */
export interface Table {
  columns: string[]
  rows: AsyncGenerator<Cells>
}

export type FileFormat = 'csv' | 'ndjson' | 'json'

const mostColumns = 200
/** Of the line of names and of a cell, in characters. */
const longestCell = 600_000
/** Of a row, in characters: a quote that is not closed must not collect the rest of the file. */
const longestRow = 2_000_000
/** A list that is read ahead of its rows, in characters. */
const longestAhead = 4_000_000

export function tableIn(format: FileFormat, text: () => AsyncGenerator<string>): Promise<Table> {
  if (format === 'csv') return csvTable(text())
  return Promise.resolve(jsonTable(format === 'ndjson' ? linesIn(text()) : itemsIn(text())))
}

/** Equal for words that are the same: case, accents and what stands between them do not count. */
export function wordKeyOf(name: string): string {
  return name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll('ı', 'i')
    .replace(/[\s_-]+/g, ' ')
    .trim()
}

function addColumn(columns: string[], keys: Set<string>, name: string): void {
  const key = wordKeyOf(name)
  // Spreadsheets leave columns without a name at the end.
  if (key !== '' && keys.has(key)) throw refusedFile(['columnTwice', { name: name.slice(0, 100) }])
  keys.add(key)
  if (columns.push(name) > mostColumns) throw refusedFile(['columnsMax', { count: mostColumns }])
}

async function csvTable(text: AsyncGenerator<string>): Promise<Table> {
  const { delimiter, rest } = await separatorIn(text)
  const parser = parse({
    delimiter,
    record_delimiter: ['\r\n', '\n', '\r'],
    relax_column_count: true,
    relax_quotes: true,
    skip_empty_lines: true,
    max_record_size: longestRow,
    info: true,
  })
  // What goes wrong reaches the reader of the rows.
  pipeline(Readable.from(rest), parser, () => undefined)
  const records = csvRecords(parser as AsyncIterable<CsvRecord>)
  const first = await records.next()
  const columns: string[] = []
  const keys = new Set<string>()
  if (!first.done) for (const name of first.value) addColumn(columns, keys, name.trim())
  return { columns, rows: records }
}

interface CsvRecord {
  record: string[]
  info: Info
}

async function* csvRecords(parser: AsyncIterable<CsvRecord>): AsyncGenerator<string[]> {
  try {
    for await (const { record, info } of parser) {
      if (record.some((cell) => cell.length > longestCell)) throw tooLong(info.lines)
      // A line of separators alone is an empty one of a spreadsheet.
      if (record.some((cell) => cell.trim() !== '')) yield record
    }
  } catch (error) {
    const { code, lines } = error as CsvError & { lines?: number }
    if (code === 'CSV_MAX_RECORD_SIZE') throw tooLong(lines ?? 1)
    if (code === 'CSV_QUOTE_NOT_CLOSED') throw refusedFile(['quoteNotClosed', { line: lines ?? 1 }])
    if (typeof code === 'string' && code.startsWith('CSV_'))
      throw refusedFile(['lineNotCsv', { line: lines ?? 1 }])
    throw error
  }
}

const tooLong = (line: number) => refusedFile(['cellTooLong', { line, limit: longestCell }])

/** Where there are as many of each, commas are those of texts. */
const separators = ['\t', ';', ',']

/** Which separator the line of names has; the text is passed on. */
async function separatorIn(
  text: AsyncGenerator<string>,
): Promise<{ delimiter: string; rest: AsyncGenerator<string> }> {
  let head = ''
  let end = -1
  while (end < 0) {
    const next = await text.next()
    if (next.done) break
    head += next.value
    end = endOfLine(head)
    if ((end < 0 ? head.length : end) > longestCell) throw tooLong(1)
  }
  // Spreadsheets may say it in a line of its own.
  const said = /^sep=([,;\t])(\r\n|\n|\r)/.exec(head)
  if (said) head = head.slice(said[0].length)
  const line = unquoted(head.slice(0, end < 0 ? undefined : end))
  const counted = separators.map((separator) => line.split(separator).length)
  const delimiter = said?.[1] ?? separators[counted.indexOf(Math.max(...counted))]!
  async function* rest() {
    yield head
    yield* text
  }
  return { delimiter, rest: rest() }
}

/** Where the first line ends that is not empty; a line break inside quotes does not end it. */
function endOfLine(text: string): number {
  const start = text.search(/[^\r\n]/)
  const found = /[\r\n]/.exec(masked(text).slice(Math.max(start, 0)))
  return start < 0 || !found ? -1 : start + found.index
}

const masked = (text: string) =>
  text.replaceAll(/"[^"]*("|$)/g, (quoted) => '"'.repeat(quoted.length))
const unquoted = (text: string) => text.replaceAll(/"[^"]*("|$)/g, '')

function jsonTable(objects: AsyncGenerator<unknown>): Table {
  const columns: string[] = []
  const keys = new Set<string>()
  const places = new Map<string, number>()
  async function* rows() {
    let number = 0
    for await (const object of objects) {
      if (typeof object !== 'object' || object === null || Array.isArray(object))
        throw refusedFile(['rowNotObject', { row: number }])
      const cells: Cells = []
      for (const [name, value] of Object.entries(object)) {
        if (!places.has(name)) {
          requireStorable(name, number)
          addColumn(columns, keys, name)
          places.set(name, columns.length - 1)
        }
        requireStorable(value, number)
        cells[places.get(name)!] = value
      }
      number++
      yield cells
    }
  }
  return { columns, rows: rows() }
}

/** A value of a product is a text, a number, or a list of texts or of names with links. */
const deepest = 3

function requireStorable(value: unknown, row: number, depth = 0): void {
  if (typeof value === 'string') {
    if (value.length > longestCell) throw refusedFile(['valueTooLong', { row, limit: longestCell }])
    if (value.includes('\0') || !value.isWellFormed()) throw refusedFile(['rowUnstorable', { row }])
  } else if (typeof value === 'object' && value !== null) {
    if (depth === deepest) throw refusedFile(['rowUnstorable', { row }])
    for (const [name, inner] of Object.entries(value)) {
      requireStorable(name, row, deepest)
      requireStorable(inner, row, depth + 1)
    }
  }
}

/** The objects of a file with one on each line. */
async function* linesIn(text: AsyncGenerator<string>): AsyncGenerator<unknown> {
  let line = 1
  let begun = ''
  const parsed = (written: string) => {
    try {
      return JSON.parse(written) as unknown
    } catch {
      throw refusedFile(['lineNotJson', { line }])
    }
  }
  for await (const chunk of text) {
    const [first = '', ...others] = chunk.split('\n')
    begun += first
    for (const other of others) {
      if (begun.trim() !== '') yield parsed(begun)
      line++
      begun = other
    }
    if (begun.length > longestRow) throw tooLong(line)
  }
  if (begun.trim() !== '') yield parsed(begun)
}

/** The objects of a file that is one list of them. */
async function* itemsIn(text: AsyncGenerator<string>): AsyncGenerator<unknown> {
  let ahead = 0
  let begins = ''
  async function* counted() {
    for await (const chunk of text) {
      ahead += chunk.length
      if (ahead > longestAhead) throw tooLong(1)
      begins ||= chunk.trimStart().slice(0, 1)
      if (begins !== '' && begins !== '[') throw refusedFile('fileNotList')
      yield chunk
    }
  }
  const items = streamArray.withParserAsStream()
  pipeline(Readable.from(counted()), items, () => undefined)
  try {
    for await (const { value } of items as AsyncIterable<{ value: unknown }>) {
      ahead = 0
      yield value
    }
  } catch (error) {
    // The parser's own errors have no code, and name no place that a reader could find.
    if (error instanceof Error && !('code' in error)) throw refusedFile('fileNotJson')
    throw error
  }
}
