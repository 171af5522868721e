import type pg from 'pg'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { newId } from '../../src/core/ids.ts'
import { identityKeyOf } from '../../src/core/text.ts'
import { connect } from '../../src/db/connect.ts'
import { migrate } from '../../src/db/migrate.ts'
import { createProduct } from '../../src/queries/catalogue/new_products.ts'
import { lockProduct, updateProduct } from '../../src/queries/catalogue/products.ts'
import { productBody } from '../kit/catalogue.ts'
import { createEmptyDatabase } from '../kit/database.ts'
import { type Beginning, createBeginning, type PartMigrated } from '../kit/part_migrated.ts'
import { restoreRelease } from '../kit/release_dump.ts'

const workspaceId = 'ws_1'
const duplicate = { code: 'duplicate' }

let beginning: Beginning
let database: PartMigrated
let pool: pg.Pool
let reported: string[]
beforeAll(async () => {
  beginning = await createBeginning(
    (name) => name < '0058',
    (buildBefore) =>
      buildBefore.query(
        `insert into workspaces (id, name, sub_domain, billing_email)
         values ($1, $1, $1, 'owner@example.com')`,
        [workspaceId],
      ),
  )
})
afterAll(() => beginning.drop())
beforeEach(async () => {
  reported = []
  database = await beginning.copy((line) => reported.push(line))
  pool = database.buildBefore
})
afterEach(() => database.drop())

const migrateBeside = () => database.migrateTo((name) => name !== '0068_turkic_keys_alone')
const twinsSaid = () => reported.filter((line) => line.includes('of another but for'))

/** Inserts a product as the build before does; SKU and barcode are its id. */
async function writeBefore(name: string): Promise<string> {
  const id = newId('prod')
  await pool.query(
    `insert into products (id, workspace_id, name, brand, slug, description, information, sales,
       sku, barcode, stock, status, name_key, sku_key, barcode_key, search, created_at, updated_at)
     values ($1::text, $2, $3, '', $1, '', '', '[]', $1, $1, 0, 'ACTIVE', $4, $5, $5, $3, now(),
       now())`,
    [id, workspaceId, name, identityKeyOf(name), identityKeyOf(id)],
  )
  return id
}

/** Renames a product as the build before does. */
const renameBefore = (id: string, name: string) =>
  pool.query('update products set name = $2, name_key = $3 where id = $1', [
    id,
    name,
    identityKeyOf(name),
  ])

const editNow = (id: string, name: string) =>
  database.connection.db.transaction().execute(async (trx) => {
    const product = await lockProduct(trx, workspaceId, id)
    const body = productBody({ name, sku: id, barcode: id })
    await updateProduct(trx, workspaceId, product, body, new Date())
  })

const writeNow = (name: string) =>
  database.connection.db
    .transaction()
    .execute((trx) => createProduct(trx, workspaceId, productBody({ name }), new Date()))

test('products that have one name in Turkish stay, can be edited, and make no third', async () => {
  const elder = await writeBefore('Gül Yağı')
  const twin = await writeBefore('GÜL YAĞI')
  await migrateBeside()
  expect(twinsSaid()).toEqual([
    '0058_turkic_keys: second keys of products, 1 product has the name, SKU or barcode of another ' +
      `but for ı, i or invisible characters: ${twin}`,
  ])
  await expect(writeNow('gül YAĞI')).rejects.toMatchObject(duplicate)
  await editNow(elder, 'Gül Yağı')
  await editNow(twin, 'GÜL YAĞI')
  await expect(editNow(twin, 'gül yağı')).rejects.toMatchObject(duplicate)
  await editNow(twin, 'Lale Yağı')
  await expect(writeNow('LALE YAĞI')).rejects.toMatchObject(duplicate)
})

test('the build before is held to no second key, and its writes make no false conflict', async () => {
  const renamed = await writeBefore('Sarı İpek')
  await migrateBeside()
  await expect(writeNow('SARI İPEK')).rejects.toMatchObject(duplicate)
  await renameBefore(renamed, 'Mavi İpek')
  const free = await writeNow('SARI İPEK')
  const twin = await writeBefore('sarı ipek')
  await database.migrateToEnd()
  expect(twinsSaid()).toEqual([expect.stringContaining(`0068_turkic_keys_alone`)])
  expect(twinsSaid()[0]).toContain(twin)
  expect(twinsSaid()[0]).not.toContain(free)
  await expect(writeNow('MAVİ İPEK')).rejects.toMatchObject(duplicate)
})

test('the first release with its products and a twin is migrated whole', async () => {
  const empty = await createEmptyDatabase()
  await restoreRelease(empty.url)
  const connection = connect(empty.url, { patient: true, waitMilliseconds: 60_000 })
  try {
    const { rows: before } = await connection.pool.query<{ workspace_id: string; name: string }>(
      `select workspace_id, name from products where status <> 'DELETED' and name ~ '[iı]' limit 1`,
    )
    const { workspace_id: workspace, name } = before[0]!
    const capitals = name.toLocaleUpperCase('tr')
    const hex = (value: string) => `\\x${identityKeyOf(value).toString('hex')}`
    const twin = { id: 'prod_twin', name: capitals, slug: 'twin', sku: 'twin', barcode: 'twin' }
    const keys = { name_key: hex(capitals), sku_key: hex('twin'), barcode_key: hex('twin') }
    await connection.pool.query(
      `insert into products select (jsonb_populate_record(p, $3)).*
       from products p where workspace_id = $1 and name = $2 limit 1`,
      [workspace, name, JSON.stringify({ ...twin, ...keys })],
    )
    await migrate(connection.db as never, { environment: 'development', isAlone: true })
    const { rows } = await connection.pool.query<{ without: string[] }>(
      `select array(select id from products where name ~ '[iıIİ]' and name_turkic_key is null)
         as without`,
    )
    expect(rows[0]!.without).toEqual(['prod_twin'])
  } finally {
    await connection.close()
    await empty.drop()
  }
})
