import { spawnSync } from 'node:child_process'
import { rmSync, utimesSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { outboxFolderMailer, smtpMailer } from '../../../src/adapters/mailer.ts'
import { diskMediaStore } from '../../../src/adapters/media_store.ts'
import { ownStore } from '../../../src/adapters/own_store.ts'
import { databaseChecks } from '../../../src/domain/upkeep/doctor/database_checks.ts'
import { examine, inLines } from '../../../src/domain/upkeep/doctor/doctor.ts'
import { outsideChecks } from '../../../src/domain/upkeep/doctor/outside_checks.ts'
import { rowChecks } from '../../../src/domain/upkeep/doctor/row_checks.ts'
import { getStoreStamp } from '../../../src/queries/upkeep/stamps.ts'
import type { Config } from '../../../src/settings/config.ts'
import { givenProduct, givenShop } from '../../kit/catalogue.ts'
import { freePorts } from '../../kit/free_ports.ts'
import { startPooler } from '../../kit/peers/pooler.ts'
import { startService, type TestService } from '../../kit/service.ts'
import { connect } from '../../../src/db/connect.ts'
import { givenMediaOwner } from '../../media/media_owners.ts'

const root = join(import.meta.dirname, '..', '..', '..')

let service: TestService
let folder: string
beforeAll(async () => {
  service = await startService()
  folder = join(service.config.dataDir, 'media')
})
afterAll(() => service.close())

interface Circumstances {
  config?: Partial<Config>
  clock?: () => Date
  free?: number
  mailer?: ReturnType<typeof smtpMailer>
  connection?: TestService['connection']
}

/** What one check says, as people read it. */
async function told(name: string, circumstances: Circumstances = {}): Promise<string> {
  const { db } = service
  const clock = circumstances.clock ?? (() => new Date())
  const config = { ...service.config, ...circumstances.config }
  const store = ownStore(diskMediaStore(folder), async () => ({
    environment: config.environment,
    stamp: await getStoreStamp(db),
  }))
  const mailer = circumstances.mailer ?? outboxFolderMailer(join(config.dataDir, 'outbox'))
  const freeBytes = () => Promise.resolve(circumstances.free ?? 1024 ** 4)
  const checks = [
    ...databaseChecks(circumstances.connection ?? service.connection, config, clock),
    ...rowChecks(db, clock),
    ...outsideChecks({ db, config, store, mailer, clock, freeBytes }),
  ]
  const lines: string[] = []
  for await (const diagnosis of examine(checks.filter((check) => check.name === name)))
    lines.push(...inLines(diagnosis))
  return lines.join('\n')
}

const wellChecks = [
  'pooler',
  'replica',
  'clock',
  'migrations',
  'wallets',
  'counters and slugs',
  'months of events',
  'disk',
  'media store',
  'media files',
  'mail',
  'model',
]

test.each(wellChecks)('a service that is well has nothing wrong with its %s', async (name) => {
  expect(await told(name)).toBe(`ok      ${name}`)
})

describe('a fault of', () => {
  test('the database, which takes no writes, is found', async () => {
    const { rows } = await sql<{ name: string }>`select current_database() as name`.execute(
      service.db,
    )
    const database = sql.ref(rows[0]!.name)
    await sql`alter database ${database} set default_transaction_read_only = on`.execute(service.db)
    const fresh = connect(service.connection.pool.options.connectionString!, { max: 1 })
    try {
      expect(await told('database', { connection: fresh })).toContain(
        'FAULT   database: The database takes no writes',
      )
    } finally {
      await fresh.close()
      await sql`set default_transaction_read_only = off;
        alter database ${database} reset default_transaction_read_only`.execute(service.db)
    }
  })

  test('too many connections is found', async () => {
    const all = await told('database', { config: { databasePoolSize: 500 } })
    expect(all).toMatch(
      /may open 50\d connections.*, and the database takes \d+: lower DATABASE_POOL_SIZE/,
    )
  })

  test('a pooler that forgets prepared statements is found', async () => {
    const pooler = await startPooler(service.connection.pool.options.connectionString!)
    const connection = connect(pooler.url, { max: 1 })
    try {
      expect(await told('pooler', { connection })).toContain('does not keep prepared statements')
    } finally {
      await connection.close()
      await pooler.close()
    }
  })

  test('a replication slot that nobody reads is found', async () => {
    const slot = `doctor_${process.pid}`
    await sql`select pg_create_physical_replication_slot(${slot}, true)`.execute(service.db)
    try {
      expect(await told('replicas')).toContain(`The replication slot ${slot} is not read`)
    } finally {
      await sql`select pg_drop_replication_slot(${slot})`.execute(service.db)
    }
  })

  test('the clock is found', async () => {
    const clock = () => new Date(Date.now() + 3600_000)
    expect(await told('clock', { clock })).toContain('are 3600 s apart')
  })

  test('migrations is found: some are missing, or unknown', async () => {
    const last = '0140_backups'
    await sql`delete from service_migrations where name = ${last}`.execute(service.db)
    expect(await told('migrations')).toContain('1 migration of this build did not run yet.')
    await sql`insert into service_migrations (name) values (${last}), ('9999_later')`.execute(
      service.db,
    )
    expect(await told('migrations')).toContain('it has 9999_later')
    await sql`delete from service_migrations where name = '9999_later'`.execute(service.db)
  })

  test('wallets, counters and slugs is found, and left as it is', async () => {
    const shop = await givenShop(service)
    const product = await givenProduct(shop)
    const { db } = service
    const id = shop.workspaceId
    await sql`update wallets set balance_credits = balance_credits + 7
      where workspace_id = ${id}`.execute(db)
    await sql`update catalogue_counters set products_active = products_active + 3
      where workspace_id = ${id}`.execute(db)
    await sql`delete from product_slugs where product_id = ${product.id}`.execute(db)
    expect(await told('wallets')).toContain(`${id}: the balance is not the sum of the entries`)
    for (let time = 0; time < 2; time++) {
      const counters = await told('counters and slugs')
      expect(counters).toContain(`${id}: products_active was`)
      expect(counters).toContain(`${id}: slug ${product.slug} of ${product.id} is not claimed`)
      expect(counters).toContain('npm run recount')
    }
    await sql`update wallets set balance_credits = balance_credits - 7
      where workspace_id = ${id}`.execute(db)
  })

  test('events is found: the next month has no table', async () => {
    const clock = () => new Date(Date.UTC(2090, 0, 1))
    expect(await told('months of events', { clock })).toContain('from 2090-02-01 on')
  })

  test('the disk is found', async () => {
    expect(await told('disk', { free: 1024 ** 2 })).toContain('Only 1 MB are free')
  })

  test('the media store is found: it is missing a file, keeps a strange one, or is not ours', async () => {
    const { givenMedia, workspace } = await givenMediaOwner(service)
    const media = await givenMedia()
    const names: string[] = []
    for await (const { key } of diskMediaStore(folder).list())
      if (key.startsWith(workspace.id)) names.push(key)
    rmSync(join(folder, names[0]!))
    const orphan = join(folder, workspace.id, `${'a'.repeat(64)}.png`)
    writeFileSync(orphan, 'x')
    utimesSync(orphan, 0, 0)
    const files = await told('media files')
    expect(files).toContain(`1 file is missing from the media store.\n    ${names[0]}`)
    expect(files).toContain('advice  media files: 1 file belongs to no picture.')
    await service.db.deleteFrom('media').where('id', '=', media.id).execute()
    rmSync(orphan)
    writeFileSync(join(folder, 'stamp'), 'of another')
    expect(await told('media store')).toContain('belongs to another database')
    rmSync(join(folder, 'stamp'))
  })

  test('mail is found: it waits, was given up, or its server does not answer', async () => {
    const mail = { recipient: 'a@example.com', subject: 's', body: 'b', attempts: 5 }
    const past = new Date(Date.now() - 3600_000)
    await service.db
      .insertInto('mails')
      .values([
        { ...mail, id: 'late', created_at: past, next_attempt_at: past },
        { ...mail, id: 'failed', created_at: past, next_attempt_at: past, failed_at: past },
      ])
      .execute()
    const [port] = await freePorts()
    const smtpUrl = `smtp://127.0.0.1:${port}`
    const mailer = smtpMailer(smtpUrl, 'shop@example.com')
    const lines = await told('mail', { config: { smtpUrl }, mailer })
    await mailer.close()
    expect(lines).toMatch(/FAULT   mail: 1 mail waits, the longest for (59|60) minutes\./)
    expect(lines).toContain('advice  mail: 1 mail was given up.')
    expect(lines).toContain('FAULT   mail: The mail server refuses: connect ECONNREFUSED')
    await service.db.deleteFrom('mails').where('id', 'in', ['late', 'failed']).execute()
  })

  test('the model is found: the provider refuses the key', async () => {
    const server = createServer((_request, response) => void response.writeHead(401).end())
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as AddressInfo
    const ai = {
      provider: 'openai-compatible' as const,
      fastModel: 'a',
      comprehensiveModel: 'b',
      baseUrl: `http://127.0.0.1:${port}/v1`,
      apiKey: 'wrong',
      timeoutSeconds: 5,
      reasoning: true,
      responseFormat: 'auto' as const,
      tools: 'auto' as const,
    }
    expect(await told('model', { config: { ai } })).toContain('it answered 401.')
    server.close()
  })

  test('the settings is found by the command, whose exit code says so', () => {
    const command = ['--import', 'tsx', 'scripts/operator/doctor.ts', '--quick']
    const { status, stdout } = spawnSync(process.execPath, command, {
      cwd: root,
      encoding: 'utf8',
      env: { PATH: process.env.PATH, LOG_LEVEL: 'loud', DRAIN_SECOND: '5' },
    })
    expect(status).toBe(1)
    expect(stdout).toContain('FAULT   settings: LOG_LEVEL must be one of')
    expect(stdout).toContain('settings: DRAIN_SECOND is not a setting. Did you mean DRAIN_SECONDS?')
  })
})
