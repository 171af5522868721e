import { type Kysely, sql, type Transaction } from 'kysely'
import { newId } from '../../core/ids.ts'
import type { Database } from '../../db/schema.ts'
import type { components } from '../../generated/types.ts'
import { findPage, inOrder, onPage, type RowPage, type SearchRequest } from './whole_service.ts'

export type AuditEntry = components['schemas']['AuditEntry']

export async function insertAuditEntry(
  trx: Transaction<Database>,
  entry: Omit<AuditEntry, 'id' | 'createdAt'> & { id?: string },
  now: Date,
): Promise<void> {
  await trx
    .insertInto('audit_entries')
    .values({
      id: entry.id ?? newId('aud'),
      staff_email: entry.staffEmail,
      action: entry.action,
      subject_type: entry.subjectType,
      subject_id: entry.subjectId,
      before: entry.before && JSON.stringify(entry.before),
      after: entry.after && JSON.stringify(entry.after),
      created_at: now,
    })
    .execute()
}

/** Whether the last that staff decided of a workspace's name was to hide its pages. */
export async function isHiddenByStaff(
  trx: Transaction<Database>,
  workspaceId: string,
): Promise<boolean> {
  const last = await trx
    .selectFrom('audit_entries')
    .select(sql<string>`after->>'name'`.as('name'))
    .where('action', '=', 'update_name_approval')
    .where('subject_id', '=', workspaceId)
    .where(sql`after->>'name'`, 'is not', null)
    .orderBy('id', 'desc')
    .executeTakeFirst()
  return last?.name === 'WAITING'
}

export async function listAuditEntries(
  db: Kysely<Database>,
  request: SearchRequest,
): Promise<RowPage<AuditEntry>> {
  const { ids, total } = await findPage(db, 'audit_entries', request)
  const rows = await db
    .selectFrom('audit_entries')
    .select([
      'id',
      'staff_email as staffEmail',
      'subject_id as subjectId',
      'before',
      'after',
      'created_at as createdAt',
    ])
    .select((eb) => [
      eb.ref('action').$castTo<AuditEntry['action']>().as('action'),
      eb.ref('subject_type').$castTo<AuditEntry['subjectType']>().as('subjectType'),
    ])
    .where(onPage(ids))
    .execute()
  return { rows: inOrder(ids, rows), total }
}
