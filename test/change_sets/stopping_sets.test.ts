import { afterAll, beforeAll, expect, test } from 'vitest'
import { createDatabase, type TestDatabase } from '../kit/database.ts'
import { holdTransaction, waitersOn } from '../kit/held_transactions.ts'
import { startService } from '../kit/service.ts'
import { type ChangeSet, fileCalls, givenImporter } from './file_calls.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await createDatabase()
})
afterAll(() => database.drop())

test('a step that the end of its process breaks off is carried on by another, as the first attempt', async () => {
  const stopped = await startService({ databaseUrl: database.url })
  const importer = await givenImporter(stopped)
  const shop = await importer.inWorkspace()
  const held = await shop.givenProduct()
  const lines = Array.from({ length: 1_000 }, (_, row) => `L-${row},Large ${row},Ana,L-${row},5`)
  const head = 'sku,name,brand,barcode,stock'
  const { uploadId } = await shop.upload([head, ...lines, `${held.sku},,,,7`].join('\n'))
  const { id } = await shop.post<ChangeSet>('change-sets', { uploadId })
  await stopped.app.changeSets.flush()
  const holder = await holdTransaction(database.url, (trx) =>
    trx.selectFrom('products').select('id').where('id', '=', held.id).forUpdate().execute(),
  )
  await shop.step(id, 'apply')
  while ((await waitersOn(stopped)) === 0);
  // Its statement would wait for a minute.
  await stopped.app.changeSets.stop()
  const queue = stopped.db.selectFrom('change_set_queue').select(['change_set_id', 'attempts'])
  expect(await queue.execute()).toEqual([{ change_set_id: id, attempts: 0 }])
  await stopped.close()
  await holder.rollback()

  const next = await startService({ databaseUrl: database.url })
  next.app.changeSets.kick()
  await next.app.changeSets.flush()
  const calls = fileCalls(next, importer.key, shop.workspaceId)
  expect((await calls.get<ChangeSet>(`change-sets/${id}`)).state).toBe('APPLIED')
  expect(await calls.get(`products/${held.id}`)).toMatchObject({ stock: 7 })
  await next.close()
})
