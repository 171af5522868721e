import { type Kysely, sql, type Transaction } from 'kysely'
import { notFound } from '../../core/errors.ts'
import { day } from '../../core/time.ts'
import type { Database } from '../../db/schema.ts'
import type { components } from '../../generated/types.ts'
import { findPage, inOrder, onPage, type RowPage, type SearchRequest } from './whole_service.ts'

type AdminAccount = components['schemas']['AdminAccount']
type AdminWorkspace = components['schemas']['AdminWorkspace']
type Standing = components['schemas']['Standing']

function selectAccounts(db: Kysely<Database>) {
  return db.selectFrom('accounts').select((eb) => [
    'id',
    'email',
    'name',
    'status',
    'workspace_limit as workspaceLimit',
    'created_at as createdAt',
    'updated_at as updatedAt',
    eb
      .selectFrom('members')
      .select((owned) => owned.fn.countAll<number>().as('owned'))
      .whereRef('members.account_id', '=', 'accounts.id')
      .where('members.role', '=', sql.lit('owner'))
      .where('members.status', '=', sql.lit('ACTIVE'))
      .$asScalar()
      .$notNull()
      .as('ownedWorkspaces'),
  ])
}

export async function listAccounts(
  db: Kysely<Database>,
  request: SearchRequest,
): Promise<RowPage<AdminAccount>> {
  const { ids, total } = await findPage(db, 'accounts', request)
  const rows = await selectAccounts(db).where(onPage(ids)).execute()
  return { rows: inOrder(ids, rows), total }
}

export async function getAdminAccount(db: Kysely<Database>, id: string): Promise<AdminAccount> {
  const account = await selectAccounts(db).where('id', '=', id).executeTakeFirst()
  if (!account) throw notFound('account')
  return account
}

/** Takes the same lock as the ownership count, so that the next count sees a new limit. */
export async function lockStandingOfAccount(
  trx: Transaction<Database>,
  id: string,
): Promise<{ status: Standing; workspaceLimit: number }> {
  const account = await trx
    .selectFrom('accounts')
    .select(['status', 'workspace_limit as workspaceLimit'])
    .where('id', '=', id)
    .forNoKeyUpdate()
    .executeTakeFirst()
  if (!account) throw notFound('account')
  return account
}

export async function updateStandingOfAccount(
  trx: Transaction<Database>,
  id: string,
  { status, workspaceLimit }: { status: Standing; workspaceLimit: number },
  now: Date,
): Promise<void> {
  await trx
    .updateTable('accounts')
    .set({ status, workspace_limit: workspaceLimit, updated_at: now })
    .where('id', '=', id)
    .execute()
}

function selectWorkspaces(db: Kysely<Database>) {
  const owners = sql<string[]>`array(
    select a.email from members m join accounts a on a.id = m.account_id
    where m.workspace_id = workspaces.id and m.role = 'owner' and m.status = 'ACTIVE'
    order by m.id)`
  const template = sql<string>`(
    select w.template_key from websites w where w.workspace_id = workspaces.id)`
  const title = sql<string>`(
    select w.seo->>'title' from websites w where w.workspace_id = workspaces.id)`
  const headline = sql<string>`(
    select w.headline from websites w where w.workspace_id = workspaces.id)`
  const isNameApproved = sql<boolean>`exists (
    select from sub_domains where name = workspaces.sub_domain and is_approved)`
  const waitingDomains = sql<string[]>`array(
    select d.name from site_domains d
    where d.workspace_id = workspaces.id and not d.is_approved order by d.id)`
  return db
    .selectFrom('workspaces')
    .select([
      'id',
      'name',
      template.as('templateKey'),
      'sub_domain as subDomain',
      title.as('title'),
      headline.as('headline'),
      isNameApproved.as('isNameApproved'),
      waitingDomains.as('waitingDomains'),
      'status',
      'billing_email as billingEmail',
      'billing_phone as billingPhone',
      'created_at as createdAt',
      'updated_at as updatedAt',
      owners.as('ownerEmails'),
    ])
}

export async function listAllWorkspaces(
  db: Kysely<Database>,
  request: SearchRequest,
): Promise<RowPage<AdminWorkspace>> {
  const { ids, total } = await findPage(db, 'workspaces', request)
  const rows = await selectWorkspaces(db).where(onPage(ids)).execute()
  return { rows: inOrder(ids, await withBalances(db, rows)), total }
}

/** Wallets lie with their workspaces; one statement reads all wallets of the page. */
async function withBalances(
  db: Kysely<Database>,
  workspaces: Omit<AdminWorkspace, 'balance'>[],
): Promise<AdminWorkspace[]> {
  const ids = workspaces.map(({ id }) => id)
  const wallets = await selectBalances(db)
    .where(sql<boolean>`workspace_id = any(${ids})`)
    .execute()
  const balances = new Map(wallets.map(({ workspaceId, balance }) => [workspaceId, balance]))
  return workspaces.map((workspace) => ({ ...workspace, balance: balances.get(workspace.id)! }))
}

function selectBalances(db: Kysely<Database>) {
  return db
    .selectFrom('wallets')
    .select(['workspace_id as workspaceId', 'balance_credits as balance'])
}

export async function getAdminWorkspace(db: Kysely<Database>, id: string): Promise<AdminWorkspace> {
  const workspace = await selectWorkspaces(db).where('id', '=', id).executeTakeFirst()
  if (!workspace) throw notFound('workspace')
  const { balance } = await selectBalances(db)
    .where('workspace_id', '=', id)
    .executeTakeFirstOrThrow()
  return { ...workspace, balance }
}

export async function lockStandingOfWorkspace(
  trx: Transaction<Database>,
  id: string,
): Promise<{ status: Standing }> {
  const workspace = await trx
    .selectFrom('workspaces')
    .select('status')
    .where('id', '=', id)
    .forNoKeyUpdate()
    .executeTakeFirst()
  if (!workspace) throw notFound('workspace')
  return workspace
}

export async function updateStandingOfWorkspace(
  trx: Transaction<Database>,
  id: string,
  status: Standing,
  now: Date,
): Promise<void> {
  await trx
    .updateTable('workspaces')
    .set({ status, updated_at: now })
    .where('id', '=', id)
    .execute()
}

/**
 * Takes the one mail a day that staff get of what a shop is called; their decision frees the next. Each rename asks, and
 * a script could rename a thousand times.
 */
export async function claimReviewMail(
  trx: Transaction<Database>,
  id: string,
  now: Date,
): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('workspaces')
    .set({ review_mailed_at: now })
    .where('id', '=', id)
    .where((eb) =>
      eb.or([
        eb('review_mailed_at', 'is', null),
        eb('review_mailed_at', '<=', sql<string>`${new Date(now.getTime() - day)}`),
      ]),
    )
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/**
 * Shows the pages at a workspace's name, or hides them until staff have reviewed it, and approves domains. Those of a
 * hidden name are hidden with it.
 */
export async function updateNameApproval(
  trx: Transaction<Database>,
  id: string,
  { isNameApproved, domains }: { isNameApproved: boolean; domains: readonly string[] },
): Promise<void> {
  await trx
    .updateTable('sub_domains')
    .set({ is_approved: isNameApproved })
    .where('name', '=', (eb) =>
      eb.selectFrom('workspaces').select('sub_domain').where('id', '=', id),
    )
    .execute()
  await trx.updateTable('workspaces').set({ review_mailed_at: null }).where('id', '=', id).execute()
  if (domains.length === 0) return
  await trx
    .updateTable('site_domains')
    .set({ is_approved: true })
    .where('workspace_id', '=', id)
    .where('name', 'in', domains)
    .execute()
}

type AccountDetail = Omit<components['schemas']['AdminAccountDetail'], 'account'>

/** The memberships of an account, and the connections that can act for it now. */
export async function getAccountDetail(
  db: Kysely<Database>,
  id: string,
  now: Date,
): Promise<AccountDetail> {
  const liveOf = (table: 'api_keys' | 'grants') =>
    db
      .selectFrom(table)
      .select(({ fn }) => fn.countAll<number>().as('live'))
      .where('account_id', '=', id)
      .where('revoked_at', 'is', null)
      .where('expires_at', '>', sql<string>`${now}`)
      .$asScalar()
      .$notNull()
  const detail = await db
    .selectFrom('accounts')
    .select([
      'phone',
      'language',
      liveOf('api_keys').as('liveKeys'),
      liveOf('grants').as('liveConnections'),
    ])
    .where('id', '=', id)
    .executeTakeFirst()
  if (!detail) throw notFound('account')
  const memberships = await db
    .selectFrom('members')
    .innerJoin('workspaces', 'workspaces.id', 'members.workspace_id')
    .select([
      'workspaces.id as workspaceId',
      'workspaces.name as workspaceName',
      'members.role',
      'members.status',
    ])
    .where('members.account_id', '=', id)
    .orderBy('members.id')
    .execute()
  return { ...detail, memberships }
}
