import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { Database } from '../../db/schema.ts'
import { day } from '../../core/time.ts'
import { eachAlone } from '../../fairness/alone.ts'
import { deleteInBatches, deleteInWorkspaces } from './batches.ts'

/* Raw SQL: one statement serves many tables, by their names. */

/** Tables whose expired rows every query treats as gone. */
const expiring = [
  'access_tokens',
  'agent_addresses',
  'authorization_requests',
  'client_assertions',
  'customer_sessions',
  'dashboard_sessions',
  'email_changes',
  'known_browsers',
  'media_uploads',
  'sign_in_links',
  'spent_challenges',
  'staff_sessions',
]

/** Tables whose rows count for one day, besides those of workspaces. */
const daily = [
  'mail_days',
  'mailed_addresses',
  'account_mail_days',
  'account_mailed_addresses',
  'sign_in_attempts',
]

/** Without these rows, the visitors of a past day cannot be told apart. */
const ofVisitors = ['site_salts', 'site_visitors']

/**
 * Larger batches: no call waits for locks on these rows, and there are as many as a day has visitors and
 * calls.
 */
const rowsOfBatch = 10_000

/** Deletes expired rows, and answers kept for retries. */
export async function deleteExpired(db: Kysely<Database>, now: Date): Promise<void> {
  const yesterday = new Date(now.getTime() - day)
  const isExpired = sql<boolean>`expires_at < ${now}`
  const isBefore = (moment: Date) => sql<boolean>`day < ${moment.toISOString().slice(0, 10)}::date`
  // A process whose clock is slow may still use yesterday's quotas and visits.
  const isPast = isBefore(new Date(now.getTime() - 2 * day))
  const whole = (table: string, isOver: RawBuilder<boolean>) => () =>
    deleteInBatches(db, table, isOver, rowsOfBatch)
  const divided = (table: string, key: string[], isOver: RawBuilder<boolean>) => () =>
    deleteInWorkspaces(db, table, key, isOver)
  const keyOfRecord = ['connection_id', 'visitor', 'operation', 'path', 'key']
  const deletions = [
    ...ofVisitors.map((table) => whole(table, isBefore(now))),
    ...expiring.map((table) => whole(table, isExpired)),
    ...daily.map((table) => whole(table, isPast)),
    // Keep a code past its expiry: its row also enforces the resend interval.
    whole('one_time_codes', sql<boolean>`expires_at < ${yesterday}`),
    divided('visits', ['visitor_id', 'day'], isPast),
    divided('visitor_quotas', ['visitor_id', 'day'], isPast),
    divided('idempotency_records', keyOfRecord, sql<boolean>`started_at < ${yesterday}`),
    () => deleteTokensOfEnded(db, now),
    () => deleteUnusedCodes(db, now),
  ]
  await eachAlone(deletions, (deletion) => deletion(), 'Some expired rows were not deleted.')
}

/** Used refresh tokens stay while their grant is valid, so that reuse is detected. */
function deleteTokensOfEnded(db: Kysely<Database>, now: Date): Promise<void> {
  const ofEnded = sql<boolean>`grant_id in (
    select id from grants where expires_at < ${now} or revoked_at is not null)`
  return deleteInBatches(db, 'refresh_tokens', ofEnded)
}

/**
 * Used codes stay while their grant is valid, as refresh tokens do. Grants stay a while for the lists of
 * connections, unless their code was never exchanged: those never became a connection.
 */
async function deleteUnusedCodes(db: Kysely<Database>, now: Date): Promise<void> {
  const past = sql<string>`${now}`
  for (let deleted = codesOfBatch; deleted === codesOfBatch;)
    deleted = await db.transaction().execute(async (trx) => {
      // Lock the code before its grant, the same order as an exchange.
      const unused = await trx
        .deleteFrom('authorization_codes')
        .where((eb) => {
          const due = eb
            .selectFrom('authorization_codes')
            .select('code_hash')
            .where('consumed_at', 'is', null)
            .where('expires_at', '<', past)
            .limit(codesOfBatch)
          // An array is read once, a list perhaps for every row.
          return sql<boolean>`code_hash = any(array(${due}))`
        })
        .where('consumed_at', 'is', null)
        .returning('grant_id')
        .execute()
      const ids = unused.map(({ grant_id }) => grant_id)
      if (ids.length > 0) await trx.deleteFrom('grants').where('id', 'in', ids).execute()
      return ids.length
    })
}

const codesOfBatch = 1000
