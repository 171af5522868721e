import { type Kysely, sql, type Transaction } from 'kysely'
import { notFound } from '../../core/errors.ts'
import { newId } from '../../core/ids.ts'
import { prepared } from '../../db/prepared.ts'
import type { Database } from '../../db/schema.ts'
import type { components } from '../../generated/types.ts'

type Workspace = components['schemas']['Workspace']
type Membership = components['schemas']['Membership']

const columns = [
  'workspaces.id',
  'workspaces.name',
  'workspaces.sub_domain as subDomain',
  'workspaces.status',
  'workspaces.billing_email as billingEmail',
  'workspaces.billing_phone as billingPhone',
  'workspaces.billing_gsm_country_code as billingGsmCountryCode',
  'workspaces.is_visible as isVisible',
  'workspaces.main_agent_prompt as mainAgentPrompt',
  'websites.template_key as templateKey',
  'workspaces.created_at as createdAt',
  'workspaces.updated_at as updatedAt',
] as const

const findWorkspace = prepared<{ id: string }>()('find_workspace', (db, parameter) =>
  db
    .selectFrom('workspaces')
    .innerJoin('websites', 'websites.workspace_id', 'workspaces.id')
    .select(columns)
    .where('workspaces.id', '=', parameter('id')),
)

export async function getWorkspace(db: Kysely<Database>, id: string): Promise<Workspace> {
  const [workspace] = await findWorkspace(db, { id })
  if (!workspace) throw notFound('workspace')
  return workspace
}

/** A page of the workspaces the account is an active owner of, oldest first. */
/** A page of the workspaces that the account owns; a connection limited to one workspace sees only that. */
export const listOwnedWorkspaces = prepared<{
  accountId: string
  onlyWorkspaceId: string | null
  limit: number
  offset: number
}>()('list_owned_workspaces', (db, parameter) =>
  db
    .selectFrom('members')
    .innerJoin('workspaces', 'workspaces.id', 'members.workspace_id')
    .innerJoin('websites', 'websites.workspace_id', 'workspaces.id')
    .select(columns)
    .where('members.account_id', '=', parameter('accountId'))
    .where('members.role', '=', sql.lit('owner'))
    .where('members.status', '=', sql.lit('ACTIVE'))
    .where(
      sql<boolean>`workspaces.id = coalesce(${parameter('onlyWorkspaceId')}::text, workspaces.id)`,
    )
    .orderBy('workspaces.id')
    .limit(parameter('limit'))
    .offset(parameter('offset')),
)

const findOwnership = prepared<{ accountId: string }>()('find_ownership', (db, parameter) =>
  db
    .selectFrom('accounts')
    .select((eb) => [
      'accounts.workspace_limit as limit',
      eb
        .selectFrom('members')
        .select((owned) => owned.fn.countAll<number>().as('owned'))
        .whereRef('members.account_id', '=', 'accounts.id')
        .where('members.role', '=', sql.lit('owner'))
        .where('members.status', '=', sql.lit('ACTIVE'))
        .$asScalar()
        .as('owned'),
    ])
    .where('accounts.id', '=', parameter('accountId')),
)

/** The suspended workspaces, which are few and have an index. */
export async function listSuspendedWorkspaces(db: Kysely<Database>): Promise<string[]> {
  const rows = await db
    .selectFrom('workspaces')
    .select('id')
    .where('status', '=', sql.lit('SUSPENDED'))
    .execute()
  return rows.map(({ id }) => id)
}

/** The account's workspace limit, and how many it actively owns; suspended ones count. */
export async function getOwnership(
  db: Kysely<Database>,
  accountId: string,
): Promise<{ limit: number; owned: number }> {
  const [row] = await findOwnership(db, { accountId })
  if (!row) throw notFound('account')
  return { limit: row.limit, owned: row.owned ?? 0 }
}

export function listMemberships(db: Kysely<Database>, accountId: string): Promise<Membership[]> {
  return db
    .selectFrom('members')
    .innerJoin('workspaces', 'workspaces.id', 'members.workspace_id')
    .select([
      'workspaces.id as workspaceId',
      'workspaces.name as workspaceName',
      'workspaces.sub_domain as subDomain',
      sql<boolean>`exists (select from sub_domains where name = workspaces.sub_domain
        and is_approved)`.as('isNameApproved'),
      'workspaces.time_zone as timeZone',
      'workspaces.status as workspaceStatus',
      'members.role',
    ])
    .where('members.account_id', '=', accountId)
    .where('members.status', '=', 'ACTIVE')
    .orderBy('workspaces.id')
    .execute()
}

/** The workspaces that the account owns, by name. */
export function listOwnedNames(
  db: Kysely<Database>,
  accountId: string,
): Promise<{ id: string; name: string }[]> {
  return db
    .selectFrom('members')
    .innerJoin('workspaces', 'workspaces.id', 'members.workspace_id')
    .select(['workspaces.id', 'workspaces.name'])
    .where('members.account_id', '=', accountId)
    .where('members.role', '=', 'owner')
    .where('members.status', '=', 'ACTIVE')
    .orderBy('workspaces.name')
    .orderBy('workspaces.id')
    .execute()
}

export async function insertWorkspace(
  trx: Transaction<Database>,
  workspace: {
    id: string
    name: string
    subDomain: string
    billingEmail: string
    billingPhone: string | null
  },
  now: Date,
): Promise<void> {
  const { id, name, subDomain, billingEmail, billingPhone } = workspace
  await trx
    .insertInto('workspaces')
    .values({
      id,
      name,
      sub_domain: subDomain,
      billing_email: billingEmail,
      billing_phone: billingPhone,
      billing_gsm_country_code: null,
      created_at: now,
      updated_at: now,
    })
    .execute()
}

export async function insertOwner(
  trx: Transaction<Database>,
  workspaceId: string,
  accountId: string,
  email: string,
): Promise<void> {
  await trx
    .insertInto('members')
    .values({
      id: newId('mem'),
      workspace_id: workspaceId,
      account_id: accountId,
      email,
      role: 'owner',
      status: 'ACTIVE',
    })
    .execute()
}

/** Locks the workspace, which serializes changes of its profile and members. */
export async function lockWorkspace(
  trx: Transaction<Database>,
  id: string,
): Promise<{ name: string; subDomainChangedAt: string | null }> {
  const row = await trx
    .selectFrom('workspaces')
    .select(['name', 'sub_domain_changed_at as subDomainChangedAt'])
    .where('id', '=', id)
    .forNoKeyUpdate()
    .executeTakeFirst()
  if (!row) throw notFound('workspace')
  return row
}

export async function updateWorkspace(
  trx: Transaction<Database>,
  id: string,
  change: Partial<Workspace>,
  { now, moves }: { now: Date; moves: boolean },
): Promise<void> {
  const columnsOf = {
    name: change.name,
    sub_domain: change.subDomain,
    sub_domain_changed_at: moves ? now : undefined,
    billing_email: change.billingEmail,
    billing_phone: change.billingPhone,
    billing_gsm_country_code: change.billingGsmCountryCode,
    is_visible: change.isVisible,
    main_agent_prompt: change.mainAgentPrompt,
  }
  const values = Object.fromEntries(
    Object.entries(columnsOf).filter(([, value]) => value !== undefined),
  )
  await trx
    .updateTable('workspaces')
    .set({ ...values, updated_at: now })
    .where('id', '=', id)
    .execute()
}

/** The shop's time zone; null until one is chosen. */
export async function findTimeZone(
  db: Kysely<Database>,
  workspaceId: string,
): Promise<string | null> {
  const row = await db
    .selectFrom('workspaces')
    .select('time_zone')
    .where('id', '=', workspaceId)
    .executeTakeFirst()
  return row?.time_zone ?? null
}

export async function updateTimeZone(
  db: Kysely<Database>,
  workspaceId: string,
  timeZone: string,
): Promise<void> {
  await db
    .updateTable('workspaces')
    .set({ time_zone: timeZone })
    .where('id', '=', workspaceId)
    .execute()
}
