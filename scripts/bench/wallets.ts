import { rm } from 'node:fs/promises'
import { parseArgs } from 'node:util'
import type { Kysely } from 'kysely'
import pg from 'pg'
import { newId } from '../../src/core/ids.ts'
import { connect, type Connection } from '../../src/db/connect.ts'
import { startEmbeddedPostgres } from '../../src/db/embedded.ts'
import { migrate } from '../../src/db/migrate.ts'
import { usageRange } from '../../src/domain/credits/usage_range.ts'
import {
  adjustCredits,
  reserveCredits,
  settleReservation,
} from '../../src/domain/credits/wallet.ts'
import { createWorkspace } from '../../src/domain/site/workspaces.ts'
import { ensureAccount } from '../../src/queries/people/accounts.ts'
import {
  countUsageByDay,
  listUsageEvents,
  reportUsage,
} from '../../src/queries/credits/usage_reports.ts'
import { cpuOf, median, postmasterOf } from './cpu.ts'
import { makeDataFolder } from './data_folder.ts'
import { recordStatements, type SentStatement } from './recorded_pool.ts'
import { report } from './table.ts'

/*
 * Compares reserving and settling on one wallet with the bare statements of both, in CPU of this
 * process and the database; then times the usage report over a million events of 400 days, two
 * thirds of them by 5,000 customers.
 * `npx tsx scripts/bench/wallets.ts`.
 */

const { values } = parseArgs({
  options: {
    runs: { type: 'string', default: '1500' },
    events: { type: 'string', default: '1000000' },
  },
})
const [runs, events] = [Number(values.runs), Number(values.events)]
const repetitions = 5
const days = 400

const dataDir = await makeDataFolder()
const postgres = await startEmbeddedPostgres({ dataDir })
try {
  const connection = connect(postgres.url, { max: 1, patient: true })
  const recorded = recordStatements(connection.pool)
  await migrate(connection.db as unknown as Kysely<unknown>, { environment: 'development' })
  const workspaceId = await openWallet(connection)
  const client = new pg.Client(postgres.url)
  await client.connect()
  const postmaster = await postmasterOf(client)

  const call = () => reserveAndSettle(connection, workspaceId)
  recorded.start()
  await call()
  const statements = recorded.stop()
  const bare = () => sendBare(client, statements)
  await repeat(300, call)
  await repeat(300, bare)
  const costs = { domain: [] as number[], bare: [] as number[] }
  for (let repetition = 0; repetition < repetitions; repetition++) {
    costs.domain.push(await cpuOf(postmaster, () => repeat(runs, call)))
    costs.bare.push(await cpuOf(postmaster, () => repeat(runs, bare)))
  }
  const [domain, floor] = [median(costs.domain), median(costs.bare)]
  report('reserve + settle, CPU ms', domain / runs, { digits: 3 })
  report('its bare statements, CPU ms', floor / runs, { digits: 3 })
  report('ratio', domain / floor, { most: 1.5 })
  await benchReports(connection, client, workspaceId)
  await client.end()
  await connection.close()
} finally {
  await postgres.stop()
  await rm(dataDir, { recursive: true, force: true })
}

function openWallet({ db }: Connection): Promise<string> {
  const now = new Date()
  return db.transaction().execute(async (trx) => {
    const { id } = await ensureAccount(trx, 'bench@example.com', 'Bench')
    const shop = { name: 'Bench', subDomain: 'bench', templateKey: 'minimal' }
    const workspace = await createWorkspace(trx, id, shop, now)
    const credits = { credits: 1_000_000_000, reason: 'Bench', reference: 'bench', now }
    await adjustCredits(trx, workspace.id, credits)
    return workspace.id
  })
}

async function reserveAndSettle({ db }: Connection, workspaceId: string): Promise<void> {
  const now = new Date()
  const reservation = { credits: 1, reference: newId('evt'), now, seconds: 300 }
  const { id } = await db
    .transaction()
    .execute((trx) => reserveCredits(trx, workspaceId, reservation))
  await db
    .transaction()
    .execute((trx) => settleReservation(trx, workspaceId, id, { now, reason: 'chat.product' }))
}

/** Sends the bare statements, with fresh ids. */
async function sendBare(client: pg.Client, statements: SentStatement[]): Promise<void> {
  const ids = new Map<unknown, string>()
  const fresh = (value: unknown) => {
    const [, prefix] = /^(res|evt|ent)_[0-9a-z]{26}$/.exec(String(value)) ?? []
    if (prefix === undefined) return value
    if (!ids.has(value)) ids.set(value, newId(prefix as 'res'))
    return ids.get(value)
  }
  for (const { name, text, values } of statements) {
    const query = { text, values: values.map(fresh) }
    await client.query(name === undefined ? query : { ...query, name })
  }
}

async function repeat(count: number, work: () => Promise<void>): Promise<void> {
  for (let run = 0; run < count; run++) await work()
}

async function benchReports(
  { db }: Connection,
  client: pg.Client,
  workspaceId: string,
): Promise<void> {
  await fillUsage(client, workspaceId)
  await client.query('vacuum analyze usage_events, usage_days, usage_people')
  const day = 24 * 3600_000
  const from = new Date(Date.now() - (days - 1) * day).toISOString().slice(0, 10)
  const rangeIn = (zone: string) => usageRange({ from }, zone, new Date())
  const filters = { range: rangeIn('UTC'), actorType: undefined }
  const page = { page: 1, pageSize: 20 }
  const reads = {
    'usage report': () => reportUsage(db, workspaceId, filters, page),
    'usage by day': () => countUsageByDay(db, workspaceId, filters.range, 'EVENT'),
    'usage by day in Istanbul': () =>
      countUsageByDay(db, workspaceId, rangeIn('Europe/Istanbul'), 'EVENT'),
    'usage by day in Los Angeles': () =>
      countUsageByDay(db, workspaceId, rangeIn('America/Los_Angeles'), 'EVENT'),
    'usage events, first page': () => listUsageEvents(db, workspaceId, filters, page),
    'usage events, middle page': () =>
      listUsageEvents(db, workspaceId, filters, {
        ...page,
        page: Math.ceil(events / 2 / page.pageSize),
      }),
  }
  for (const [name, read] of Object.entries(reads)) {
    await read()
    const times: number[] = []
    for (let run = 0; run < 5; run++) {
      const before = performance.now()
      await read()
      times.push(performance.now() - before)
    }
    report(`${name}, ${events.toLocaleString('en')} events, ms`, median(times), { digits: 0 })
  }
}

/** Events of the last days, and their counts as the service would have kept them. */
async function fillUsage(client: pg.Client, workspaceId: string): Promise<void> {
  await client.query(
    `select ensure_usage_month((now() at time zone 'UTC' - n * interval '1 day')::date)
     from generate_series(0, ${days}) n`,
  )
  await client.query(
    `insert into usage_events (id, workspace_id, actor_type, user_id, event_name, credit_delta,
       status, created_at)
     select 'evt_' || lpad(n::text, 26, '0'), $1,
       case when n % 3 = 0 then 'GUEST' else 'CUSTOMER' end,
       case when n % 3 = 0 then null else 'cus_' || lpad((n % 5000)::text, 26, '0') end,
       (array['chat.product', 'product.view', 'visit', 'chat.routine'])[1 + n % 4],
       case when n % 4 in (0, 3) then -1 else 0 end, 'SUCCESS',
       now() - n::double precision / ${events} * interval '${days} days'
     from generate_series(${events}, 1, -1) n`,
    [workspaceId],
  )
  await client.query(
    `insert into usage_days
     select workspace_id, (created_at at time zone 'UTC')::date, actor_type, event_name, status,
       comprehensive, hashtext(id) & 15, count(*), sum(credit_delta), max(created_at)
     from usage_events where workspace_id = $1 group by 1, 2, 3, 4, 5, 6, 7`,
    [workspaceId],
  )
  const of = (name: string) => `count(*) filter (where event_name = '${name}')`
  await client.query(
    `insert into usage_people
     select workspace_id, span, date_trunc(lower(span), created_at at time zone 'UTC')::date,
       actor_type, user_id, 0, count(*), count(*) filter (where event_name like 'chat.%'),
       -sum(credit_delta), ${of('chat.product')}, ${of('chat.routine')}, 0, 0,
       ${of('product.view')}, ${of('visit')}, max(created_at)
     from usage_events cross join (values ('DAY'), ('MONTH')) spans (span)
     where workspace_id = $1 and actor_type = 'CUSTOMER' group by 1, 2, 3, 4, 5`,
    [workspaceId],
  )
}
