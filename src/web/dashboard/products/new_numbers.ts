import type { components } from '../../../generated/types.ts'

type ProductUpdate = components['schemas']['ProductUpdate']

/** Generates the SKU and barcode if they are empty; an import makes the same in the service. */
export function withNumbers(update: ProductUpdate): ProductUpdate {
  const sku = update.sku.trim() === '' ? generateSku(update.name) : update.sku
  const barcode = update.barcode.trim() === '' ? generateBarcode() : update.barcode
  return { ...update, sku, barcode }
}

function generateSku(name: string): string {
  const letters = name
    .normalize('NFKD')
    .replace(/[^\p{L}\p{N} ]/gu, '')
    .split(' ')
    .map((word) => [...word].slice(0, 3).join(''))
    .join('')
    .toUpperCase()
  return `${[...letters].slice(0, 9).join('') || 'SKU'}-${randomDigits(5)}`
}

/** EAN-13 in the range GS1 reserves for in-store numbers. */
function generateBarcode(): string {
  const digits = `20${randomDigits(10)}`
  const sum = [...digits].reduce((total, digit, at) => total + Number(digit) * (at % 2 ? 3 : 1), 0)
  return `${digits}${(10 - (sum % 10)) % 10}`
}

function randomDigits(count: number): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(count)), (byte) => byte % 10).join('')
}
