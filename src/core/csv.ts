import type { JsonParts } from './json_text.ts'

/*
 * CSV as spreadsheets and our own import read it (RFC 4180). Not from a library: rows are sent in parts
 * that wait for their reader, a stream in between would only buffer more of them, and all that is left is
 * one rule of quoting.
 */

export type Cell = string | number | null

/**
 * A text that a spreadsheet would run as a formula gets an apostrophe, which the import removes. A text
 * that begins with such apostrophes itself gets one more, or the import would take one of its own. Some
 * spreadsheets drop a leading tab or line break first.
 */
function harmless(text: string): string {
  return /^'*[=+\-@\t\r]/.test(text) ? `'${text}` : text
}

/**
 * The same for formulas inside a stranger's text: where lists are separated by semicolons, a spreadsheet
 * ends a cell at a semicolon or line break, quoted or not, and starts a new cell with what follows.
 */
function harmlessInside(text: string): string {
  return text.replaceAll(/[;\t\r\n][^\S\t\r\n]*(?=[=@]|[+-][\s\w(.'"])/g, "$&'")
}

function cellText(cell: Cell): string {
  if (cell === null) return ''
  const text = typeof cell === 'number' ? String(cell) : harmless(cell)
  // Quoted even if only other readers take the character for a separator.
  return /[",;\t\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

export function csvLine(cells: readonly Cell[]): string {
  return `${cells.map(cellText).join(',')}\r\n`
}

/** Escapes what separates the items of a list, and a name from its value. */
export function listItem(text: string): string {
  return text.replaceAll(/[|=\\]/g, String.raw`\$&`)
}

function cellOf(value: unknown): Cell {
  return typeof value === 'string' ? harmlessInside(value) : (value as Cell)
}

const exportedPage = 500

/** A file of the lines, sent as they are read. */
export function fileOf<T>(
  name: string,
  type: 'text/csv' | 'application/x-ndjson',
  parts: () => AsyncIterable<string>,
): JsonParts<T> {
  return { weight: 0, file: { name, type: `${type}; charset=utf-8` }, parts }
}

/**
 * A list as a CSV file that is not meant for import. Pages are read one by one; rows that arrive meanwhile
 * push others to the next page, so those are not repeated.
 */
export function csvOfPages<Row extends { id: string }, T>(
  name: string,
  columns: { readonly [Column in keyof Row & string]?: true },
  readPage: (page: { page: number; pageSize: number }) => Promise<Row[]>,
): JsonParts<T> {
  const names = Object.keys(columns) as (keyof Row & string)[]
  return fileOf(name, 'text/csv', async function* () {
    yield csvLine(names)
    let sent = new Set<string>()
    for (let page = 1; ; page++) {
      const rows = await readPage({ page, pageSize: exportedPage })
      const fresh = rows.filter(({ id }) => !sent.has(id))
      if (fresh.length > 0)
        yield fresh.map((row) => csvLine(names.map((column) => cellOf(row[column])))).join('')
      if (rows.length < exportedPage) return
      sent = new Set(rows.map(({ id }) => id))
    }
  })
}
