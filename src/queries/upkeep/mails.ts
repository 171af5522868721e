import { type Kysely, type QueryCreator, type RawBuilder, sql, type Transaction } from 'kysely'
import { newId } from '../../core/ids.ts'
import { minute } from '../../core/time.ts'
import type { Database } from '../../db/schema.ts'
import type { Mail } from '../../operation.ts'

/** The lease on a claimed mail: until it ends, no other process gets the mail. */
const leaseMilliseconds = minute

/** The recipient of a mail that passes through the outbox without being sent. */
export const nobody = ''

export interface ClaimedMail {
  id: string
  to: string
  subject: string
  text: string
  createdAt: string
  attempts: number
  isUrgent: boolean
  stopUrl: string | null
}

/**
 * Requires a transaction, so that no mail is sent for a change that was rolled back. The mail's turn
 * follows its sender's last one, or is the current one if the sender has no mail waiting: so a sender's
 * only mail waits for at most one of every other sender.
 */
export async function insertMail(trx: Transaction<Database>, mail: Mail): Promise<void> {
  const { sender = '', isUrgent = false } = mail
  await trx
    .insertInto('mails')
    .values({
      id: newId('mail'),
      recipient: mail.to ?? nobody,
      subject: mail.subject,
      body: mail.text,
      sender,
      is_urgent: isUrgent,
      turn: isUrgent ? 0 : turnAfter(sender),
      stop_url: mail.stopUrl ?? null,
    })
    .execute()
}

function turnAfter(sender: string): RawBuilder<number> {
  return sql<number>`coalesce(
    (select max(turn) + 1 from mails where sender = ${sender} and failed_at is null
      and not is_urgent),
    (select turn from mails where failed_at is null and not is_urgent and attempts = 0
      order by turn, id limit 1),
    0)`
}

/**
 * Claims due mails for this process, urgent ones or others, and counts the attempt. A mail that was never
 * tried is always due: the database wrote its time, and its clock may be ahead of this process.
 */
export async function claimMails(
  db: Kysely<Database>,
  now: Date,
  { isUrgent, limit }: { isUrgent: boolean; limit: number },
): Promise<ClaimedMail[]> {
  const leaseEnd = new Date(now.getTime() + leaseMilliseconds)
  // Two queries, so that neither reads the rows of the other: after an outage thousands wait to be sent
  // again.
  return db
    .with('fresh', (query) =>
      waiting(query, isUrgent, limit).where('attempts', '=', 0).orderBy('turn').orderBy('id'),
    )
    .with('again', (query) =>
      waiting(query, isUrgent, limit)
        .where('attempts', '>', 0)
        .where('next_attempt_at', '<=', now.toISOString())
        .orderBy('next_attempt_at'),
    )
    .with('due', (query) =>
      query
        .selectFrom((from) =>
          from
            .selectFrom('fresh')
            .selectAll()
            .unionAll((other) => other.selectFrom('again').selectAll())
            .as('either'),
        )
        .select('id')
        .orderBy('turn')
        .orderBy('id')
        .limit(limit),
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
      'is_urgent as isUrgent',
      'stop_url as stopUrl',
    ])
    .execute()
}

function waiting(query: QueryCreator<Database>, isUrgent: boolean, limit: number) {
  return query
    .selectFrom('mails')
    .select(['id', 'turn'])
    .where('failed_at', 'is', null)
    .where('is_urgent', '=', isUrgent)
    .limit(limit)
    .forUpdate()
    .skipLocked()
}

/** Deletes a sender's unsent mails to an address. */
export async function deleteMailsTo(
  trx: Transaction<Database>,
  { recipient, sender }: { recipient: string; sender: string },
): Promise<void> {
  await trx
    .deleteFrom('mails')
    .where('sender', '=', sender)
    .where('recipient', '=', recipient)
    .execute()
}

export async function deleteMail(db: Kysely<Database>, id: string): Promise<void> {
  await db.deleteFrom('mails').where('id', '=', id).execute()
}

/**
 * Only the process that made this attempt may reschedule the mail: after its lease has ended, it finds a
 * different number of attempts and changes nothing.
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

/** Gives up on a mail. Deletes its text, which may contain a sign-in code. */
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
