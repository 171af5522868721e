import { type Kysely, sql, type Transaction } from 'kysely'
import { day } from '../../core/time.ts'
import type { Database } from '../../db/schema.ts'

/** How often a member wants a mail about pending work. */
export type DigestEvery = 'NEVER' | 'DAY' | 'WEEK'

const length = { DAY: day, WEEK: 7 * day }

export async function getDigest(
  db: Kysely<Database>,
  workspaceId: string,
  accountId: string,
): Promise<DigestEvery> {
  const member = await db
    .selectFrom('members')
    .select('digest_every as every')
    .where('workspace_id', '=', workspaceId)
    .where('account_id', '=', accountId)
    .executeTakeFirst()
  return member?.every ?? 'NEVER'
}

/** The first mail is due after a day or a week. */
export async function updateDigest(
  trx: Transaction<Database>,
  member: { workspaceId: string; accountId: string },
  every: DigestEvery,
  now: Date,
): Promise<void> {
  const values =
    every === 'NEVER'
      ? { digest_every: null, digest_at: null }
      : { digest_every: every, digest_at: new Date(now.getTime() + length[every]) }
  await trx
    .updateTable('members')
    .set(values)
    .where('workspace_id', '=', member.workspaceId)
    .where('account_id', '=', member.accountId)
    .execute()
}

/** Members whose mail is due, the longest overdue first. */
export async function listDueDigests(db: Kysely<Database>, now: Date): Promise<string[]> {
  const rows = await db
    .selectFrom('members')
    .select('id')
    .where('digest_at', '<=', sql<string>`${now}`)
    .orderBy('digest_at')
    .limit(mailsAtOnce)
    .execute()
  return rows.map(({ id }) => id)
}

/** The next sweep sends the others. */
const mailsAtOnce = 500

export interface DueDigest {
  id: string
  workspaceId: string
  email: string
  language: string
  role: Database['members']['role']
  /** Earlier events were in the previous mail. */
  since: Date
}

/** The due mail, with the next one scheduled; undefined if another process has taken it. */
export async function takeDigest(
  trx: Transaction<Database>,
  id: string,
  now: Date,
): Promise<DueDigest | undefined> {
  const member = await trx
    .selectFrom('members')
    .innerJoin('accounts', 'accounts.id', 'members.account_id')
    .innerJoin('workspaces', 'workspaces.id', 'members.workspace_id')
    .select([
      'members.id',
      'members.workspace_id as workspaceId',
      'members.role',
      'members.digest_every as every',
      'accounts.email',
      'accounts.language',
    ])
    .where('members.id', '=', id)
    .where('members.status', '=', 'ACTIVE')
    .where('accounts.status', '=', 'ACTIVE')
    .where('workspaces.status', '=', 'ACTIVE')
    .where('members.digest_at', '<=', sql<string>`${now}`)
    .forUpdate('members')
    .skipLocked()
    .executeTakeFirst()
  // A member who cannot get the mail now is checked again in a day.
  const every = member?.every ?? 'DAY'
  await trx
    .updateTable('members')
    .set({ digest_at: new Date(now.getTime() + length[every]) })
    .where('id', '=', id)
    .where('digest_at', '<=', sql<string>`${now}`)
    .execute()
  if (!member) return undefined
  const { workspaceId, email, language, role } = member
  const since = new Date(now.getTime() - length[every])
  return { id, workspaceId, email, language, role, since }
}

/** Stops the mails of a member; does nothing if the member is gone. */
export async function stopDigest(db: Kysely<Database>, id: string): Promise<void> {
  await db
    .updateTable('members')
    .set({ digest_every: null, digest_at: null })
    .where('id', '=', id)
    .execute()
}

/** What is pending in a workspace, or has arrived since the last mail. */
export interface DigestFigures {
  unanswered: number
  changes: number
  feedback: number
  /** Only products that visitors see: the owner need not act on drafts without stock. */
  soldOut: number
}

export async function countWaiting(
  db: Kysely<Database>,
  workspaceId: string,
  since: Date,
): Promise<DigestFigures> {
  const count = (table: 'unanswered_questions' | 'change_sets' | 'feedback' | 'products') =>
    db
      .selectFrom(table)
      .select(db.fn.countAll<number>().as('count'))
      .where('workspace_id', '=', workspaceId)
  const [unanswered, changes, feedback, soldOut] = await Promise.all([
    count('unanswered_questions').executeTakeFirstOrThrow(),
    count('change_sets').where('state', '=', 'WAITING').executeTakeFirstOrThrow(),
    count('feedback')
      .where('created_at', '>=', sql<string>`${since}`)
      .executeTakeFirstOrThrow(),
    count('products')
      .where('stock', '=', 0)
      .where('status', '=', 'ACTIVE')
      .executeTakeFirstOrThrow(),
  ])
  return {
    unanswered: unanswered.count,
    changes: changes.count,
    feedback: feedback.count,
    soldOut: soldOut.count,
  }
}
