import { api, ask, askTagged, type Schemas } from '../../api.ts'
import { type Product, updateOf, valuesOf } from './product_values.ts'

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

/** Reads a product and writes it back with the new status, unless it changed in between. */
export async function setStatus(workspaceId: string, id: string, status: Product['status']) {
  const path = { workspaceId, id }
  const { value, etag } = await askTagged(api.GET(productPath, { params: { path } }))
  if (value.status === status) return
  await ask(
    api.PUT(productPath, {
      params: { path, header: { 'If-Match': etag } },
      body: { ...updateOf(valuesOf(value)), status },
    }),
  )
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
    await setStatus(workspaceId, id, change.status)
    return () => setStatus(workspaceId, id, row.status)
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
