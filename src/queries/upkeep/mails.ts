import type { Kysely, Transaction } from 'kysely'
import { newId } from '../../core/ids.ts'
import { minute } from '../../core/time.ts'
import type { Database } from '../../db/schema.ts'

/** A claimed mail is not given to another process until the lease ends. */
const leaseMilliseconds = minute

export interface ClaimedMail {
  id: string
  to: string
  subject: string
  text: string
  createdAt: string
  attempts: number
}

/** Takes a transaction, so that no mail leaves for a change that was rolled back. */
export async function insertMail(
  trx: Transaction<Database>,
  mail: { to: string; subject: string; text: string },
): Promise<void> {
  await trx
    .insertInto('mails')
    .values({ id: newId('mail'), recipient: mail.to, subject: mail.subject, body: mail.text })
    .execute()
}

/**
 * Takes due mails for this process and counts the attempt. A mail never tried is due whatever the
 * clocks say: its time was written by the database, which may run ahead of this process.
 */
export async function claimMails(
  db: Kysely<Database>,
  now: Date,
  limit: number,
): Promise<ClaimedMail[]> {
  const leaseEnd = new Date(now.getTime() + leaseMilliseconds)
  return db
    .with('due', (query) =>
      query
        .selectFrom('mails')
        .select('id')
        .where('failed_at', 'is', null)
        .where((or) =>
          or.or([or('attempts', '=', 0), or('next_attempt_at', '<=', now.toISOString())]),
        )
        .orderBy('next_attempt_at')
        .limit(limit)
        .forUpdate()
        .skipLocked(),
    )
    .updateTable('mails')
    .set((mail) => ({ attempts: mail('attempts', '+', 1), next_attempt_at: leaseEnd }))
    .where('id', 'in', (query) => query.selectFrom('due').select('due.id'))
    .returning([
      'id',
      'recipient as to',
      'subject',
      'body as text',
      'created_at as createdAt',
      'attempts',
    ])
    .execute()
}

export async function deleteMail(db: Kysely<Database>, id: string): Promise<void> {
  await db.deleteFrom('mails').where('id', '=', id).execute()
}

/**
 * Only the process whose attempt this was may move the mail: one that outlived its lease finds
 * another number of attempts and changes nothing.
 */
export async function postponeMail(
  db: Kysely<Database>,
  mail: { id: string; attempts: number },
  nextAttemptAt: Date,
  failure: string,
): Promise<void> {
  await db
    .updateTable('mails')
    .set({ next_attempt_at: nextAttemptAt, failure })
    .where('id', '=', mail.id)
    .where('attempts', '=', mail.attempts)
    .execute()
}

/** Gives a mail up. Its text may hold a sign-in code, so it does not stay. */
export async function failMail(
  db: Kysely<Database>,
  mail: { id: string; attempts: number },
  failedAt: Date,
  failure: string,
): Promise<void> {
  await db
    .updateTable('mails')
    .set({ failed_at: failedAt, failure, body: '' })
    .where('id', '=', mail.id)
    .where('attempts', '=', mail.attempts)
    .execute()
}
