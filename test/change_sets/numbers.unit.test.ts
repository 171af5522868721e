import { expect, test } from 'vitest'
import { inStoreNumberOf, skuOf } from '../../src/domain/change_sets/files/numbers.ts'
import { withNumbers } from '../../src/web/dashboard/products/new_numbers.ts'

type Update = Parameters<typeof withNumbers>[0]

test.each(['Rose balm for hands', 'Gül suyu', '!', '𝒜𝒷𝒸𝒹 x'])(
  'an import numbers %s as the form does',
  (name) => {
    const { sku, barcode } = withNumbers({ name, sku: '', barcode: ' ' } as Update)
    expect(skuOf(name, sku.slice(-5))).toBe(sku)
    expect(inStoreNumberOf(barcode.slice(2, 12))).toBe(barcode)
  },
)
