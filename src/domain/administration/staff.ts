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
import type { Caller } from '../../operation.ts'
import type { CodeAddress } from '../../queries/people/one_time_codes.ts'
import { normaliseEmail, requireAllowedEmail } from '../people/email_addresses.ts'
import { issueCode, useCode } from '../people/one_time_codes.ts'

/** Slightly more than a working day. It does not slide: staff sign in again after it. */
const sessionMilliseconds = 12 * hour

/** The actor in the audit for changes made by the script or the settings. */
const operator = 'operator'

/** More than a mailed code has: strangers who keep guessing must not end this one, too. */
const operatorFailuresAllowed = 50

export interface OpenedStaffSession {
  token: string
  expiresAt: Date
  session: components['schemas']['StaffSession']
}

/** Signs in a verified address; undefined if it is not on the staff. */
export async function openStaffSession(
  trx: Transaction<Database>,
  { environment, now }: { environment: Environment; now: Date },
  email: string,
): Promise<OpenedStaffSession | undefined> {
  // Lock the row: a concurrent removal waits for the session, then deletes it too.
  const staff = await lockStaff(trx, email)
  if (!staff) return undefined
  const token = newToken('staffSession', environment)
  const expiresAt = new Date(now.getTime() + sessionMilliseconds)
  const session = { staffId: staff.id, tokenHash: hashToken(token), now, expiresAt }
  const id = await insertStaffSession(trx, session)
  return { token, expiresAt, session: await getStaffSession(trx, id) }
}

/**
 * Makes a code for a staff member without a mail and without the limits of requests: the way in when
 * mail does not arrive, or strangers use up the codes of the address. Undefined for another address.
 */
export async function createOperatorCode(
  trx: Transaction<Database>,
  { secretKey, now }: { secretKey: string; now: Date },
  address: string,
): Promise<string | undefined> {
  const email = normaliseEmail(address)
  const staff = await lockStaff(trx, email)
  if (!staff) return undefined
  const code = await issueCode(trx, { secretKey, now }, operatorAddress(email))
  await insertAuditEntry(
    trx,
    {
      staffEmail: operator,
      action: 'create_staff_code',
      subjectType: 'staff',
      subjectId: staff.id,
      before: null,
      after: null,
    },
    now,
  )
  return code
}

/** Consumes an operator's code, or counts a failure; see `useCode`. */
export function useOperatorCode(
  trx: Transaction<Database>,
  caller: Pick<Caller, 'config' | 'now'>,
  email: string,
  code: string,
): Promise<boolean> {
  return useCode(trx, caller, operatorAddress(email), code, operatorFailuresAllowed)
}

/** Apart from the codes that are mailed, which anyone can ask for and replace. */
function operatorAddress(email: string): CodeAddress {
  return { purpose: 'staff_sign_in', subject: operator, email }
}

/** Adds an address to the staff; false if it was already there. */
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

/** Removes an address from the staff and ends its sessions; false if it was not there. */
export async function removeStaff(
  trx: Transaction<Database>,
  address: string,
  now: Date,
): Promise<boolean> {
  // Only normalise: an existing address can be removed even if it could not be added today.
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
 * Adds the bootstrap addresses from the settings while the staff table is empty. After that they
 * are ignored, or a restart would bring back people who were removed.
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
