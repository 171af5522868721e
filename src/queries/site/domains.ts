import { type Kysely, sql, type Transaction } from 'kysely'
import { notFound } from '../../core/errors.ts'
import { columnsIn, type ReadFields, selectList } from '../../db/read_fields.ts'
import type { Database } from '../../db/schema.ts'
import type { components } from '../../generated/types.ts'

export type Domain = components['schemas']['Domain']

const column = columnsIn('site_domains', 'site_domains')

/** The only definition of a Domain's fields. */
const domainFields: ReadFields<Domain> = {
  id: column('id'),
  name: column('name'),
  status: sql`case when ${column('verified_at')} is null then 'PENDING' else 'VERIFIED' end`,
  isPrimary: column('is_primary'),
  isNameApproved: column('is_approved'),
  recordName: sql`'_vitrine.' || ${column('name')}`,
  recordValue: sql`'vitrine-domain=' || ${column('token')}`,
  problem: column('problem'),
  checkedAt: column('checked_at'),
  verifiedAt: column('verified_at'),
  createdAt: column('created_at'),
}

const list = selectList(domainFields)

/** Oldest first: ids sort by time. */
export function listDomains(db: Kysely<Database>, workspaceId: string): Promise<Domain[]> {
  return db
    .selectFrom('site_domains')
    .select(list)
    .where('workspace_id', '=', workspaceId)
    .orderBy('id')
    .execute()
}

export async function getDomain(
  db: Kysely<Database>,
  workspaceId: string,
  id: string,
): Promise<Domain> {
  const domain = await db
    .selectFrom('site_domains')
    .select(list)
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .executeTakeFirst()
  if (!domain) throw notFound('domain')
  return domain
}

export async function lockDomain(
  trx: Transaction<Database>,
  workspaceId: string,
  id: string,
): Promise<Domain> {
  const domain = await trx
    .selectFrom('site_domains')
    .select(list)
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()
  if (!domain) throw notFound('domain')
  return domain
}

/** The verified domain of this name, of any workspace. */
export function findVerifiedDomain(
  db: Kysely<Database>,
  name: string,
): Promise<(Domain & { workspaceId: string }) | undefined> {
  return verified(db, name).executeTakeFirst()
}

export function lockVerifiedDomain(
  trx: Transaction<Database>,
  name: string,
): Promise<(Domain & { workspaceId: string }) | undefined> {
  return verified(trx, name).forUpdate().executeTakeFirst()
}

/** Verified domains last checked before this time, the longest ago first. */
export function listDueDomains(
  db: Kysely<Database>,
  { before, limit }: { before: Date; limit: number },
): Promise<Domain[]> {
  return db
    .selectFrom('site_domains')
    .select(list)
    .where('verified_at', 'is not', null)
    .where('checked_at', '<', before.toISOString())
    .orderBy('checked_at')
    .limit(limit)
    .execute()
}

function verified(db: Kysely<Database>, name: string) {
  return db
    .selectFrom('site_domains')
    .select(list)
    .select('workspace_id as workspaceId')
    .where('name', '=', name)
    .where('verified_at', 'is not', null)
}

export async function insertDomain(
  trx: Transaction<Database>,
  workspaceId: string,
  { id, name, token, isApproved }: { id: string; name: string; token: string; isApproved: boolean },
  now: Date,
): Promise<void> {
  await trx
    .insertInto('site_domains')
    .values({
      id,
      workspace_id: workspaceId,
      name,
      token,
      is_approved: isApproved,
      created_at: now,
    })
    .execute()
}

/** Stores the result of a check of its record. */
export async function updateProblem(
  db: Kysely<Database>,
  id: string,
  problem: Domain['problem'],
  now: Date,
): Promise<void> {
  await db
    .updateTable('site_domains')
    .set({ problem, checked_at: now })
    .where('id', '=', id)
    .execute()
}

/** Makes the name the workspace's own; of two concurrent claims, the index decides. */
export async function updateVerified(
  trx: Transaction<Database>,
  id: string,
  now: Date,
): Promise<void> {
  await trx
    .updateTable('site_domains')
    .set({ verified_at: now })
    .where('id', '=', id)
    .where('verified_at', 'is', null)
    .execute()
}

/** Takes a name from a workspace whose record is gone. */
export async function releaseDomain(trx: Transaction<Database>, id: string): Promise<void> {
  await trx
    .updateTable('site_domains')
    .set({ verified_at: null, is_primary: false, problem: 'OTHER_VALUE' })
    .where('id', '=', id)
    .execute()
}

/** Makes a verified domain the shop's address, or none. The workspace is locked. */
export async function updatePrimary(
  trx: Transaction<Database>,
  workspaceId: string,
  id: string | null,
): Promise<void> {
  await trx
    .updateTable('site_domains')
    .set({ is_primary: false })
    .where('workspace_id', '=', workspaceId)
    .where('is_primary', '=', true)
    .execute()
  if (id === null) return
  await trx
    .updateTable('site_domains')
    .set({ is_primary: true })
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .execute()
}

export async function deleteDomain(
  trx: Transaction<Database>,
  workspaceId: string,
  id: string,
): Promise<void> {
  await trx
    .deleteFrom('site_domains')
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .execute()
}
