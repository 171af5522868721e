import { createHash } from 'node:crypto'
import { type Kysely, sql } from 'kysely'
import { notFound } from '../../core/errors.ts'
import type { Database } from '../../db/schema.ts'

/** What a workspace has behind it: its age, and the credits it bought and kept. */
export interface Standing {
  createdAt: string
  boughtCredits: number
}

export async function getStanding(db: Kysely<Database>, workspaceId: string): Promise<Standing> {
  const workspace = await db
    .selectFrom('workspaces')
    .select('created_at as createdAt')
    .where('id', '=', workspaceId)
    .executeTakeFirst()
  if (!workspace) throw notFound('workspace')
  const { rows } = await sql<{ bought: number }>`
    select coalesce(sum(credits - refunded_credits), 0)::bigint as bought from checkouts
    where workspace_id = ${workspaceId} and paid_at is not null`.execute(db)
  return { createdAt: workspace.createdAt, boughtCredits: rows[0]!.bought }
}

/**
 * Counts an address that a workspace mails to on a day; false if it is new that day and the limit is
 * reached. One statement: of concurrent new addresses, no more than the limit are counted.
 */
export async function countMailedAddress(
  db: Kysely<Database>,
  { workspaceId, day, address }: { workspaceId: string; day: string; address: string },
  limit: number,
): Promise<boolean> {
  const hash = createHash('sha256').update(address).digest()
  const { rows } = await sql<{ allowed: boolean }>`
    with known as (
      select from mailed_addresses
      where workspace_id = ${workspaceId} and day = ${day}::date and address_hash = ${hash}
    ), counted as (
      insert into mail_days as d (workspace_id, day, addresses)
      select ${workspaceId}, ${day}::date, 1 where not exists (select from known)
      on conflict on constraint mail_days_key do update set addresses = d.addresses + 1
        where d.addresses < ${limit}
      returning addresses
    ), added as (
      insert into mailed_addresses (workspace_id, day, address_hash)
      select ${workspaceId}, ${day}::date, ${hash}::bytea where exists (select from counted)
      on conflict on constraint mailed_addresses_key do nothing
    )
    select exists (select from known) or exists (select from counted) as allowed`.execute(db)
  return rows[0]!.allowed
}
