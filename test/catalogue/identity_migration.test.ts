import { hash } from 'node:crypto'
import type pg from 'pg'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { newId } from '../../src/core/ids.ts'
import { identityKeyOf, searchTextOf } from '../../src/core/text.ts'
import type { Connection } from '../../src/db/connect.ts'
import type { Migrations, Step } from '../../src/db/migration.ts'
import { migrations } from '../../src/generated/migrations.ts'
import { parseJson } from '../../src/core/json_text.ts'
import { createProduct } from '../../src/queries/catalogue/new_products.ts'
import { lockProduct, updateProduct } from '../../src/queries/catalogue/products.ts'
import { productBody } from '../kit/catalogue.ts'
import { type Beginning, createBeginning, type PartMigrated } from '../kit/part_migrated.ts'

const duplicate = { code: 'duplicate' }

let beginning: Beginning
let database: PartMigrated
let connection: Connection
let pool: pg.Pool
let reported: string[]
beforeAll(async () => {
  beginning = await createBeginning(
    (name) => name < '0022',
    (buildBefore) =>
      buildBefore.query(
        `insert into workspaces (id, name, sub_domain, billing_email)
         select id, id, id, 'owner@example.com' from unnest($1::text[]) id`,
        [['ws_0', 'ws_1', 'ws_2']],
      ),
  )
})
afterAll(() => beginning.drop())
beforeEach(async () => {
  reported = []
  database = await beginning.copy((line) => reported.push(line))
  ;({ connection, buildBefore: pool } = database)
})
afterEach(() => database.drop())

/** Without those that wait for the build before, which a later one would take along. */
const migrateBeside = (changed: Migrations = {}) =>
  database.migrateTo((name) => !('endsBuildBefore' in migrations[name]!), { changed })
const migrateToEnd = () => database.migrateToEnd()

/** The key that the build before writes: it folds as search does. */
const keyBefore = (value: string) =>
  hash('sha256', searchTextOf(value).trim().replace(/\s+/gu, ' '), 'buffer')

/** Inserts a product as the build before does; SKU and barcode are its name. */
async function writeBefore(
  name: string,
  { id = newId('prod'), status = 'ACTIVE', workspace = 'ws_1' } = {},
) {
  const key = keyBefore(name)
  await pool.query(
    `insert into products (id, workspace_id, name, brand, slug, description, information, sales,
       sku, barcode, stock, status, name_key, sku_key, barcode_key, search, created_at, updated_at)
     values ($1::text, $2, $3, '', $1, '', '', '[]', $3, $3, 0, $4, $5, $5, $5, $3, now(), now())`,
    [id, workspace, name, status, key],
  )
  return id
}

/** Writes a product again as the build before does, such as after a change of its stock. */
async function editBefore(id: string, name: string): Promise<void> {
  await pool.query(
    'update products set name_key = $2, sku_key = $2, barcode_key = $2 where id = $1',
    [id, keyBefore(name)],
  )
}

const editNow = (id: string, name: string, workspace: string) =>
  connection.db.transaction().execute(async (trx) => {
    const product = await lockProduct(trx, workspace, id)
    const body = productBody({ name, sku: name, barcode: name })
    await updateProduct(trx, workspace, product, body, new Date())
  })

async function writeNow(name: string, workspace = 'ws_1'): Promise<string> {
  const body = productBody({ name, sku: name, barcode: name })
  const created = await connection.db
    .transaction()
    .execute((trx) => createProduct(trx, workspace, body, new Date()))
  return parseJson(created).id
}

type Stored = Record<'id' | 'name' | 'version', string> & Record<'name_key' | 'sku_key', Buffer>

async function listStored(): Promise<Stored[]> {
  const { rows } = await pool.query<Stored>(
    `select id, name, name_key, sku_key, xmin::text as version from products
     where name_key = sku_key and name_key = barcode_key order by id`,
  )
  return rows
}

/** The ids of products whose key is not that of their name. */
async function listOthers(): Promise<string[]> {
  const rows = await listStored()
  return rows.flatMap(({ id, name, name_key }) =>
    name_key.equals(identityKeyOf(name)) ? [] : [id],
  )
}

describe('the keys of products', () => {
  test('are those of this build, and only those with ı or İ are written', async () => {
    await writeBefore('Kır Çiçeği')
    await writeBefore('Kir Çiçeği', { status: 'DELETED' })
    await writeBefore('Rose Oil')
    await writeBefore('İPEK', { status: 'DELETED' })
    await writeBefore('Straße ΟΔΟΣ ﬁne')
    const before = await listStored()
    await database.migrateTo((name) => name < '0023')
    expect(await listOthers()).toEqual([])
    const after = await listStored()
    const written = after.filter(({ version }, index) => version !== before[index]!.version)
    expect(written.map(({ name }) => name)).toEqual(['Kır Çiçeği', 'İPEK'])
    await migrateBeside()
    await writeNow('Kir Çiçeği')
    await expect(writeNow('KIR ÇIÇEĞI')).rejects.toMatchObject(duplicate)
    expect(reported.filter((line) => line.includes('older'))).toEqual([])
  })

  test('are rewritten from where a kill left them', async () => {
    const { steps } = migrations['0022_identity_keys'] as { steps: readonly Step[] }
    const killed = steps.map(({ name, run }) => ({
      name,
      run: (context: Parameters<typeof run>[0]) => {
        const progress = () => {
          throw new Error('killed')
        }
        return run({ ...context, progress })
      },
    }))
    await pool.query(
      `insert into products (id, workspace_id, name, brand, slug, description, information, sales,
         sku, barcode, stock, status, name_key, sku_key, barcode_key, search, created_at, updated_at)
       select 'prod_' || n, 'ws_' || n % 3, 'ılık ' || n, '', 'slug-' || n, '', '', '[]', 'ılık ' || n,
         'ılık ' || n, 0, 'ACTIVE', key, key, key, '', now(), now()
       from generate_series(1, 1200) n, sha256(convert_to('ilik ' || n, 'UTF8')) key`,
    )
    await expect(migrateBeside({ '0022_identity_keys': { steps: killed } })).rejects.toThrow(
      'continues at the next start: killed',
    )
    expect(await listOthers()).toHaveLength(200)
    await migrateBeside()
    expect(await listOthers()).toEqual([])
    expect(await listStored()).toHaveLength(1200)
  })

  test('that the build before writes in its last hour are rewritten when it is gone', async () => {
    const early = await writeBefore('ılık')
    await migrateBeside()
    const [late, taken] = [await writeBefore('Kır'), await writeBefore('Rose')]
    await editBefore(early, 'ılık')
    await expect(writeNow('Kir')).rejects.toMatchObject(duplicate)
    await expect(writeNow('ROSE')).rejects.toMatchObject(duplicate)
    await migrateToEnd()
    expect(await listOthers()).toEqual([])
    expect((await listStored()).map(({ id }) => id)).toEqual([early, late, taken])
    await writeNow('Kir')
  })
})

describe('two products that each build gave the same name with ı', () => {
  const sharing = () => reported.filter((line) => line.includes('older'))

  /** Each build's product in the workspace, in order of age. */
  const ways: ((workspace: string) => Promise<[string, string]>)[] = [
    // The build before wrote the younger one.
    async (workspace) => {
      const older = await writeNow('ılık', workspace)
      return [older, await writeBefore('ılık', { workspace })]
    },
    // The build before wrote the older one.
    async (workspace) => {
      const older = await writeBefore('ılık', { workspace })
      return [older, await writeNow('ıLıK', workspace)]
    },
    // The build before changed the older one.
    async (workspace) => {
      const older = await writeNow('ılık', workspace)
      await editBefore(older, 'ılık')
      return [older, await writeNow('ılık', workspace)]
    },
  ]

  test('stay, whichever of the two the build before wrote or changed', async () => {
    await migrateBeside()
    const pairs: [string, string][] = []
    for (const [index, way] of ways.entries()) pairs.push(await way(`ws_${index}`))
    await migrateToEnd()
    expect((await listStored()).map(({ id }) => id)).toEqual(pairs.flat())
    const younger = pairs.map(([, id]) => id)
    expect(await listOthers()).toEqual(younger)
    expect(sharing()).toEqual(
      ['0026_names_alone', '0068_turkic_keys_alone'].map(
        (migration) =>
          `${migration}: keys of products, 3 products have the name, SKU or barcode of an older one: ${younger.join(', ')}`,
      ),
    )
    for (const [index, [one, other]] of pairs.entries()) {
      const workspace = `ws_${index}`
      await expect(writeNow('ılık', workspace)).rejects.toMatchObject(duplicate)
      await editNow(one, 'ılık', workspace)
      const stored = (await listStored()).find(({ id }) => id === other)!
      await editNow(other, stored.name, workspace)
      await editNow(other, 'ılık su', workspace)
    }
    expect(await listOthers()).toEqual([])
  })

  test('do not keep the keys beside them from being rewritten', async () => {
    await migrateBeside()
    const names = ['ılık', 'sarı', 'Rose', 'kırmızı']
    for (const name of names) await writeBefore(name)
    const younger = await writeNow('sarı')
    await migrateToEnd()
    expect(await listOthers()).toEqual([younger])
    expect((await listStored()).map(({ name }) => name)).toEqual([...names, 'sarı'])
  })
})
