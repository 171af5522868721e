import { cutText, maxCharacters } from '../../core/changes.ts'
import type { Scope } from '../../generated/operations.ts'
import type { components } from '../../generated/types.ts'
import { editableValues } from '../../queries/catalogue/product_fields.ts'

type Schemas = components['schemas']
type Product = Schemas['Product']

/** What the activity keeps of a deleted product; `kept_products` keeps all of it for a time. */
export function snapshotOf(product: Product): Schemas['ActivitySnapshot'] {
  const { name, brand, sku, barcode, stock, status, description, information } = product
  return {
    name,
    brand,
    sku,
    barcode,
    stock,
    status,
    description: cutText(description, maxCharacters),
    information: cutText(information, maxCharacters),
    tags: product.tags.map((tag) => tag.name),
    images: product.images.length,
    // A summary may leave texts out; what is kept has all that the contract knows.
  } satisfies Required<Schemas['ActivitySnapshot']>
}

/** Bounded, so that a history of long texts cannot fill the database. */
const maxFormerBytes = 64 * 1024

/**
 * The values that a write of a product replaced, with which it can be undone; null if there are none or
 * they are too long.
 */
export function formerOf(before: Product, after: Product): Schemas['ProductPatch'] | null {
  return formerValues(editableValues(before), editableValues(after))
}

type ProductValues = ReturnType<typeof editableValues>

export function formerValues(
  earlier: ProductValues,
  later: ProductValues,
): Schemas['ProductPatch'] | null {
  const replaced = Object.entries(earlier).filter(
    ([name, value]) => JSON.stringify(value) !== JSON.stringify(later[name as keyof typeof later]),
  )
  const former = Object.fromEntries(replaced)
  const fits = Buffer.byteLength(JSON.stringify(former)) <= maxFormerBytes
  return replaced.length > 0 && fits ? former : null
}

/** The changes of a product that a reader may see: collections need a scope of their own. */
export function changesFor(
  { holds }: { holds: (scope: Scope) => boolean },
  changes: readonly Schemas['ActivityChange'][],
): Schemas['ActivityChange'][] {
  return changes.filter(({ field }) => field !== 'collections' || holds('collections:read'))
}
