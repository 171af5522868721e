import type { Schemas } from '../../api.ts'

export type Product = Schemas['Product']

/** What the editor holds of a product: pictures and tags as they are shown, numbers as typed. */
export interface ProductValues {
  name: string
  brand: string
  sku: string
  barcode: string
  stock: string
  status: Schemas['ProductStatus']
  description: string
  information: string
  images: Schemas['Media'][]
  tags: Schemas['Tag'][]
  sales: Schemas['SalesEntry'][]
}

export function emptyProduct(brand: string): ProductValues {
  return {
    name: '',
    brand,
    sku: '',
    barcode: '',
    stock: '0',
    status: 'ACTIVE',
    description: '',
    information: '',
    images: [],
    tags: [],
    sales: [],
  }
}

export function valuesOf(product: Product): ProductValues {
  const { name, brand, sku, barcode, stock, status } = product
  const { description, information, images, tags, sales } = product
  return {
    name,
    brand,
    sku,
    barcode,
    stock: String(stock),
    status,
    description,
    information,
    images,
    tags,
    sales,
  }
}

/** The product as the service takes it, whole. */
export function writeOf(values: ProductValues): Schemas['ProductUpdate'] {
  const { images, tags, stock, ...rest } = values
  return {
    ...rest,
    // What is no number is sent as none, and refused at its field.
    stock: stock.trim() === '' ? NaN : Number(stock),
    imageIds: images.map(({ id }) => id),
    tagIds: tags.map(({ id }) => id),
  }
}

/** A product that comes without its own numbers gets some that no other has. */
export function withNumbers(write: Schemas['ProductUpdate']): Schemas['ProductUpdate'] {
  const sku = write.sku.trim() === '' ? madeSku(write.name) : write.sku
  const barcode = write.barcode.trim() === '' ? madeBarcode() : write.barcode
  return { ...write, sku, barcode }
}

function madeSku(name: string): string {
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

/** An EAN-13 of the range that GS1 keeps for numbers within one shop. */
function madeBarcode(): string {
  const digits = `20${randomDigits(10)}`
  const sum = [...digits].reduce((total, digit, at) => total + Number(digit) * (at % 2 ? 3 : 1), 0)
  return `${digits}${(10 - (sum % 10)) % 10}`
}

function randomDigits(count: number): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(count)), (byte) => byte % 10).join('')
}
