import type { Transaction } from 'kysely'
import { ApiError, invalidInput, notFound } from '../src/core/errors.ts'
import { feedCursor, numberInCursor } from '../src/core/feed_cursors.ts'
import { fileOf } from '../src/core/csv.ts'
import { jsonAround, parseJson } from '../src/core/json_text.ts'
import { listJson } from '../src/core/paging.ts'
import type { Database } from '../src/db/schema.ts'
import { refuseClipped } from '../src/domain/catalogue/clipped_texts.ts'
import { writeBatch } from '../src/domain/change_sets/batches.ts'
import { plannerOf, stepOf } from '../src/domain/change_sets/callers.ts'
import { afterDeadlock, untilFree } from '../src/domain/change_sets/change_sets.ts'
import { limits } from '../src/generated/limits.ts'
import type { Caller, Handler, Output } from '../src/operation.ts'
import {
  findNamedHits,
  findProductHits,
  findProductParts,
} from '../src/queries/catalogue/search/hits.ts'
import { readFeed } from '../src/queries/catalogue/feed.ts'
import { createProduct } from '../src/queries/catalogue/new_products.ts'
import { restoreProducts } from '../src/queries/catalogue/kept_products.ts'
import { exportProducts } from '../src/queries/catalogue/product_export.ts'
import { storedProduct } from '../src/queries/catalogue/product_fields.ts'
import { listProducts } from '../src/queries/catalogue/product_lists.ts'
import {
  deleteProduct,
  deleteProductTag,
  getProduct,
  insertProductTag,
  type LockedProduct,
  lockProduct,
  touchProduct,
  updateProduct,
} from '../src/queries/catalogue/products.ts'
import { findKnown, requireInWorkspace, requireRow } from '../src/queries/catalogue/references.ts'
import { findFormerValues } from '../src/queries/credits/activities.ts'
import { findMediaHits } from '../src/queries/media/media_hits.ts'
import { bestLanguage } from '../src/texts/languages.ts'

const maxTags = limits.ProductCreate.tagIds.maxItems

export const list_products: Handler<'list_products'> = async ({ path, query }, { db }) => {
  const { page, pageSize, sort, view, fields, ...filters } = query
  if (fields && view === 'summary') throw invalidInput({ fields: 'notWithSummary' })
  const { products, total, counts } = await listProducts(db, path.workspaceId, filters, {
    page,
    pageSize,
    sort,
    view,
    fields,
  })
  const { active, inactive, deleted, outOfStock } = counts
  const summary = { total: active + inactive + deleted, active, inactive, outOfStock }
  return listJson<Output<'list_products'>>('products', products, query, total, { summary })
}

export const export_products: Handler<'export_products'> = ({ path, query }, caller) => {
  const { format, ...filters } = query
  const type = format === 'csv' ? 'text/csv' : 'application/x-ndjson'
  const form = { format, withCollections: caller.holds('collections:read') }
  return Promise.resolve(
    fileOf(`products.${format}`, type, () =>
      exportProducts(caller.db, path.workspaceId, filters, form),
    ),
  )
}

export const get_product: Handler<'get_product'> = ({ path }, { db }) =>
  getProduct(db, path.workspaceId, path.id)

/** A large change set claims its slugs after its names, and a new product the other way round: see `slugs.ts`. */
export const create_product: Handler<'create_product'> = ({ path, body }, caller) =>
  afterDeadlock(() =>
    caller.transaction((trx) => createProduct(trx, path.workspaceId, body, caller.now)),
  )

/** Locks the product for a write, and refuses a write whose `If-Match` it no longer matches. */
async function lockCurrentProduct(
  trx: Transaction<Database>,
  { workspaceId, id }: { workspaceId: string; id: string },
  caller: Caller,
): Promise<LockedProduct> {
  const locked = await lockProduct(trx, workspaceId, id)
  if (caller.isConditional) caller.requireCurrent(await getProduct(trx, workspaceId, id))
  return locked
}

export const update_product: Handler<'update_product'> = ({ path, body }, caller) =>
  caller.transaction(async (trx) => {
    const { workspaceId, id } = path
    const locked = await lockCurrentProduct(trx, path, caller)
    await refuseClipped(trx, 'products', path, body)
    await requireInWorkspace(trx, workspaceId, body)
    await updateProduct(trx, workspaceId, locked, body, caller.now)
    return getProduct(trx, workspaceId, id)
  })

/** Only what is named changes: the rest is written back as it was read under the lock. */
export const patch_product: Handler<'patch_product'> = ({ path, body }, caller) =>
  caller.transaction(async (trx) => {
    const { workspaceId, id } = path
    const locked = await lockCurrentProduct(trx, path, caller)
    await refuseClipped(trx, 'products', path, body)
    await requireInWorkspace(trx, workspaceId, body)
    const current = await getProduct(trx, workspaceId, id)
    if (Object.keys(body).length === 0) return current
    const values = { ...storedProduct.valuesOf(parseJson(current)), ...body }
    await updateProduct(trx, workspaceId, locked, values, caller.now)
    return getProduct(trx, workspaceId, id)
  })

/** By the scope that each kind needs. */
const finders = {
  'products:read': findProductHits,
  'collections:read': findNamedHits('collections'),
  'tags:read': findNamedHits('tags'),
  'media:read': findMediaHits,
} as const

export const search_catalogue: Handler<'search_catalogue'> = async ({ path, query }, caller) => {
  const hits: Output<'search_catalogue'>['hits'] = []
  if (query.search === '') return { hits }
  if (query.fields) {
    const found = await findProductParts(caller.db, path.workspaceId, query, query.fields)
    return jsonAround<Output<'search_catalogue'>>('{"hits":', found, '}')
  }
  for (const [scope, find] of Object.entries(finders))
    if (caller.holds(scope as keyof typeof finders))
      hits.push(...(await find(caller.db, path.workspaceId, query)))
  return { hits }
}

/** The kinds of the change feed, by the scope that reading each needs. */
const kindScopes = {
  PRODUCT: 'products:read',
  COLLECTION: 'collections:read',
  TAG: 'tags:read',
  MEDIA: 'media:read',
  WEBSITE: 'website:read',
} as const
const kinds = Object.keys(kindScopes) as (keyof typeof kindScopes)[]

/** A batch counts as one request for every ten rows. */
export const write_products: Handler<'write_products'> = async ({ path, body }, caller) => {
  await caller.countAs(Math.ceil(body.rows.length / 10))
  const parts = {
    step: await stepOf(caller, 'write_products', true),
    planner: plannerOf(caller),
    language: bestLanguage(caller.languages),
    now: caller.now,
  }
  return untilFree(
    () => caller.transaction((trx) => writeBatch(trx, path.workspaceId, body, parts)),
    { plansAnew: true },
  )
}

export const list_changes: Handler<'list_changes'> = async ({ path, query }, caller) => {
  const { workspaceId } = path
  const { after, limit } = query
  const isCursor = after !== undefined && after !== 'latest'
  const from = isCursor ? numberInCursor(workspaceId, after) : 0
  const page = await readFeed(caller.db, workspaceId, {
    after: from ?? 0,
    kinds: kinds.filter((kind) => caller.holds(kindScopes[kind])),
    // One more tells whether there are others; the present cursor needs none.
    limit: after === 'latest' ? 0 : limit + 1,
  })
  // Beyond the end: of a database that was put back to an earlier time.
  if (from === undefined || from > page.last) throw invalidInput({ after: 'cursorUnknown' })
  if (isCursor && from < page.begin) throw new ApiError('cursor_expired', 'cursorExpired')
  const changes = page.changes.slice(0, limit)
  const hasMore = page.changes.length > limit
  const end = hasMore ? changes.at(-1)!.number : page.last
  return {
    changes: changes.map(({ kind, id, action, changedAt }) => ({ kind, id, action, changedAt })),
    cursor: feedCursor(workspaceId, end),
    hasMore,
  }
}

export const delete_product: Handler<'delete_product'> = ({ path }, caller) =>
  caller.transaction(async (trx) => {
    const locked = await lockCurrentProduct(trx, path, caller)
    await deleteProduct(trx, path.workspaceId, locked, caller.now)
    return { id: path.id, deleted: true as const }
  })

export const restore_product: Handler<'restore_product'> = ({ path, body }, caller) =>
  caller.transaction(async (trx) => {
    const { workspaceId, id } = path
    await restoreProducts(trx, workspaceId, [id], caller.now, { leaveOut: body.leaveOut ?? false })
    return getProduct(trx, workspaceId, id)
  })

export const get_former_values: Handler<'get_former_values'> = async ({ path }, { db }) => {
  const former = await findFormerValues(db, path.workspaceId, path)
  if (!former) throw notFound('formerValues')
  const { imageIds, tagIds, ...values } = former
  const images = imageIds && (await findKnown(db, path.workspaceId, 'media', imageIds))
  const tags = tagIds && (await findKnown(db, path.workspaceId, 'tags', tagIds))
  const missing =
    (imageIds?.length ?? 0) + (tagIds?.length ?? 0) - (images?.length ?? 0) - (tags?.length ?? 0)
  return {
    values: { ...values, ...(images && { imageIds: images }), ...(tags && { tagIds: tags }) },
    missing,
  }
}

export const add_product_tag: Handler<'add_product_tag'> = ({ path }, caller) =>
  caller.transaction(async (trx) => {
    const { workspaceId, id, tagId } = path
    await lockCurrentProduct(trx, path, caller)
    await requireRow(trx, workspaceId, 'tags', tagId)
    const { added, count } = await insertProductTag(trx, workspaceId, id, tagId)
    if (count > maxTags) throw invalidInput({ tagId: ['productTagsMax', { limit: maxTags }] })
    if (added) await touchProduct(trx, workspaceId, id, caller.now)
    return getProduct(trx, workspaceId, id)
  })

export const remove_product_tag: Handler<'remove_product_tag'> = ({ path }, caller) =>
  caller.transaction(async (trx) => {
    const { workspaceId, id, tagId } = path
    await lockCurrentProduct(trx, path, caller)
    await requireRow(trx, workspaceId, 'tags', tagId)
    if (await deleteProductTag(trx, workspaceId, id, tagId))
      await touchProduct(trx, workspaceId, id, caller.now)
    return getProduct(trx, workspaceId, id)
  })
