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
