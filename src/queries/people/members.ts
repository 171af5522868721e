import { type Kysely, sql, type Transaction } from 'kysely'
import { notFound } from '../../core/errors.ts'
import { newId } from '../../core/ids.ts'
import type { Database } from '../../db/schema.ts'
import type { components } from '../../generated/types.ts'

type Member = components['schemas']['Member']
type Invitation = components['schemas']['Invitation']
type Role = components['schemas']['Role']

/** The only definition of a Member. An accepted member shows the account's address. */
function selectMembers(db: Kysely<Database>, workspaceId: string) {
  return db
    .selectFrom('members')
    .leftJoin('accounts', 'accounts.id', 'members.account_id')
    .select([
      'members.id',
      'members.account_id as accountId',
      sql<string>`coalesce(accounts.email, members.email)`.as('email'),
      sql<string>`coalesce(accounts.name, '')`.as('name'),
      'members.role',
      'members.status',
      'members.created_at as createdAt',
    ])
    .where('members.workspace_id', '=', workspaceId)
}

export function listMembers(db: Kysely<Database>, workspaceId: string): Promise<Member[]> {
  return selectMembers(db, workspaceId).orderBy('members.id').execute()
}

export async function getMember(
  db: Kysely<Database>,
  workspaceId: string,
  id: string,
): Promise<Member> {
  const member = await selectMembers(db, workspaceId)
    .where('members.id', '=', id)
    .executeTakeFirst()
  if (!member) throw notFound('member')
  return member
}

export async function isMember(
  db: Kysely<Database>,
  workspaceId: string,
  email: string,
): Promise<boolean> {
  const member = await selectMembers(db, workspaceId)
    .where('accounts.email', '=', email)
    .executeTakeFirst()
  return member !== undefined
}

export async function insertInvitation(
  trx: Transaction<Database>,
  workspaceId: string,
  { email, role, invitedBy }: { email: string; role: Role; invitedBy: string },
): Promise<string> {
  const id = newId('mem')
  await trx
    .insertInto('members')
    .values({
      id,
      workspace_id: workspaceId,
      account_id: null,
      email,
      role,
      status: 'INVITED',
      invited_by: invitedBy,
    })
    .execute()
  return id
}

export async function updateMember(
  trx: Transaction<Database>,
  workspaceId: string,
  id: string,
  change: { role: Role; status: Member['status']; owner_since?: Date },
): Promise<void> {
  await trx
    .updateTable('members')
    .set(change)
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .execute()
}

export async function deleteMember(
  trx: Transaction<Database>,
  workspaceId: string,
  id: string,
): Promise<void> {
  await trx
    .deleteFrom('members')
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .execute()
}

/** The active owners other than this member. */
export function listOtherOwners(
  trx: Transaction<Database>,
  workspaceId: string,
  memberId: string,
): Promise<{ email: string; language: string }[]> {
  return trx
    .selectFrom('members')
    .innerJoin('accounts', 'accounts.id', 'members.account_id')
    .select(['accounts.email', 'accounts.language'])
    .where('members.workspace_id', '=', workspaceId)
    .where('members.role', '=', 'owner')
    .where('members.status', '=', 'ACTIVE')
    .where('members.id', '!=', memberId)
    .orderBy('members.id')
    .execute()
}

/** When an account became an owner of the workspace; undefined if it founded it. */
export async function findOwnerSince(
  trx: Transaction<Database>,
  workspaceId: string,
  accountId: string,
): Promise<Date | undefined> {
  const member = await trx
    .selectFrom('members')
    .select('owner_since as ownerSince')
    .where('workspace_id', '=', workspaceId)
    .where('account_id', '=', accountId)
    .executeTakeFirst()
  return member?.ownerSince ? new Date(member.ownerSince) : undefined
}

/** Whether the workspace has another active owner than this member. */
export async function hasOtherOwner(
  trx: Transaction<Database>,
  workspaceId: string,
  memberId: string,
): Promise<boolean> {
  const other = await trx
    .selectFrom('members')
    .select('id')
    .where('workspace_id', '=', workspaceId)
    .where('role', '=', 'owner')
    .where('status', '=', 'ACTIVE')
    .where('id', '!=', memberId)
    .limit(1)
    .executeTakeFirst()
  return other !== undefined
}

export function listInvitations(db: Kysely<Database>, email: string): Promise<Invitation[]> {
  return selectInvitations(db, email).orderBy('members.id').execute()
}

export async function getInvitation(
  db: Kysely<Database>,
  email: string,
  id: string,
): Promise<Invitation> {
  const invitation = await selectInvitations(db, email)
    .where('members.id', '=', id)
    .executeTakeFirst()
  if (!invitation) throw notFound('invitation')
  return invitation
}

function selectInvitations(db: Kysely<Database>, email: string) {
  return db
    .selectFrom('members')
    .innerJoin('workspaces', 'workspaces.id', 'members.workspace_id')
    .leftJoin('accounts as inviter', 'inviter.id', 'members.invited_by')
    .select([
      'members.id',
      'workspaces.id as workspaceId',
      'workspaces.name as workspaceName',
      'members.role',
      sql<string>`coalesce(inviter.name || ' (' || inviter.email || ')', '')`.as('invitedBy'),
      'members.created_at as createdAt',
    ])
    .where('members.email', '=', email)
    .where('members.account_id', 'is', null)
}

/** Turns an open invitation into a membership; of parallel attempts, the second finds none. */
export async function acceptInvitation(
  trx: Transaction<Database>,
  workspaceId: string,
  id: string,
  accountId: string,
  now: Date,
): Promise<void> {
  const result = await trx
    .updateTable('members')
    .set({ account_id: accountId, status: 'ACTIVE', owner_since: now })
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .where('account_id', 'is', null)
    .executeTakeFirst()
  if (result.numUpdatedRows === 0n) throw notFound('invitation')
}

/** The language of the workspace's first owner. */
export function listOwners(
  db: Kysely<Database>,
  workspaceId: string,
): Promise<{ email: string; language: string }[]> {
  return db
    .selectFrom('members')
    .innerJoin('accounts', 'accounts.id', 'members.account_id')
    .select(['accounts.email', 'accounts.language'])
    .where('members.workspace_id', '=', workspaceId)
    .where('members.role', '=', 'owner')
    .where('members.status', '=', 'ACTIVE')
    .orderBy('members.id')
    .execute()
}

export async function findOwnersLanguage(
  db: Kysely<Database>,
  workspaceId: string,
): Promise<string | undefined> {
  const owner = await db
    .selectFrom('members')
    .innerJoin('accounts', 'accounts.id', 'members.account_id')
    .select('accounts.language')
    .where('members.workspace_id', '=', workspaceId)
    .where('members.role', '=', 'owner')
    .where('members.status', '=', 'ACTIVE')
    .orderBy('members.id')
    .limit(1)
    .executeTakeFirst()
  return owner?.language
}
