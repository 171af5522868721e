type Cell = string | number

/** Prefixes an apostrophe to cells that a spreadsheet would run as a formula. */
function cellOf(value: Cell): string {
  if (typeof value === 'number') return String(value)
  const text = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

/** Downloads rows as CSV, with a BOM so that spreadsheets detect UTF-8. */
export function downloadCsv(name: string, rows: readonly (readonly Cell[])[]): void {
  const text = rows.map((row) => row.map(cellOf).join(',')).join('\r\n')
  const url = URL.createObjectURL(
    new Blob([`\uFEFF${text}\r\n`], { type: 'text/csv;charset=utf-8' }),
  )
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  URL.revokeObjectURL(url)
}
