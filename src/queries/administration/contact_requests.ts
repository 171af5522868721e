import { type Kysely, sql, type Transaction } from 'kysely'
import { notFound } from '../../core/errors.ts'
import { newId } from '../../core/ids.ts'
import type { Database } from '../../db/schema.ts'
import type { components } from '../../generated/types.ts'
import { findPage, inOrder, onPage, type RowPage, type SearchRequest } from './whole_service.ts'

type ContactRequest = components['schemas']['ContactRequest']

const columns = [
  'id',
  'name',
  'email',
  'message',
  'created_at as createdAt',
  'read_at as readAt',
] as const

/** Inserts without a lookup: the constraint allows one unread request per sender. */
export async function insertContactRequest(
  trx: Transaction<Database>,
  { name, email, message }: { name: string; email: string; message: string },
  now: Date,
): Promise<string> {
  const id = newId('ctc')
  await trx
    .insertInto('contact_requests')
    .values({ id, name, email, message, created_at: now })
    .execute()
  return id
}

const maxExtended = 5_000

/**
 * Appends to the sender's unread request, if there is one, so that no call has to wait until staff read it.
 * False if the request already says the same or is full.
 */
export async function insertOrExtendContactRequest(
  trx: Transaction<Database>,
  { name, email, message }: { name: string; email: string; message: string },
  now: Date,
): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await trx
    .insertInto('contact_requests')
    .values({ id: newId('ctc'), name, email, message, created_at: now })
    .onConflict((conflict) =>
      conflict
        .column('email')
        .where('read_at', 'is', null)
        .doUpdateSet({
          message: sql`contact_requests.message || ${'\n\n'} || excluded.message`,
        })
        .where(
          sql<boolean>`strpos(contact_requests.message, excluded.message) = 0
            and length(contact_requests.message) < ${maxExtended}`,
        ),
    )
    .executeTakeFirst()
  return numInsertedOrUpdatedRows === 1n
}

export async function listContactRequests(
  db: Kysely<Database>,
  request: SearchRequest,
): Promise<RowPage<ContactRequest>> {
  const { ids, total } = await findPage(db, 'contact_requests', request)
  const rows = await db.selectFrom('contact_requests').select(columns).where(onPage(ids)).execute()
  return { rows: inOrder(ids, rows), total }
}

export async function lockContactRequest(
  trx: Transaction<Database>,
  id: string,
): Promise<ContactRequest> {
  const request = await trx
    .selectFrom('contact_requests')
    .select(columns)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()
  if (!request) throw notFound('contactRequest')
  return request
}

export async function updateReadAt(
  trx: Transaction<Database>,
  id: string,
  readAt: Date,
): Promise<void> {
  await trx.updateTable('contact_requests').set({ read_at: readAt }).where('id', '=', id).execute()
}
