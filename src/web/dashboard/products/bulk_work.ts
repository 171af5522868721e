import { api, ask, askTagged, Failure, type Schemas } from '../../api.ts'
import type { Product } from './product_values.ts'

/** What a change needs to know of a product. */
export type BulkRow = Pick<Product, 'id' | 'status' | 'tags'>

export type BulkChange =
  | { kind: 'status'; status: Schemas['ProductStatus'] }
  | { kind: 'tag'; tagId: string }
  | { kind: 'collection'; collectionId: string; memberIds: ReadonlySet<string> }

type Undo = () => Promise<unknown>

const productPath = '/v1/workspaces/{workspaceId}/products/{id}'
const tagPath = '/v1/workspaces/{workspaceId}/products/{id}/tags/{tagId}'
const memberPath = '/v1/workspaces/{workspaceId}/collections/{id}/products/{productId}'

/**
 * Gives a product another status, unless it changed in between or does not have the status `from`.
 * Returns the status it had, or undefined if nothing was written.
 */
export async function setStatus(
  workspaceId: string,
  id: string,
  status: Product['status'],
  from?: Product['status'],
): Promise<Product['status'] | undefined> {
  const path = { workspaceId, id }
  const { value, etag } = await askTagged(api.GET(productPath, { params: { path } }))
  if (value.status === status || (from !== undefined && value.status !== from)) return undefined
  const params = { path, header: { 'If-Match': etag } }
  await ask(api.PATCH(productPath, { params, body: { status } }))
  return value.status
}

/** Deletes a product for good; only its entry in Activity brings it back, for a time. */
export function deleteForGood(workspaceId: string, id: string): Promise<unknown> {
  return ask(api.DELETE(productPath, { params: { path: { workspaceId, id } } }))
}

/** Sends a call again when the service says so, however often: bulk work is many calls. */
export async function patiently<T>(call: () => Promise<T>): Promise<T> {
  for (;;)
    try {
      return await call()
    } catch (error) {
      if (!(error instanceof Failure) || error.code !== 'rate_limited') throw error
      const seconds = error.retryAfter ?? 1
      await new Promise((resolve) => setTimeout(resolve, seconds * 1000))
    }
}

/** Changes one product; returns how to undo it, or undefined if there was nothing to change. */
export async function changeProduct(
  workspaceId: string,
  row: BulkRow,
  change: BulkChange,
): Promise<Undo | undefined> {
  const { id } = row
  if (change.kind === 'status') {
    if (row.status === change.status) return undefined
    const before = await setStatus(workspaceId, id, change.status)
    return before && (() => setStatus(workspaceId, id, before, change.status))
  }
  if (change.kind === 'tag') {
    const { tagId } = change
    if (row.tags.some((tag) => tag.id === tagId)) return undefined
    const params = { path: { workspaceId, id, tagId } }
    await ask<unknown>(api.POST(tagPath, { params }))
    return () => ask<unknown>(api.DELETE(tagPath, { params }))
  }
  if (change.memberIds.has(id)) return undefined
  const params = { path: { workspaceId, id: change.collectionId, productId: id } }
  await ask<unknown>(api.POST(memberPath, { params }))
  return () => ask<unknown>(api.DELETE(memberPath, { params }))
}
