import { randomBytes } from 'node:crypto'
import type pg from 'pg'
import { NotPrimary } from './hosts.ts'

/*
 * The setup of every new connection. Nothing is sent as a startup parameter, because poolers refuse those
 * they do not know. A pooler in transaction mode lends a server's session for one transaction, and
 * longer-lived settings would leak to the next client, so there each transaction sets what it needs.
 */

export interface Session {
  /** Whether a pooler is in between, which may give each transaction another session. */
  isPooled: boolean
  /** Whether a named prepared statement is still there in the next transaction. */
  keepsNames: boolean
  /** The settings with which a transaction behind a pooler begins. */
  settings: string
}

interface SetUp {
  /** The time after which the server ends a statement; undefined for no limit. */
  statementMilliseconds: number | undefined
  /** Whether to refuse a standby, because there are other servers to try. */
  requiresPrimary: boolean
}

const idleMilliseconds = 60_000

/**
 * While an older build is alive, triggers count for it. This tells them that this build's statements
 * maintain the counts themselves.
 */
const settingsOf = ({ statementMilliseconds }: SetUp): Record<string, string> => ({
  'vitrine.counts': 'kept',
  idle_in_transaction_session_timeout: String(idleMilliseconds),
  ...(statementMilliseconds === undefined
    ? {}
    : { statement_timeout: String(statementMilliseconds) }),
})

const sessions = new WeakMap<pg.ClientBase, Session>()

/** What is known of a connection that was set up. */
export function sessionOf(client: pg.ClientBase): Session {
  const session = sessions.get(client)
  if (!session) throw new Error('The connection was not set up.')
  return session
}

/**
 * Whether statements of a connection may have names. A connection that was not set up belongs to one user
 * alone, so it may.
 */
export const keepsNamesOf = (client: pg.ClientBase): boolean =>
  sessions.get(client)?.keepsNames ?? true

/**
 * Sets up a new connection. Behind a pooler, the server's session number differs from the one the client
 * was given, which reveals the pooler. Done in SQL, so that it takes one round trip.
 */
export async function setUpSession(client: pg.ClientBase, parts: SetUp): Promise<void> {
  const ownNumber = (client as unknown as { processID: number | null }).processID ?? 0
  const isPooled = `pg_backend_pid() <> ${ownNumber}`
  const settings = Object.entries(settingsOf(parts))
  const sets = settings.map(([name, value]) => `set_config('${name}', '${value}', ${isPooled})`)
  // The last statement has the server end statements of clients that have disconnected. Not every operating
  // system supports that, hence the exception handler.
  const [first] = (await client.query(`
    select ${isPooled} as "isPooled", pg_is_in_recovery() as "isStandby", ${sets.join(', ')};
    do $$ begin
      perform set_config('client_connection_check_interval', '500', ${isPooled});
    exception when others then null; end $$`)) as unknown as pg.QueryResult<{
    isPooled: boolean
    isStandby: boolean
  }>[]
  const { isPooled: pooled, isStandby } = first!.rows[0]!
  if (parts.requiresPrimary && isStandby) throw new NotPrimary('This server is a standby.')
  sessions.set(client, {
    isPooled: pooled,
    keepsNames: !pooled || (await keepsNames(client)),
    settings: settings.map(([name, value]) => `set local ${name} = '${value}'`).join('; '),
  })
}

/**
 * A pooler that supports prepared statements renames them, and prepares them again wherever they are used.
 * Any other passes our names on, to a session that the next transaction may not get.
 */
async function keepsNames(client: pg.ClientBase): Promise<boolean> {
  const name = `vitrine_${randomBytes(8).toString('hex')}`
  await client.query('begin')
  try {
    await client.query({ name, text: 'select 1' })
    const { rows } = await client.query<{ passedOn: boolean }>(
      `select exists (select from pg_prepared_statements where name = '${name}') as "passedOn"`,
    )
    if (rows[0]!.passedOn) await client.query(`deallocate ${name}`)
    return !rows[0]!.passedOn
  } finally {
    await client.query('rollback')
  }
}
