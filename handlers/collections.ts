import type { Transaction } from 'kysely'
import { invalidInput } from '../src/core/errors.ts'
import { etagOfParts } from '../src/core/etags.ts'
import { isInParts } from '../src/core/json_text.ts'
import { listJson } from '../src/core/paging.ts'
import type { Database } from '../src/db/schema.ts'
import { refuseClipped } from '../src/domain/catalogue/clipped_texts.ts'
import { limits } from '../src/generated/limits.ts'
import type { Caller, Handler, Output } from '../src/operation.ts'
import {
  getCollection,
  getCollectionSummary,
  listCollectionProducts,
  listCollections,
} from '../src/queries/catalogue/collection_reads.ts'
import {
  deleteCollection,
  deleteMember,
  getCollectionValues,
  insertCollection,
  insertMember,
  lockCollection,
  maxCollectionProducts,
  replaceProducts,
  touchCollection,
  updateCollection,
} from '../src/queries/catalogue/collections.ts'
import { requireInWorkspace, requireRow } from '../src/queries/catalogue/references.ts'

const maxTags = limits.CollectionCreate.tagIds.maxItems

export const list_collections: Handler<'list_collections'> = async ({ path, query }, { db }) => {
  const { json, total } = await listCollections(db, path.workspaceId, query)
  return listJson<Output<'list_collections'>>('collections', json, query, total)
}

export const get_collection: Handler<'get_collection'> = ({ path, query }, { db }) =>
  query.view === 'summary'
    ? getCollectionSummary(db, path.workspaceId, path.id)
    : getCollection(db, path.workspaceId, path.id, db)

export const create_collection: Handler<'create_collection'> = ({ path, body }, caller) =>
  caller.transaction(async (trx) => {
    const { workspaceId } = path
    await requireInWorkspace(trx, workspaceId, body)
    const { productIds = [], ...fields } = body
    const id = await insertCollection(trx, workspaceId, fields, caller.now)
    if (productIds.length > 0) await replaceProducts(trx, workspaceId, id, productIds)
    return getCollection(trx, workspaceId, id, caller.db)
  })

/** Locks the collection for a write, and refuses a write whose `If-Match` it no longer matches. */
async function lockCurrentCollection(
  trx: Transaction<Database>,
  { workspaceId, id }: { workspaceId: string; id: string },
  caller: Caller,
): ReturnType<typeof lockCollection> {
  const locked = await lockCollection(trx, workspaceId, id)
  if (caller.isConditional) {
    const current = await getCollection(trx, workspaceId, id, trx)
    const isHeavy = isInParts(current)
    caller.requireCurrent(
      isHeavy ? { ...current, etag: await etagOfParts(current.parts()) } : current,
    )
  }
  return locked
}

export const update_collection: Handler<'update_collection'> = ({ path, body }, caller) =>
  caller.transaction(async (trx) => {
    const { workspaceId, id } = path
    const locked = await lockCurrentCollection(trx, path, caller)
    await refuseClipped(trx, 'collections', path, body)
    await requireInWorkspace(trx, workspaceId, body)
    await updateCollection(trx, workspaceId, locked, body, caller.now)
    return getCollection(trx, workspaceId, id, caller.db)
  })

/** Only what is named changes: the rest is written back as it was read under the lock. */
export const patch_collection: Handler<'patch_collection'> = ({ path, body }, caller) =>
  caller.transaction(async (trx) => {
    const { workspaceId, id } = path
    const locked = await lockCurrentCollection(trx, path, caller)
    await refuseClipped(trx, 'collections', path, body)
    await requireInWorkspace(trx, workspaceId, body)
    const { productIds, ...values } = body
    const replaced = productIds && (await replaceProducts(trx, workspaceId, id, productIds))
    if (Object.keys(values).length > 0) {
      const current = await getCollectionValues(trx, workspaceId, id)
      await updateCollection(trx, workspaceId, locked, { ...current, ...values }, caller.now)
    } else if (replaced) await touchCollection(trx, workspaceId, id, caller.now)
    return getCollection(trx, workspaceId, id, caller.db)
  })

export const delete_collection: Handler<'delete_collection'> = ({ path }, caller) =>
  caller.transaction(async (trx) => {
    const locked = await lockCurrentCollection(trx, path, caller)
    await deleteCollection(trx, path.workspaceId, locked, caller.now)
    return { id: path.id, deleted: true as const }
  })

export const list_collection_products: Handler<'list_collection_products'> = async (
  { path, query },
  { db },
) => {
  const { page, pageSize, search, view } = query
  await requireRow(db, path.workspaceId, 'collections', path.id)
  const slice = { search, view, limit: pageSize, offset: (page - 1) * pageSize }
  const { json, total } = await listCollectionProducts(db, path.workspaceId, path.id, slice)
  return listJson<Output<'list_collection_products'>>('products', json, query, total)
}

export const set_collection_products: Handler<'set_collection_products'> = (
  { path, body },
  caller,
) =>
  caller.transaction(async (trx) => {
    const { workspaceId, id } = path
    await lockCurrentCollection(trx, path, caller)
    await requireInWorkspace(trx, workspaceId, body)
    if (await replaceProducts(trx, workspaceId, id, body.productIds))
      await touchCollection(trx, workspaceId, id, caller.now)
    return getCollection(trx, workspaceId, id, caller.db)
  })

export const add_collection_product: Handler<'add_collection_product'> = ({ path }, caller) =>
  caller.transaction(async (trx) => {
    const { workspaceId, id, productId } = path
    await lockCurrentCollection(trx, path, caller)
    await requireRow(trx, workspaceId, 'products', productId)
    const { added, count } = await insertMember(
      trx,
      'collection_products',
      workspaceId,
      id,
      productId,
    )
    if (count > maxCollectionProducts)
      throw invalidInput({
        productId: ['collectionProductsMax', { limit: maxCollectionProducts }],
      })
    if (added) await touchCollection(trx, workspaceId, id, caller.now)
    return getCollection(trx, workspaceId, id, caller.db)
  })

export const remove_collection_product: Handler<'remove_collection_product'> = ({ path }, caller) =>
  caller.transaction(async (trx) => {
    const { workspaceId, id, productId } = path
    await lockCurrentCollection(trx, path, caller)
    await requireRow(trx, workspaceId, 'products', productId)
    if (await deleteMember(trx, 'collection_products', workspaceId, id, productId))
      await touchCollection(trx, workspaceId, id, caller.now)
    return getCollection(trx, workspaceId, id, caller.db)
  })

export const add_collection_tag: Handler<'add_collection_tag'> = ({ path }, caller) =>
  caller.transaction(async (trx) => {
    const { workspaceId, id, tagId } = path
    await lockCurrentCollection(trx, path, caller)
    await requireRow(trx, workspaceId, 'tags', tagId)
    const { added, count } = await insertMember(trx, 'collection_tags', workspaceId, id, tagId)
    if (count > maxTags) throw invalidInput({ tagId: ['collectionTagsMax', { limit: maxTags }] })
    if (added) await touchCollection(trx, workspaceId, id, caller.now)
    return getCollection(trx, workspaceId, id, caller.db)
  })

export const remove_collection_tag: Handler<'remove_collection_tag'> = ({ path }, caller) =>
  caller.transaction(async (trx) => {
    const { workspaceId, id, tagId } = path
    await lockCurrentCollection(trx, path, caller)
    await requireRow(trx, workspaceId, 'tags', tagId)
    if (await deleteMember(trx, 'collection_tags', workspaceId, id, tagId))
      await touchCollection(trx, workspaceId, id, caller.now)
    return getCollection(trx, workspaceId, id, caller.db)
  })
