import { isDeepStrictEqual } from 'node:util'
import { ApiError } from '../../core/errors.ts'
import { momentOf } from '../../core/time.ts'
import type { RowEffect, RowError } from '../../db/schema/change_sets.ts'
import { limits } from '../../generated/limits.ts'
import type { Scope } from '../../generated/operations.ts'
import type { components } from '../../generated/types.ts'
import { editableValues } from '../../queries/catalogue/product_fields.ts'
import type { FieldErrors, Reason } from '../../texts/refusals.ts'
import { clippedFields } from '../catalogue/clipped_texts.ts'

type Schemas = components['schemas']
export type ProductRow = Schemas['ProductRow']
type Product = Schemas['Product']
type ProductValues = Schemas['ProductUpdate']

/** Checks the body of an operation as its own call would: undefined if nothing is wrong with it. */
export type CheckBody = (
  operation: 'create_product' | 'update_product' | 'patch_product',
  body: unknown,
) => FieldErrors | undefined

/** A product as a plan reads it. */
export interface CurrentProduct {
  product: Product
  collectionIds: readonly string[]
}

/** What a row is to make of its product. */
export interface Outcome {
  effect: Exclude<RowEffect, 'ERROR'>
  /** All values that it has afterwards; undefined after a deletion. */
  values?: ProductValues
  addedTo: string[]
  removedFrom: string[]
}

/** A row that cannot be applied. */
export class RowFault extends Error {
  readonly error: RowError

  constructor(code: RowError['code'], reason: Reason, fields: FieldErrors = {}) {
    super(code)
    this.error = { code, reason, fields }
  }
}

/** The same as a fault of the values in `data`. */
export function invalidData(fieldErrors: FieldErrors): RowFault {
  const fields = Object.entries(fieldErrors).map(([name, reason]) => [`data.${name}`, reason])
  return new RowFault('invalid_input', 'invalidRequest', Object.fromEntries(fields) as FieldErrors)
}

const noProduct = (field: 'id' | 'sku') =>
  new RowFault('not_found', 'noSuchProduct', { [field]: 'noSuchProduct' })

/** The product that a row is about, if it must or may be there. */
export function targetOf(row: ProductRow): { id: string } | { sku: string } | undefined {
  if (row.action === 'create') return undefined
  if (row.action === 'upsert') {
    const { sku } = row.data ?? {}
    return typeof sku === 'string' && sku !== '' ? { sku } : undefined
  }
  const { id, sku } = row
  if (id !== undefined) return typeof id === 'string' ? { id } : undefined
  return typeof sku === 'string' ? { sku } : undefined
}

const associations = {
  addTagIds: 'tags:read',
  removeTagIds: 'tags:read',
  addToCollectionIds: 'collections:write',
  removeFromCollectionIds: 'collections:write',
} as const satisfies Record<string, Scope>
type Association = keyof typeof associations
type Associations = Record<Association, string[]>

export interface RowRules {
  check: CheckBody
  holds: (scope: Scope) => boolean
  /** Whether a row that creates may also put its product into collections. */
  createsWithLinks: boolean
}

/**
 * What a row makes of its product, as far as the row and the product alone can tell; throws a RowFault.
 * Whether its tags, pictures and collections exist and its values are free is found out for many at once.
 */
export function outcomeOf(
  row: ProductRow,
  current: CurrentProduct | undefined,
  { check, holds, createsWithLinks }: RowRules,
): Outcome {
  requireShape(row)
  if (!current && row.action !== 'create' && row.action !== 'upsert')
    throw noProduct(row.id === undefined ? 'sku' : 'id')
  if (row.expectedUpdatedAt !== undefined && !isAsOf(row.expectedUpdatedAt, current))
    throw new RowFault('write_conflict', 'writeConflict')
  if (row.action === 'delete')
    return { effect: 'DELETE', addedTo: [], removedFrom: [...(current?.collectionIds ?? [])] }
  const { values, ...links } = takeAssociations(row, createsWithLinks)
  for (const [name, scope] of Object.entries(associations))
    if (links[name as Association].length > 0 && scope.endsWith(':write') && !holds(scope))
      throw new RowFault('insufficient_scope', ['scopeMissing', { scope }])
  if (!current || row.action === 'create') return created(values, links, check)
  return changed(row.action, values, links, current, check)
}

/** Whether a product is as its sender has read it, whatever the offset of the time. */
const isAsOf = (expected: unknown, current: CurrentProduct | undefined) =>
  current !== undefined && momentOf(String(expected)) === momentOf(current.product.updatedAt)

function requireShape(row: ProductRow): void {
  const { action, id, sku, data } = row
  const fields: FieldErrors = {}
  if (action === 'create' || action === 'upsert') {
    if (id !== undefined) fields['id'] = 'rowTakesNone'
    if (sku !== undefined) fields['sku'] = 'rowTakesNone'
    if (action === 'upsert' && !targetOf(row)) fields['data.sku'] = 'required'
  } else if (id === undefined && sku === undefined) fields['id'] = 'rowNeedsProduct'
  if (action === 'delete' && data !== undefined) fields['data'] = 'rowTakesNone'
  if (action !== 'delete' && data === undefined) fields['data'] = 'required'
  for (const name of ['id', 'sku', 'expectedUpdatedAt'] as const) {
    const value = row[name]
    if (value === undefined || fields[name]) continue
    if (typeof value !== 'string') fields[name] = 'mustBeString'
    else if (value === '') fields[name] = 'notEmpty'
    else if (name === 'expectedUpdatedAt' && momentOf(value) === undefined)
      fields[name] = 'dateOrTimeExpected'
  }
  if (Object.keys(fields).length > 0) throw new RowFault('invalid_input', 'invalidRequest', fields)
}

/** Beside the fields of a patch stand changes of what hangs on the product. */
function takeAssociations(
  { action, data = {} }: ProductRow,
  createsWithLinks: boolean,
): Associations & { values: Record<string, unknown> } {
  const values: Record<string, unknown> = structuredClone(data)
  const links: Associations = {
    addTagIds: [],
    removeTagIds: [],
    addToCollectionIds: [],
    removeFromCollectionIds: [],
  }
  // Where nothing is there yet, the whole lists say it; the schema refuses these names then.
  const takes = action === 'patch' || action === 'upsert' || createsWithLinks
  if (!takes) return { ...links, values }
  const faults: FieldErrors = {}
  const most = limits.ProductCreate.tagIds.maxItems
  for (const name of Object.keys(links) as Association[]) {
    const ids = values[name]
    delete values[name]
    if (ids === undefined) continue
    if (!Array.isArray(ids) || ids.some((id) => typeof id !== 'string')) faults[name] = 'mustBeList'
    else if (ids.length > most) faults[name] = ['maxItems', { count: most }]
    else if (new Set(ids).size < ids.length) faults[name] = 'uniqueItems'
    else links[name] = ids as string[]
  }
  if (Object.keys(faults).length > 0) throw invalidData(faults)
  return { ...links, values }
}

function created(
  values: Record<string, unknown>,
  { addTagIds, addToCollectionIds }: Associations,
  check: CheckBody,
): Outcome {
  const faults = check('create_product', values)
  if (faults) throw invalidData(faults)
  // The check has filled in the defaults.
  const complete = values as unknown as ProductValues
  const tagIds = withTags(complete.tagIds, addTagIds, [])
  return {
    effect: 'CREATE',
    values: { ...complete, tagIds },
    addedTo: addToCollectionIds,
    removedFrom: [],
  }
}

function changed(
  action: ProductRow['action'],
  sent: Record<string, unknown>,
  links: Associations,
  { product, collectionIds }: CurrentProduct,
  check: CheckBody,
): Outcome {
  const values = action === 'update' ? sent : { ...sent, ...addedStock(sent, product) }
  const faults = check(action === 'update' ? 'update_product' : 'patch_product', values)
  if (faults) throw invalidData(faults)
  const clipped = clippedFields(values, product)
  if (clipped) throw invalidData(clipped)
  const now = editableValues(product)
  const next = { ...now, ...(values as Partial<ProductValues>) }
  next.tagIds = withTags(next.tagIds, links.addTagIds, links.removeTagIds)
  const addedTo = links.addToCollectionIds.filter((id) => !collectionIds.includes(id))
  const removedFrom = links.removeFromCollectionIds.filter((id) => collectionIds.includes(id))
  const isSame = addedTo.length + removedFrom.length === 0 && isDeepStrictEqual(now, next)
  return { effect: isSame ? 'NONE' : 'UPDATE', values: next, addedTo, removedFrom }
}

/** `{add: n}` counts from what is there. */
function addedStock({ stock }: Record<string, unknown>, product: Product): { stock?: number } {
  if (typeof stock !== 'object' || stock === null || Array.isArray(stock)) return {}
  const { add, ...others } = stock as { add?: unknown }
  if (!Number.isSafeInteger(add) || Object.keys(others).length > 0)
    throw invalidData({ stock: 'stockAddExpected' })
  const sum = product.stock + (add as number)
  if (sum < 0) throw invalidData({ stock: ['stockBelowNone', { count: product.stock }] })
  return { stock: sum }
}

function withTags(tagIds: readonly string[], added: string[], removed: string[]): string[] {
  const left = tagIds.filter((id) => !removed.includes(id))
  const all = [...left, ...added.filter((id) => !left.includes(id))]
  const limit = limits.ProductCreate.tagIds.maxItems
  if (all.length > limit) throw invalidData({ addTagIds: ['productTagsMax', { limit }] })
  return all
}

/** The error object of a row, as a call of its own would have been refused. */
export function errorOf({ code, reason, fields }: RowError): ApiError {
  const named = Object.entries(fields).map(([path, why]) => [path.replace(/^data\./, ''), why])
  return new ApiError(
    code,
    reason,
    named.length > 0 ? (Object.fromEntries(named) as FieldErrors) : undefined,
  )
}
