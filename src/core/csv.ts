import type { JsonParts } from './json_text.ts'

/*
 * CSV as spreadsheets and our own import read it (RFC 4180). Written here and not by a library: rows are
 * sent in parts that wait for their reader, so a stream in between would only hold more of them, and what
 * is left of the work is the one rule of quoting.
 */

export type Cell = string | number | null

/**
 * A text that a spreadsheet would run as a formula gets an apostrophe, which the import takes away. So
 * does one that begins with such apostrophes itself, or it would lose one on its way back. Some drop a tab
 * or a line break first.
 */
function harmless(text: string): string {
  return /^'*[=+\-@\t\r]/.test(text) ? `'${text}` : text
}

/**
 * The same inside a text of strangers: where lists are separated by semicolons, a spreadsheet ends cells at
 * these and at line breaks, quoted or not, and what follows begins another cell.
 */
function harmlessInside(text: string): string {
  return text.replaceAll(/[;\t\r\n]\s*(?=[=@]|[+-][\s\w(.'"])/g, "$&'")
}

function cellText(cell: Cell): string {
  if (cell === null) return ''
  const text = typeof cell === 'number' ? String(cell) : harmless(cell)
  // Readers that take any of these for a separator leave those in quotes alone.
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
 * A list as a CSV file that is not imported again, the pages read one by one. Rows that arrive meanwhile
 * push others to the next page: those are not repeated.
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
