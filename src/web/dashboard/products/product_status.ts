import { api, ask, askTagged } from '../../api.ts'
import type { Product } from './product_values.ts'

const productPath = '/v1/workspaces/{workspaceId}/products/{id}'

/** Gives a product another status, unless somebody changes it at the same time. */
export async function setStatus(
  workspaceId: string,
  id: string,
  status: Product['status'],
): Promise<void> {
  const path = { workspaceId, id }
  const { etag } = await askTagged(api.GET(productPath, { params: { path } }))
  const params = { path, header: { 'If-Match': etag } }
  await ask(api.PATCH(productPath, { params, body: { status } }))
}

/** Deletes a product for good; only its entry in Activity brings it back, for a time. */
export function deleteForGood(workspaceId: string, id: string): Promise<unknown> {
  return ask(api.DELETE(productPath, { params: { path: { workspaceId, id } } }))
}
