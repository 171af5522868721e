import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { diskMediaStore } from '../../src/adapters/media_store.ts'
import { createLog } from '../../src/core/log.ts'
import { createSweep } from '../../src/domain/upkeep/sweep.ts'
import type { components } from '../../src/generated/types.ts'
import { claimSet, queueSet, unqueueSet } from '../../src/queries/change_sets/queue.ts'
import { startService, type TestService } from '../kit/service.ts'
import { type ChangeSet, type FileCalls, givenImporter } from './file_calls.ts'

let service: TestService
let importer: Awaited<ReturnType<typeof givenImporter>>
let shop: FileCalls
beforeAll(async () => {
  service = await startService()
})
beforeEach(async () => {
  importer = await givenImporter(service)
  shop = await importer.inWorkspace()
})
afterAll(async () => {
  await service.close()
})

describe('what is kept', () => {
  test('of uploads goes after a day, of sets a month after their last step', async () => {
    const { set } = await shop.planned('sku,name,brand,barcode,tags\nK-1,One,Ana,1,Night\n', {
      make: { tags: true },
    })
    const left = async () => {
      const of = (table: string) =>
        sql`select ${table} as name from ${sql.table(table)} where workspace_id = ${shop.workspaceId}`
      const tables = [
        'change_sets',
        'change_set_rows',
        'change_set_makes',
        'change_set_uploads',
        'change_set_upload_rows',
      ]
      const { rows } = await sql<{ name: string }>`
        ${sql.join(tables.map(of), sql` union all `)}`.execute(service.db)
      return rows.map(({ name }) => name).sort()
    }
    const { db, config } = service
    const sweep = createSweep({
      db,
      config,
      lookUpTxt: () => Promise.resolve([]),
      mediaStore: diskMediaStore(`${config.dataDir}/swept`),
      log: createLog('silent'),
      clock: () => service.now(),
    })
    const ofSet = ['change_set_makes', 'change_set_rows', 'change_sets']
    expect(await left()).toEqual([...ofSet, 'change_set_upload_rows', 'change_set_uploads'].sort())
    service.advance(25 * 3600_000)
    await shop.post(`change-sets/${set.id}/apply`)
    await sweep()
    expect(await left()).toEqual(ofSet)
    service.advance(30.5 * 24 * 3600_000)
    await sweep()
    expect(await left()).toEqual(ofSet)
    service.advance(24 * 3600_000)
    await sweep()
    expect(await left()).toEqual([])
  })
})

test('a workspace has at most fifty open plans of files', async () => {
  const { uploadId } = await shop.upload('sku,stock\nA,1\n')
  const sets: ChangeSet[] = []
  for (let count = 0; count < 50; count++) sets.push(await shop.post('change-sets', { uploadId }))
  const refused = await shop.post<{ code: string; message: string }>(
    'change-sets',
    { uploadId },
    409,
  )
  expect([refused.code, refused.message]).toEqual([
    'change_set_state',
    'The workspace has 50 open plans. Apply or cancel one first.',
  ])
  await shop.post(`change-sets/${sets[0]!.id}/cancel`)
  await shop.post('change-sets', { uploadId })
})

test('what a set replaced or deleted can be put back product by product', async () => {
  const [changed, deleted] = [await shop.givenProduct(), await shop.givenProduct()]
  const rows = [
    { action: 'patch', id: changed.id, data: { stock: 1 } },
    { action: 'delete', id: deleted.id },
  ]
  await shop.post('products/batch', { rows })
  const activities = await shop.get<components['schemas']['ActivityList']>('activity?view=full')
  const written = activities.activities.filter(({ operation }) => operation === 'write_products')
  expect(
    written.map(({ resourceId, restorable, snapshot }) => [resourceId, restorable, snapshot?.sku]),
  ).toEqual(
    expect.arrayContaining([
      [changed.id, true, undefined],
      [deleted.id, true, deleted.sku],
    ]),
  )
  const { id } = written.find(({ resourceId }) => resourceId === changed.id)!
  const former = await service
    .dashboard(importer.owner)
    .get(`/api/workspaces/${shop.workspaceId}/products/${changed.id}/history/${id}`)
  expect(former.body).toEqual({ values: { stock: 5 }, missing: 0 })
})

test('workspaces take turns in the line of large sets', async () => {
  const { db } = service
  const now = service.now()
  const until = new Date(now.getTime() + 60_000)
  const queued = [
    { workspaceId: 'ws_busy', id: 'cs_1' },
    { workspaceId: 'ws_busy', id: 'cs_2' },
    { workspaceId: 'ws_calm', id: 'cs_3' },
  ]
  for (const [index, key] of queued.entries())
    await queueSet(db, key, 'write', new Date(now.getTime() + index))
  const claim = (lately: string[]) =>
    claimSet(db, 'write', { now: new Date(now.getTime() + 10), until, lately })
  expect(await claimSet(db, 'plan', { now: until, until, lately: [] })).toBeUndefined()
  expect(await claim([])).toEqual({ ...queued[0], attempts: 1, until })
  expect(await claim(['ws_busy'])).toEqual({ ...queued[2], attempts: 1, until })
  expect(await claim(['ws_busy', 'ws_calm'])).toEqual({ ...queued[1], attempts: 1, until })
  expect(await claim([])).toBeUndefined()
  for (const key of queued) await unqueueSet(db, key)
})
