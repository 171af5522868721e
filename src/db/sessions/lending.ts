import type { PostgresPoolClient } from 'kysely'
import type pg from 'pg'
import { withBaseUrl } from '../base_url.ts'
import { statementName } from '../prepared.ts'
import { isReadOnly } from '../read_only.ts'
import { observeStatement } from '../../core/telemetry/runtime_metrics.ts'
import { sessionOf } from './session.ts'

/** The purpose of a lent connection. */
export interface Lease {
  baseUrl: string | undefined
  queryMilliseconds?: number | undefined
  /** The time after which the server ends statements of its transactions, if not the usual one. */
  statementMilliseconds?: number
  giveBack?: () => void
}

interface Borrowed {
  query(text: string, parameters: readonly unknown[]): Promise<pg.QueryResult>
  release(): void
  lease: Lease
}

interface SentQuery {
  name: string | undefined
  text: string
  values: unknown[]
  query_timeout: number | undefined
}

/** Kysely recognises a connection by this object, and sets up any that it has not seen before. */
const borrowed = new WeakMap<pg.PoolClient, Borrowed>()

/** Lends a connection to Kysely until it is released. */
export function lend(client: pg.PoolClient, lease: Lease): PostgresPoolClient {
  let connection = borrowed.get(client)
  if (connection) connection.lease = lease
  else borrowed.set(client, (connection = borrowedOf(client, lease)))
  // Kysely's type also covers cursors; no query here uses them.
  return connection as unknown as PostgresPoolClient
}

/**
 * Runs prepared queries as named statements, which the server parses and plans once, and fills in the base
 * URL where a statement needs it.
 */
function borrowedOf(client: pg.PoolClient, firstLease: Lease): Borrowed {
  const { isPooled, keepsNames } = sessionOf(client)
  const send = isPooled ? sendPooled(client) : (query: SentQuery) => client.query(query)
  /** A statement that timed out: all further ones, starting with the rollback, would queue behind it. */
  let timeout: Error | undefined
  /** Makes the pool close the connection and open another. */
  let fatal: Error | undefined
  return {
    lease: firstLease,
    async query(text, parameters) {
      if (timeout) throw timeout
      const { baseUrl, queryMilliseconds, statementMilliseconds } = this.lease
      const startedAt = performance.now()
      try {
        const result = await send({
          name: keepsNames ? statementName(text) || undefined : undefined,
          text,
          values: withBaseUrl(parameters, baseUrl),
          query_timeout: queryMilliseconds,
        })
        // Only for this transaction: behind a pooler, the session goes to another client next.
        if (statementMilliseconds !== undefined && begins.test(text))
          await client.query(`set local statement_timeout = ${statementMilliseconds}`)
        return result
      } catch (error) {
        if (isTimeout(error)) fatal = timeout = error
        // After a failover, a session can stay read-only although new ones may write.
        if (isReadOnly(error) || isEnd(error)) fatal = error
        // The transaction may be open all the same: Kysely rolls back only what began without an error.
        if (begins.test(text) && error instanceof Error) fatal = error
        throw error
      } finally {
        observeStatement(nameOf(text), performance.now() - startedAt)
      }
    },
    release() {
      const { giveBack } = this.lease
      client.release(fatal)
      giveBack?.()
    },
  }
}

function isTimeout(error: unknown): error is Error {
  return error instanceof Error && error.message === 'Query read timeout'
}

/**
 * SQLSTATEs with which the server ends a session: it shuts down, an operator ended the session, or it
 * idled. They arrive before the connection closes, and the pool could lend it once more.
 */
const ends = new Set(['57P01', '57P02', '57P05', '25P03'])

function isEnd(error: unknown): error is Error {
  return error instanceof Error && ends.has((error as { code?: string }).code ?? '')
}

const begins = /^(begin|start transaction)\b/
const commitsOrRollsBack = /^(commit|rollback)$/
/** A query with a `with` may write, too; other writes begin with their verb. */
const mayWrite = /^\s*(insert|update|delete|with)\b/i

/**
 * Sends statements through a pooler that lends a session for one transaction: each transaction sets what it
 * needs, and a write outside a transaction gets its own.
 */
function sendPooled(client: pg.PoolClient): (query: SentQuery) => Promise<pg.QueryResult> {
  const { settings } = sessionOf(client)
  let isOpen = false
  return async (query) => {
    if (begins.test(query.text)) {
      const results = (await client.query(`${query.text}; ${settings}`)) as unknown
      isOpen = true
      return (results as pg.QueryResult[])[0]!
    }
    if (commitsOrRollsBack.test(query.text)) isOpen = false
    if (isOpen || !mayWrite.test(query.text)) return client.query(query)
    await client.query(`begin; ${settings}`)
    try {
      const result = await client.query(query)
      await client.query('commit')
      return result
    } catch (error) {
      await client.query('rollback').catch(() => undefined)
      throw error
    }
  }
}

/** The name of a prepared statement; for any other its verb, which reveals no values. */
export function nameOf(text: string): string {
  return statementName(text) || (/^\s*(\w+)/.exec(text)?.[1]?.toLowerCase() ?? '')
}
