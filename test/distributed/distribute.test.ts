import { type Kysely, sql } from 'kysely'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { connect, type Connection } from '../../src/db/connect.ts'
import { distribute, distributionColumns, requireExtension } from '../../src/db/distribution.ts'
import { migrate } from '../../src/db/migrate.ts'
import {
  createClusterDatabase,
  createEmptyDatabase,
  createDatabase,
  type TestDatabase,
} from '../kit/database.ts'
import { restoreRelease } from '../kit/release_dump.ts'

let database: TestDatabase
let connection: Connection
let db: Kysely<unknown>
beforeAll(async () => {
  database = await createClusterDatabase()
  await restoreRelease(database.url)
  connection = connect(database.url, { max: 2, patient: true })
  db = connection.db as unknown as Kysely<unknown>
  await requireExtension(db)
  await migrate(db, { environment: 'development', isAlone: true })
})
afterAll(async () => {
  await connection.close()
  await database.drop()
})

async function distributeAll(): Promise<string[]> {
  const lines: string[] = []
  await distribute(db, (line) => void lines.push(line))
  return lines
}

async function tables(): Promise<{ name: string; column: string | null }[]> {
  const { rows } = await sql<{ name: string; column: string | null }>`
    select c.relname as name, t.distribution_column as column
    from pg_class c left join citus_tables t on t.table_name = c.oid
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p')
      and not c.relispartition and not exists (
        select from pg_depend d where d.objid = c.oid and d.deptype = 'e')
    order by c.relname`.execute(db)
  return rows
}

/** A hash of the rows of each table, whatever their order. */
async function contents(): Promise<Record<string, unknown>> {
  const hashes: Record<string, unknown> = {}
  for (const { name } of await tables()) {
    const { rows } = await sql<{ rows: string }>`
      select count(*) || ' ' || coalesce(sum(hashtext(t::text)::bigint), 0) as rows
      from ${sql.table(name)} t`.execute(db)
    hashes[name] = rows[0]!.rows
  }
  return hashes
}

describe('distributing a database with rows', () => {
  test('that fails on the way changes nothing', async () => {
    const [before, rows] = [await tables(), await contents()]
    const interrupted = distribute(db, (line) => {
      if (line.startsWith('wallets:')) throw new Error('A power cut.')
    })
    await expect(interrupted).rejects.toThrow('A power cut.')
    expect(await tables()).toEqual(before)
    expect(await contents()).toEqual(rows)
  })

  test('keeps every row, and every table in its place', async () => {
    const rows = await contents()
    const lines = await distributeAll()
    expect(lines).toContain('products: distributed by workspace_id')
    expect(lines).toContain('product_slugs: distributed by slug')
    expect(lines).toContain('workspaces: stays whole on the coordinator')
    expect(lines).toContain('product_tags: foreign key product_tags_tag_fkey holds on each node')
    expect(lines.filter((line) => line.includes('is gone'))).toEqual([])
    expect(await contents()).toEqual(rows)
    const workspaceTables = (await tables()).filter(({ column }) => column === 'workspace_id')
    const wanted = Object.keys(distributionColumns).filter((name) => name !== 'product_slugs')
    expect(workspaceTables.map(({ name }) => name)).toEqual(wanted.sort())
    const groups = await sql`
      select distinct colocation_id from citus_tables
      where distribution_column = 'workspace_id'`.execute(db)
    expect(groups.rows).toHaveLength(1)
  })

  test('a second time says that all is done, and changes nothing', async () => {
    const [before, rows] = [await tables(), await contents()]
    const lines = await distributeAll()
    expect(lines).toEqual(
      lines.filter((line) => line.endsWith(' already') || line.endsWith(' on the coordinator')),
    )
    expect(lines).toHaveLength(before.length)
    expect(await tables()).toEqual(before)
    expect(await contents()).toEqual(rows)
  })

  test('leaves no role but superusers the right to change the ledger', async () => {
    const role = `clerk_${database.url.slice(-16)}`
    await sql`create role ${sql.ref(role)}`.execute(db)
    try {
      await sql`grant all on wallet_entries to ${sql.ref(role)}`.execute(db)
      expect(await distributeAll()).toContain(`wallet_entries: ${role} may only add and read`)
      const shards = await sql<{ result: string }>`
        select distinct result from run_command_on_shards('wallet_entries', ${`
          select string_agg(privilege_type, ' ' order by privilege_type)
          from pg_class c, aclexplode(c.relacl) a
          where c.oid = '%s'::regclass and a.grantee = '${role}'::regrole`})`.execute(db)
      expect(shards.rows).toEqual([{ result: 'INSERT REFERENCES SELECT TRIGGER' }])
      for (const change of ['update wallet_entries set credits = 1', 'delete from wallet_entries'])
        await expect(
          db.transaction().execute(async (trx) => {
            await sql`set local role ${sql.ref(role)}`.execute(trx)
            await sql.raw(change).execute(trx)
          }),
        ).rejects.toThrow('permission denied for table wallet_entries')
    } finally {
      await sql`drop owned by ${sql.ref(role)}`.execute(db)
      await sql`drop role ${sql.ref(role)}`.execute(db)
    }
  })
})

describe('a transaction that changes what stays whole and what a node has', () => {
  async function sentOf(...statements: string[]): Promise<string[]> {
    const client = new pg.Client(database.url)
    const sent: string[] = []
    client.on('notice', ({ message = '' }) => sent.push(message))
    await client.connect()
    await client.query('set citus.log_remote_commands = on')
    const both = [
      `update service_stamps set name = name`,
      `insert into feed_heads as h (workspace_id, last) values ('ws_1', 0)
        on conflict (workspace_id) do update set pages = h.pages + 1`,
    ]
    for (const statement of ['begin', ...both, ...statements, 'commit'])
      await client.query(statement)
    await client.end()
    return sent.flatMap((text) => /^issuing ((PREPARE|COMMIT)[A-Z ]*)/.exec(text)?.[1] ?? [])
  }

  test('commits on the node first, and on the coordinator with a write there', async () => {
    expect(await sentOf()).toEqual(['COMMIT'])
    const inOrder = await sentOf('delete from coordinator_writes')
    expect(inOrder).toEqual(['PREPARE TRANSACTION ', 'COMMIT PREPARED '])
  })
})

describe('a database that cannot be distributed', () => {
  test('is refused without workers', async () => {
    const alone = await createEmptyDatabase()
    const own = connect(alone.url, { max: 1 })
    try {
      await expect(requireExtension(own.db as unknown as Kysely<unknown>)).rejects.toThrow(
        'The coordinator knows no workers.',
      )
    } finally {
      await own.close()
      await alone.drop()
    }
  })
})

describe('copies of a distributed database', () => {
  test('share no rows', async () => {
    const copies = [await createDatabase(), await createDatabase()]
    const [first, second] = copies.map(({ url }) => connect(url, { max: 1 }))
    try {
      await sql`insert into wallets (workspace_id, updated_at) values ('ws_1', now())`.execute(
        first!.db,
      )
      const rows = async ({ db: copy }: Connection) =>
        (await sql`select workspace_id from wallets`.execute(copy)).rows
      expect(await rows(first!)).toEqual([{ workspace_id: 'ws_1' }])
      expect(await rows(second!)).toEqual([])
    } finally {
      await first!.close()
      await second!.close()
      for (const copy of copies) await copy.drop()
    }
  })
})
