/** Downloads rows as a file. Names come from people, so that what a table would run is written as text. */
export async function downloadCsv(name: string, rows: (string | number)[][]): Promise<void> {
  // Needed by few and only now.
  const { stringify } = await import('csv-stringify/browser/esm/sync')
  const text = stringify(rows, { escape_formulas: true, bom: true })
  const url = URL.createObjectURL(new Blob([text], { type: 'text/csv;charset=utf-8' }))
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  URL.revokeObjectURL(url)
}
