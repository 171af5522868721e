import { type Kysely, sql, type Transaction } from 'kysely'
import type { Database } from '../../db/schema.ts'

/**
 * Claims a subdomain that is free or no longer held for another workspace; returns whether it was claimed.
 * Each name has one row, so of two concurrent claims one waits and then sees that it is taken.
 */
export async function claimSubDomain(
  trx: Transaction<Database>,
  workspaceId: string,
  { name, isApproved, mayKeep }: { name: string; isApproved: boolean; mayKeep: boolean },
  now: Date,
): Promise<boolean> {
  const result = await trx
    .insertInto('sub_domains')
    .values({ name, workspace_id: workspaceId, held_until: null, is_approved: isApproved })
    .onConflict((on) =>
      on
        .column('name')
        .doUpdateSet({
          workspace_id: workspaceId,
          held_until: null,
          // What a person has approved of a name holds for the workspace that takes it back.
          is_approved: sql<boolean>`${isApproved} or (${mayKeep}
            and sub_domains.workspace_id = ${workspaceId} and sub_domains.is_approved)`,
        })
        .where((eb) =>
          eb.or([
            eb('sub_domains.workspace_id', '=', workspaceId),
            eb('sub_domains.held_until', '<', sql<string>`${now}`),
          ]),
        ),
    )
    .executeTakeFirst()
  return result.numInsertedOrUpdatedRows === 1n
}

/** Whether the pages at a name are shown. */
export async function isApprovedName(trx: Transaction<Database>, name: string): Promise<boolean> {
  const row = await trx
    .selectFrom('sub_domains')
    .select('is_approved as isApproved')
    .where('name', '=', name)
    .executeTakeFirst()
  return row?.isApproved === true
}

/** Whether the pages of a shop are shown, at its subdomain and so at its domains. */
export async function isApprovedShop(db: Kysely<Database>, workspaceId: string): Promise<boolean> {
  const row = await db
    .selectFrom('sub_domains')
    .innerJoin('workspaces', 'workspaces.sub_domain', 'sub_domains.name')
    .select('sub_domains.is_approved as isApproved')
    .where('workspaces.id', '=', workspaceId)
    .executeTakeFirst()
  return row?.isApproved === true
}

/** Shows the pages at a name, or hides them until staff have reviewed it. */
export async function updateApprovedName(
  trx: Transaction<Database>,
  name: string,
  isApproved: boolean,
): Promise<void> {
  await trx
    .updateTable('sub_domains')
    .set({ is_approved: isApproved })
    .where('name', '=', name)
    .execute()
}

export async function holdSubDomain(
  trx: Transaction<Database>,
  name: string,
  until: Date,
): Promise<void> {
  await trx.updateTable('sub_domains').set({ held_until: until }).where('name', '=', name).execute()
}
