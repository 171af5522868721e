import { type Kysely, sql, type Transaction } from 'kysely'
import type { Database } from '../../db/schema.ts'

export interface CodeAddress {
  purpose: Database['one_time_codes']['purpose']
  /** The id of an account or a workspace; for sign-ins, that of a known browser, or empty. */
  subject: string
  email: string
}

/** A code sent in this window, and not ended by failures, delays the next one. */
export interface ResendWindow {
  after: Date
  before: Date
  failuresAllowed: number
}

/** When the code was sent that delays the next one. */
export async function findCodeSentAt(
  db: Kysely<Database>,
  { purpose, subject, email }: CodeAddress,
  { after, before, failuresAllowed }: ResendWindow,
): Promise<Date | undefined> {
  const row = await db
    .selectFrom('one_time_codes')
    .select('sent_at')
    .where('purpose', '=', purpose)
    .where('subject', '=', subject)
    .where('email', '=', email)
    .where('sent_at', '>', after.toISOString())
    .where('sent_at', '<', before.toISOString())
    .where('failures', '<', failuresAllowed)
    .executeTakeFirst()
  return row && new Date(row.sent_at)
}

/** Replaces the live code, unless it delays the next one; returns whether it was replaced. */
export async function replaceCode(
  trx: Transaction<Database>,
  address: CodeAddress,
  code: {
    codeHash: Buffer
    sentAt: Date
    expiresAt: Date
    details: object | null
  },
  held: ResendWindow | undefined,
): Promise<boolean> {
  const fresh = {
    code_hash: code.codeHash,
    sent_at: code.sentAt,
    expires_at: code.expiresAt,
    failures: 0,
    stranger_failures: 0,
    consumed_at: null,
    details: code.details && JSON.stringify(code.details),
  }
  const result = await trx
    .insertInto('one_time_codes')
    .values({ ...address, ...fresh })
    .onConflict((on) => {
      const update = on.columns(['purpose', 'subject', 'email']).doUpdateSet(fresh)
      if (!held) return update
      return update.where((where) =>
        where.or([
          where('one_time_codes.sent_at', '<=', held.after.toISOString()),
          where('one_time_codes.sent_at', '>=', held.before.toISOString()),
          where('one_time_codes.failures', '>=', held.failuresAllowed),
        ]),
      )
    })
    .executeTakeFirst()
  return result.numInsertedOrUpdatedRows === 1n
}

interface CodeTry {
  codeHash: Buffer
  now: Date
  sentBefore: Date
  failuresAllowed: number
}

/**
 * Consumes a code, or counts a failure against the live one. One statement on one row decides:
 * parallel guesses queue on its lock, and each sees the earlier failures.
 */
export function tryCode(
  trx: Transaction<Database>,
  address: CodeAddress,
  code: CodeTry,
): Promise<boolean> {
  return tryCodeOf(trx, address, code, 'failures')
}

/**
 * The same for a known browser's code that is tried without its cookie: such failures are counted
 * separately.
 */
export function tryCodeAsStranger(
  trx: Transaction<Database>,
  address: CodeAddress,
  code: CodeTry,
): Promise<boolean> {
  return tryCodeOf(trx, address, code, 'stranger_failures')
}

async function tryCodeOf(
  trx: Transaction<Database>,
  { purpose, subject, email }: CodeAddress,
  { codeHash, now, sentBefore, failuresAllowed }: CodeTry,
  counter: 'failures' | 'stranger_failures',
): Promise<boolean> {
  const right = sql<boolean>`code_hash = ${codeHash}`
  const row = await trx
    .updateTable('one_time_codes')
    .set({
      [counter]: sql<number>`${sql.ref(counter)} + case when ${right} then 0 else 1 end`,
      consumed_at: sql<Date | null>`case when ${right} then ${now}::timestamptz end`,
    })
    .where('purpose', '=', purpose)
    .where('subject', '=', subject)
    .where('email', '=', email)
    .where('consumed_at', 'is', null)
    .where('failures', '<', failuresAllowed)
    .where(counter, '<', failuresAllowed)
    .where('expires_at', '>', sql<string>`${now}`)
    // Ignore a code dated in the future by a clock that ran ahead: it would be valid for too long.
    .where('sent_at', '<', sql<string>`${sentBefore}`)
    .returning('consumed_at')
    .executeTakeFirst()
  return row !== undefined && row.consumed_at !== null
}

/** Deletes the code of an address, used or not, with the data kept with it. */
export async function deleteCode(
  trx: Transaction<Database>,
  { purpose, subject, email }: CodeAddress,
): Promise<void> {
  await trx
    .deleteFrom('one_time_codes')
    .where('purpose', '=', purpose)
    .where('subject', '=', subject)
    .where('email', '=', email)
    .execute()
}

/** Data kept with a code that has just been used. */
export async function getCodeDetails(
  trx: Transaction<Database>,
  { purpose, subject, email }: CodeAddress,
): Promise<unknown> {
  const { details } = await trx
    .selectFrom('one_time_codes')
    .select('details')
    .where('purpose', '=', purpose)
    .where('subject', '=', subject)
    .where('email', '=', email)
    .executeTakeFirstOrThrow()
  return details
}
