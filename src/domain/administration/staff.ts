import type { Kysely, Transaction } from 'kysely'
import { type Environment, hashToken, newToken } from '../../core/secrets.ts'
import { hour } from '../../core/time.ts'
import type { Database } from '../../db/schema.ts'
import type { components } from '../../generated/types.ts'
import { insertAuditEntry } from '../../queries/administration/audit_entries.ts'
import {
  deleteStaff,
  getStaffSession,
  insertStaff,
  insertStaffSession,
  listStaff,
  lockStaff,
} from '../../queries/administration/staff.ts'
import { normaliseEmail, requireAllowedEmail } from '../people/email_addresses.ts'

/** A working day and a bit. It does not slide: who goes on working signs in again. */
const sessionMilliseconds = 12 * hour

/** Who changes the staff by the script or the settings, in the audit. */
const operator = 'operator'

export interface OpenedStaffSession {
  token: string
  expiresAt: Date
  session: components['schemas']['StaffSession']
}

/** Signs a proven address in; undefined for somebody who is not on the staff. */
export async function openStaffSession(
  trx: Transaction<Database>,
  { environment, now }: { environment: Environment; now: Date },
  email: string,
): Promise<OpenedStaffSession | undefined> {
  // A removal waits for the session, and then takes it along.
  const staff = await lockStaff(trx, email)
  if (!staff) return undefined
  const token = newToken('staffSession', environment)
  const expiresAt = new Date(now.getTime() + sessionMilliseconds)
  const session = { staffId: staff.id, tokenHash: hashToken(token), now, expiresAt }
  const id = await insertStaffSession(trx, session)
  return { token, expiresAt, session: await getStaffSession(trx, id) }
}

/** Puts an address on the staff; says whether it was not there. */
export async function addStaff(
  trx: Transaction<Database>,
  address: string,
  now: Date,
): Promise<boolean> {
  const email = requireAllowedEmail(address)
  const id = await insertStaff(trx, email, now)
  if (id === undefined) return false
  await insertAuditEntry(
    trx,
    {
      staffEmail: operator,
      action: 'add_staff',
      subjectType: 'staff',
      subjectId: id,
      before: null,
      after: { email },
    },
    now,
  )
  return true
}

/** Takes an address off the staff and ends its sessions; says whether it was there. */
export async function removeStaff(
  trx: Transaction<Database>,
  address: string,
  now: Date,
): Promise<boolean> {
  // Whatever addresses may be added today, any that is there can be removed.
  const email = normaliseEmail(address)
  const id = await deleteStaff(trx, email)
  if (id === undefined) return false
  await insertAuditEntry(
    trx,
    {
      staffEmail: operator,
      action: 'remove_staff',
      subjectType: 'staff',
      subjectId: id,
      before: { email },
      after: null,
    },
    now,
  )
  return true
}

/**
 * Puts the addresses of the settings on the staff while there is nobody. Later the settings count
 * no more, or a start would bring back who was removed.
 */
export async function ensureFirstStaff(
  db: Kysely<Database>,
  emails: string[],
  now: Date,
): Promise<void> {
  if ((await listStaff(db)).length > 0) return
  await db.transaction().execute(async (trx) => {
    for (const email of emails) await addStaff(trx, email, now)
  })
}
