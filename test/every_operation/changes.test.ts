import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { OperationId } from '../../src/operation.ts'
import { startService, type TestService } from '../kit/service.ts'
import { credentialOf, givenScene, type Scene, send, validCall } from './fixtures.ts'
import { inWorkspace, mainWayTo, rows, servedIds } from './operations.ts'

let service: TestService
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service.close())

/** The changes that a successful call of each write puts into the feed. */
const changes: Partial<Record<OperationId, string[]>> = {
  update_website: ['WEBSITE UPSERT'],
  create_product: ['PRODUCT UPSERT'],
  update_product: ['PRODUCT UPSERT'],
  patch_product: ['PRODUCT UPSERT'],
  delete_product: ['PRODUCT DELETE'],
  restore_product: ['PRODUCT UPSERT'],
  apply_change_set: ['PRODUCT UPSERT'],
  write_products: ['PRODUCT UPSERT'],
  undo_change_set: ['PRODUCT UPSERT'],
  add_product_tag: ['PRODUCT UPSERT'],
  create_collection: ['COLLECTION UPSERT'],
  update_collection: ['COLLECTION UPSERT'],
  patch_collection: ['COLLECTION UPSERT'],
  delete_collection: ['COLLECTION DELETE'],
  add_collection_product: ['COLLECTION UPSERT'],
  add_collection_tag: ['COLLECTION UPSERT'],
  create_tag: ['TAG UPSERT'],
  update_tag: ['TAG UPSERT'],
  delete_tag: ['TAG DELETE'],
  upload_media: ['MEDIA UPSERT'],
  upload_media_files: ['MEDIA UPSERT'],
  import_media: ['MEDIA UPSERT'],
  complete_media_upload: ['MEDIA UPSERT'],
  replace_media: ['MEDIA UPSERT'],
  delete_media: ['MEDIA DELETE'],
}

/** These would find nothing to remove in a new resource: something is linked to it first. */
const linked: Partial<Record<OperationId, OperationId>> = {
  set_collection_products: 'add_collection_product',
  remove_product_tag: 'add_product_tag',
  remove_collection_product: 'add_collection_product',
  remove_collection_tag: 'add_collection_tag',
}

const writes = servedIds.filter(
  (id) =>
    rows[id].method !== 'get' &&
    (inWorkspace(id) || id === 'complete_media_upload') &&
    ['management', 'experience', 'dashboard'].includes(rows[id].surface),
)

async function headOf({ workspace }: Scene): Promise<number> {
  const head = service.db.selectFrom('feed_heads').select('last')
  return (await head.where('workspace_id', '=', workspace.id).executeTakeFirst())?.last ?? 0
}

async function changesAfter({ workspace }: Scene, number: number): Promise<string[]> {
  const rows = await service.db
    .selectFrom('catalogue_changes')
    .select(['kind', 'action'])
    .where('workspace_id', '=', workspace.id)
    .where('number', '>', number)
    .where('kind', 'in', ['PRODUCT', 'COLLECTION', 'TAG', 'MEDIA', 'WEBSITE'])
    .orderBy('number')
    .execute()
  return rows.map(({ kind, action }) => `${kind} ${action}`)
}

describe('the change feed', () => {
  test.each(writes)('has what %s changed, and nothing else', async (id) => {
    const scene = await givenScene(service)
    const call = await validCall(id, scene)
    const way = mainWayTo(id)
    const credential = credentialOf(scene, way)
    const before = linked[id]
    if (before) {
      const first = await validCall(before, scene)
      const path = { ...first.path, ...call.path }
      await send(service, before, mainWayTo(before), { ...first, path }, credential)
    }
    const head = await headOf(scene)
    const { status, body } = await send(service, id, way, call, credential)
    expect([status < 300, body]).toEqual([true, body])
    const subject = id.includes('product_tag') ? 'PRODUCT UPSERT' : 'COLLECTION UPSERT'
    expect(await changesAfter(scene, head)).toEqual(changes[id] ?? (before ? [subject] : []))
  })
})
