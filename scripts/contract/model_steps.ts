import fc from 'fast-check'

/** The catalogue as it must be, by the ids that the service gave. */
export interface Model {
  products: Map<string, { name: string; stock: number; status: string; tags: string[] }>
  tags: Map<string, { name: string }>
  collections: Map<string, { name: string; products: string[] }>
}

/** A step takes one of what there is by its place, so that any sequence makes sense. */
export interface Step {
  kind: keyof typeof weights
  /** Which product. */
  a: number
  /** Which tag or collection. */
  b: number
  stock: number
  status: string
  pageSize: number
}

const weights = {
  create_product: 4,
  create_tag: 2,
  create_collection: 2,
  patch_product: 3,
  get_product: 1,
  delete_product: 1,
  delete_tag: 1,
  delete_collection: 1,
  add_product_tag: 3,
  remove_product_tag: 1,
  add_collection_product: 3,
  remove_collection_product: 1,
  set_collection_products: 1,
  list_products: 2,
  list_collection_products: 2,
}

const kinds = Object.entries(weights).map(([kind, weight]) => ({
  weight,
  arbitrary: fc.constant(kind as Step['kind']),
}))

const steps = fc.record({
  kind: fc.oneof(...kinds),
  a: fc.nat(20),
  b: fc.nat(20),
  stock: fc.nat(1000),
  status: fc.constantFrom('ACTIVE', 'INACTIVE', 'DELETED'),
  pageSize: fc.integer({ min: 1, max: 5 }),
})

/** What every sequence starts with, so that the others have something to work on. */
const opening: Step['kind'][] = [
  'create_product',
  'create_product',
  'create_product',
  'create_tag',
  'create_collection',
  'add_product_tag',
  'patch_product',
  'list_products',
]

export function sequence(length: number, seed: number): Step[] {
  const [taken = []] = fc.sample(fc.array(steps, { minLength: length, maxLength: length }), {
    numRuns: 1,
    seed,
  })
  const first = opening.map((kind, place) => {
    const some = { a: place, b: 0, stock: place, status: 'ACTIVE', pageSize: 2 }
    return { kind, ...some }
  })
  return [...first, ...taken]
}
