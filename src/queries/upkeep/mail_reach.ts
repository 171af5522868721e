import { createHash } from 'node:crypto'
import { type Kysely, sql } from 'kysely'
import { notFound } from '../../core/errors.ts'
import type { Database } from '../../db/schema.ts'

/* Raw SQL: one statement counts an address and answers, in tables by their names. */

/** The account that answers for what a workspace mails, and what both have behind them. */
export interface Sender {
  workspaceId: string
  /** The owner for the longest time. */
  accountId: string
  /** The owner's language, which the shop uses until it has one of its own. */
  language: string
  createdAt: string
  /** The credits that the workspace bought and was not refunded. */
  boughtCredits: number
  /** Whether the account bought credits that were not refunded, in any workspace that it owns. */
  hasPaid: boolean
}

export async function getSender(db: Kysely<Database>, workspaceId: string): Promise<Sender> {
  const owner = await db
    .selectFrom('members')
    .innerJoin('accounts', 'accounts.id', 'members.account_id')
    .innerJoin('workspaces', 'workspaces.id', 'members.workspace_id')
    .select(['accounts.id as accountId', 'accounts.language', 'workspaces.created_at as createdAt'])
    .where('members.workspace_id', '=', workspaceId)
    .where('members.role', '=', 'owner')
    .where('members.status', '=', 'ACTIVE')
    .orderBy('members.owner_since', (order) => order.asc().nullsFirst())
    .orderBy('members.id')
    .limit(1)
    .executeTakeFirst()
  if (!owner) throw notFound('workspace')
  const bought = await boughtBy(db, owner.accountId)
  return {
    ...owner,
    workspaceId,
    boughtCredits: bought.get(workspaceId) ?? 0,
    hasPaid: [...bought.values()].some((credits) => credits > 0),
  }
}

/** Whether an account bought credits that were not refunded. */
export async function hasPaid(db: Kysely<Database>, accountId: string): Promise<boolean> {
  return [...(await boughtBy(db, accountId)).values()].some((credits) => credits > 0)
}

/**
 * The credits that each workspace of an account bought and was not refunded. Two statements, because
 * checkouts may lie on other nodes than members.
 */
async function boughtBy(db: Kysely<Database>, accountId: string): Promise<Map<string, number>> {
  const owned = await db
    .selectFrom('members')
    .select('workspace_id as id')
    .where('account_id', '=', accountId)
    .where('role', '=', 'owner')
    .where('status', '=', 'ACTIVE')
    .execute()
  const rows = await db
    .selectFrom('checkouts')
    .select([
      'workspace_id as id',
      sql<number>`sum(credits - refunded_credits)::bigint`.as('credits'),
    ])
    .where('workspace_id', '=', sql<string>`any(${owned.map(({ id }) => id)}::text[])`)
    .where('paid_at', 'is not', null)
    .groupBy('workspace_id')
    .execute()
  return new Map(rows.map(({ id, credits }) => [id, credits]))
}

/** For whom the mailed addresses of a day are counted. */
const counts = {
  workspace: { days: 'mail_days', addresses: 'mailed_addresses', id: 'workspace_id' },
  account: { days: 'account_mail_days', addresses: 'account_mailed_addresses', id: 'account_id' },
} as const

/**
 * Counts an address that is mailed to on a day; false if it is new that day and the limit is reached. The
 * count is a single row, so parallel calls cannot exceed the limit.
 */
export async function countMailedAddress(
  db: Kysely<Database>,
  by: keyof typeof counts,
  { id, day, address }: { id: string; day: string; address: string },
  limit: number,
): Promise<boolean> {
  const hash = createHash('sha256').update(address).digest()
  const [days, addresses, column] = [
    sql.table(counts[by].days),
    sql.table(counts[by].addresses),
    sql.ref(counts[by].id),
  ]
  const { rows } = await sql<{ allowed: boolean }>`
    with known as (
      select from ${addresses}
      where ${column} = ${id} and day = ${day}::date and address_hash = ${hash}
    ), counted as (
      insert into ${days} as d (${column}, day, addresses)
      select ${id}, ${day}::date, 1 where not exists (select from known)
      on conflict (${column}, day) do update set addresses = d.addresses + 1
        where d.addresses < ${limit}
      returning addresses
    ), added as (
      insert into ${addresses} (${column}, day, address_hash)
      select ${id}, ${day}::date, ${hash}::bytea where exists (select from counted)
      on conflict (${column}, day, address_hash) do nothing
    )
    select exists (select from known) or exists (select from counted) as allowed`.execute(db)
  return rows[0]!.allowed
}
