import { rm } from 'node:fs/promises'
import type { Kysely } from 'kysely'
import pg from 'pg'
import { readConfig } from '../../src/settings/config.ts'
import { newId } from '../../src/core/ids.ts'
import { connect } from '../../src/db/connect.ts'
import { startEmbeddedPostgres } from '../../src/db/embedded.ts'
import { migrate } from '../../src/db/migrate.ts'
import { openStaffSession } from '../../src/domain/administration/staff.ts'
import { insertStaff } from '../../src/queries/administration/staff.ts'
import { median, postmasterOf, processCpu, processTreeCpu } from './cpu.ts'
import { makeDataFolder } from './data_folder.ts'
import { call, load, type CallRequest } from './load.ts'
import { serviceFile, startSide } from './sides.ts'
import { report } from './table.ts'
import { freePort } from '../../test/kit/free_ports.ts'

/** Cost of the staff's lists by scenario: CPU milliseconds of process and database. */
export interface AccountFigures {
  accounts: number
  costs: Record<string, number>
}

const email = 'staff@example.com'

/** Fills a database with accounts, each owning a workspace, and reads lists as staff. */
export async function benchAccounts(
  accounts: number,
  { repetitions, seconds }: { repetitions: number; seconds: number },
): Promise<AccountFigures> {
  const dataDir = await makeDataFolder()
  const postgres = await startEmbeddedPostgres({ dataDir })
  const client = new pg.Client({ connectionString: postgres.url })
  await client.connect()
  try {
    const cookie = await seed(client, postgres.url, accounts)
    const postmaster = await postmasterOf(client)
    const port = await freePort()
    const env = {
      PATH: process.env.PATH,
      DATABASE_URL: postgres.url,
      DATA_DIR: dataDir,
      API_PORT: '0',
      DASHBOARD_PORT: '0',
      ADMIN_PORT: String(port),
      SITE_PORT: '0',
      SEED_DEMO: 'false',
    }
    const { origin, pid, stop } = await startSide(port, [serviceFile], env)
    const cpu = () => processCpu(pid) + processTreeCpu(postmaster)
    const figures: [string, number][] = []
    try {
      for (const [name, path] of Object.entries(scenarios(accounts))) {
        const next = (): CallRequest => ({ method: 'GET', path, headers: { Cookie: cookie } })
        await requireTotal(origin, next(), name, accounts)
        await load(origin, '', next, { seconds: seconds * 2 })
        const costs: number[] = []
        for (let repetition = 0; repetition < repetitions; repetition++) {
          const before = cpu()
          const { calls } = await load(origin, '', next, { seconds })
          costs.push((cpu() - before) / calls)
        }
        figures.push([name, median(costs)])
      }
    } finally {
      await stop()
    }
    return { accounts, costs: Object.fromEntries(figures) }
  } finally {
    await client.end()
    await postgres.stop()
    await rm(dataDir, { recursive: true, force: true })
  }
}

const list = '/api/admin/accounts'

function scenarios(accounts: number): Record<string, string> {
  const pages = Math.ceil(accounts / 20)
  return {
    'accounts, first page': list,
    'accounts, last page': `${list}?page=${pages}`,
    'accounts, search for one address': `${list}?search=person-00077%40example.com`,
    'accounts, search for a common word': `${list}?search=example`,
    'workspaces, first page': '/api/admin/workspaces',
    'workspaces, search for one name': '/api/admin/workspaces?search=shop-00077',
    'workspaces, search for one address': '/api/admin/workspaces?search=person-00077%40example.com',
    'workspaces, search for a common word': '/api/admin/workspaces?search=shop',
    'sources, first page': '/api/admin/sources',
    'sources, search for a common word': '/api/admin/sources?search=till',
  }
}

/** Refuses to measure a list with a wrong total. */
async function requireTotal(
  origin: string,
  callRequest: CallRequest,
  name: string,
  accounts: number,
): Promise<void> {
  const { body } = await call(origin, '', callRequest)
  const { total } = (JSON.parse(body) as { pagination: { total: number } }).pagination
  const expected = name.includes('for one') ? 1 : accounts
  if (total !== expected) throw new Error(`${name}: ${total} rows instead of ${expected}.`)
}

async function seed(client: pg.Client, url: string, accounts: number): Promise<string> {
  const connection = connect(url, { max: 1, patient: true })
  try {
    await migrate(connection.db as unknown as Kysely<unknown>, readConfig({}))
    await client.query('alter system set autovacuum = off')
    await client.query('select pg_reload_conf()')
    for (let first = 0; first < accounts; first += 5000)
      await insertAccounts(client, first, Math.min(accounts, first + 5000))
    await client.query('vacuum analyze')
    await client.query('checkpoint')
    const now = new Date()
    const login = await connection.db.transaction().execute(async (trx) => {
      await insertStaff(trx, email, now)
      return openStaffSession(trx, { environment: 'development', now }, email)
    })
    return `vitrine_staff=${login!.token}`
  } finally {
    await connection.close()
  }
}

/** Inserts accounts with a workspace and a key each, so that every list has the same length. */
async function insertAccounts(client: pg.Client, first: number, end: number): Promise<void> {
  const ids = (prefix: 'acc' | 'ws' | 'mem' | 'src' | 'key') =>
    Array.from({ length: end - first }, () => newId(prefix))
  await client.query(
    `with new as (
      select *, lpad((n + $6 - 1)::text, 5, '0') as name
      from unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[])
        with ordinality as t (acc, ws, mem, src, key, n)
    ), a as (
      insert into accounts (id, email, name, language)
      select acc, 'person-' || name || '@example.com', 'Person ' || name, 'en' from new
    ), w as (
      insert into workspaces (id, name, sub_domain, billing_email)
      select ws, 'Shop ' || name, 'shop-' || name, 'person-' || name || '@example.com' from new
    ), m as (
      insert into members (id, workspace_id, account_id, email, role, status)
      select mem, ws, acc, 'person-' || name || '@example.com', 'owner', 'ACTIVE' from new
    ), s as (
      insert into integration_sources (id, kind, identity, name)
      select src, 'KEY', acc || '/till', 'till' from new
    )
    insert into api_keys (id, account_id, source_id, name, prefix, key_hash, scopes, expires_at)
    select key, acc, src, 'till', 'wsk_dev_0000', sha256(key::bytea), '{}', now() from new`,
    [ids('acc'), ids('ws'), ids('mem'), ids('src'), ids('key'), first],
  )
}

/** Prints each size relative to the first. */
export function printAccounts(all: AccountFigures[]): void {
  const [smallest] = all
  for (const { accounts, costs } of all) {
    console.log(
      `\n${accounts.toLocaleString('en')} accounts; CPU ms per call, process and database`,
    )
    for (const [name, cost] of Object.entries(costs)) {
      const times = cost / smallest!.costs[name]!
      report(name, cost)
      if (accounts === smallest!.accounts) continue
      const most = name.endsWith('last page') ? undefined : 1.5
      report(`${name}, relative to ${smallest!.accounts}`, times, { most })
    }
  }
}
