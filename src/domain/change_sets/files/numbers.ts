import { hash } from 'node:crypto'
import type { FileRow } from './cells.ts'

/** A row that makes a new product. */
interface NewRow {
  number: number
  row: FileRow
}

/**
 * Gives new products without a SKU or barcode one. What is planned again has the same numbers, and no two
 * rows of a file have one number, as it counts on from where the file begins.
 */
export async function addNumbers(
  uploadId: string,
  rows: readonly NewRow[],
  findTaken: (skus: string[]) => Promise<(sku: string) => boolean>,
): Promise<void> {
  const begin = BigInt(`0x${hash('sha256', uploadId).slice(0, 16)}`)
  const digitsOf = (number: number, count: number) =>
    ((begin + BigInt(number)) % 10n ** BigInt(count)).toString().padStart(count, '0')
  for (const { number, row } of rows)
    row.values['barcode'] ??= inStoreNumberOf(digitsOf(number, 10))
  const unnumbered = rows.flatMap(({ number, row: { values } }) => {
    if (values['sku'] !== undefined) return []
    const name = typeof values['name'] === 'string' ? values['name'] : ''
    return [{ number, values, name, sku: skuOf(name, digitsOf(number, 5)) }]
  })
  if (unnumbered.length === 0) return
  const isTaken = await findTaken(unnumbered.map(({ sku }) => sku))
  for (const { number, values, name, sku } of unnumbered)
    values['sku'] = isTaken(sku) ? skuOf(name, digitsOf(number, 10)) : sku
}

/** A SKU by the first letters of a name's words, as the dashboard's form for a new product makes it. */
export function skuOf(name: string, digits: string): string {
  const letters = name
    .normalize('NFKD')
    .replace(/[^\p{L}\p{N} ]/gu, '')
    .split(' ')
    .map((word) => [...word].slice(0, 3).join(''))
    .join('')
    .toUpperCase()
  return `${[...letters].slice(0, 9).join('') || 'SKU'}-${digits}`
}

/** EAN-13 in the range GS1 reserves for in-store numbers, of ten digits. */
export function inStoreNumberOf(tenDigits: string): string {
  const digits = `20${tenDigits}`
  const sum = [...digits].reduce((total, digit, at) => total + Number(digit) * (at % 2 ? 3 : 1), 0)
  return `${digits}${(10 - (sum % 10)) % 10}`
}
