import type { Schemas } from '../../api.ts'

export type Product = Schemas['Product']

const readOnlyFields = ['id', 'slug', 'createdAt', 'updatedAt'] as const

/** Writable fields of a product, with pictures and tags as objects. */
export type ProductFormValues = Omit<Product, (typeof readOnlyFields)[number]>

export function valuesOf(product: Product): ProductFormValues {
  const values: Partial<Product> = { ...product }
  for (const field of readOnlyFields) delete values[field]
  return values as ProductFormValues
}

/** The complete body for an update. */
export function updateOf({ images, tags, ...values }: ProductFormValues): Schemas['ProductUpdate'] {
  return {
    ...values,
    imageIds: images.map(({ id }) => id),
    tagIds: tags.map(({ id }) => id),
  }
}

/** Generates the SKU and barcode if they are empty. */
export function withNumbers(update: Schemas['ProductUpdate']): Schemas['ProductUpdate'] {
  const sku = update.sku.trim() === '' ? generateSku(update.name) : update.sku
  const barcode = update.barcode.trim() === '' ? generateBarcode() : update.barcode
  return { ...update, sku, barcode }
}

function generateSku(name: string): string {
  const letters = name
    .normalize('NFKD')
    .replace(/[^\p{L}\p{N} ]/gu, '')
    .split(' ')
    .map((word) => word.slice(0, 3))
    .join('')
    .toUpperCase()
    .slice(0, 9)
  return `${letters || 'SKU'}-${randomDigits(5)}`
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
