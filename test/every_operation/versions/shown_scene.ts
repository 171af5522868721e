import { productBody } from '../../kit/catalogue.ts'
import type { Scene } from '../fixtures.ts'

/** Publishes all that the scene has, so that whatever a call changes is in view. */
export async function showAll({ service, workspace, key }: Scene): Promise<void> {
  const at = (path: string) => `/v1/workspaces/${workspace.id}/${path}`
  const api = service.api(key)
  const ids = async (table: 'tags' | 'media' | 'products' | 'collections') => {
    const found = service.db.selectFrom(table).select('id').where('workspace_id', '=', workspace.id)
    return (await found.execute()).map(({ id }) => id)
  }
  await api.post(at('products')).send(productBody())
  const [imageIds, tagIds] = [await ids('media'), await ids('tags')]
  for (const id of await ids('products'))
    await api.patch(at(`products/${id}`)).send({ imageIds, tagIds, status: 'ACTIVE' })
  for (const id of await ids('collections'))
    await api.put(at(`collections/${id}/products`)).send({ productIds: await ids('products') })
  await api.put(at('website')).send({ logoImageId: imageIds[0] ?? null })
  // Routines and faces have pages where the assistant knows about beauty.
  const ai = { fastEnabled: true, comprehensiveEnabled: true, sector: 'BEAUTY' }
  await api.put(at('ai-settings')).send(ai)
}
