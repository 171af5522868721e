import type { Kysely, Transaction } from 'kysely'
import { ApiError } from '../../core/errors.ts'
import { newId } from '../../core/ids.ts'
import { prepared } from '../../db/prepared.ts'
import type { Database } from '../../db/schema.ts'
import type { components } from '../../generated/types.ts'

/** The holder of a staff session, in one query; no row once the person has left the staff. */
export const findStaffAccess = prepared<{ tokenHash: Buffer }>()(
  'find_staff_access',
  (db, parameter) =>
    db
      .selectFrom('staff_sessions')
      .innerJoin('staff', 'staff.id', 'staff_sessions.staff_id')
      .select([
        'staff_sessions.id as connectionId',
        'staff_sessions.expires_at as expiresAt',
        'staff.email as staffEmail',
      ])
      .where('staff_sessions.token_hash', '=', parameter('tokenHash')),
)

export async function insertStaffSession(
  trx: Transaction<Database>,
  session: { staffId: string; tokenHash: Buffer; now: Date; expiresAt: Date },
): Promise<string> {
  const id = newId('ses')
  await trx
    .insertInto('staff_sessions')
    .values({
      id,
      staff_id: session.staffId,
      token_hash: session.tokenHash,
      created_at: session.now,
      expires_at: session.expiresAt,
    })
    .execute()
  return id
}

export async function getStaffSession(
  db: Kysely<Database>,
  id: string,
): Promise<components['schemas']['StaffSession']> {
  const session = await db
    .selectFrom('staff_sessions')
    .innerJoin('staff', 'staff.id', 'staff_sessions.staff_id')
    .select(['staff_sessions.id', 'staff.email', 'staff_sessions.expires_at as expiresAt'])
    .where('staff_sessions.id', '=', id)
    .executeTakeFirst()
  // The session ended between admission and this query.
  if (!session) throw new ApiError('unauthenticated', 'sessionEnded')
  return session
}

export async function deleteStaffSession(db: Kysely<Database>, id: string): Promise<void> {
  await db.deleteFrom('staff_sessions').where('id', '=', id).execute()
}

export function findStaff(
  db: Kysely<Database>,
  email: string,
): Promise<{ id: string } | undefined> {
  return db.selectFrom('staff').select('id').where('email', '=', email).executeTakeFirst()
}

/** The same, and keeps the person on the staff until the transaction ends. */
export function lockStaff(
  trx: Transaction<Database>,
  email: string,
): Promise<{ id: string } | undefined> {
  return trx
    .selectFrom('staff')
    .select('id')
    .where('email', '=', email)
    .forKeyShare()
    .executeTakeFirst()
}

export function listStaff(
  db: Kysely<Database>,
): Promise<{ id: string; email: string; createdAt: string }[]> {
  return db
    .selectFrom('staff')
    .select(['id', 'email', 'created_at as createdAt'])
    .orderBy('id')
    .execute()
}

/** Adds a person to the staff; undefined if already there. */
export async function insertStaff(
  trx: Transaction<Database>,
  email: string,
  now: Date,
): Promise<string | undefined> {
  const row = await trx
    .insertInto('staff')
    .values({ id: newId('stf'), email, created_at: now })
    .onConflict((on) => on.constraint('staff_email_key').doNothing())
    .returning('id')
    .executeTakeFirst()
  return row?.id
}

/** Removes a person from the staff, with their sessions; undefined if not there. */
export async function deleteStaff(
  trx: Transaction<Database>,
  email: string,
): Promise<string | undefined> {
  const row = await trx
    .deleteFrom('staff')
    .where('email', '=', email)
    .returning('id')
    .executeTakeFirst()
  return row?.id
}
