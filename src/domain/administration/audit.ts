import { isDeepStrictEqual } from 'node:util'
import type { Transaction } from 'kysely'
import type { Database } from '../../db/schema.ts'
import type { StaffCaller } from '../../operation.ts'
import { type AuditEntry, insertAuditEntry } from '../../queries/administration/audit_entries.ts'

/**
 * Makes a staff member's change and its audit entry in the caller's transaction, both or neither. A
 * no-op is not recorded. The caller holds the lock under which it read `before`.
 */
export async function recordChange(
  trx: Transaction<Database>,
  { staffEmail, now }: StaffCaller,
  change: Omit<AuditEntry, 'id' | 'staffEmail' | 'createdAt'>,
  make: () => Promise<void>,
): Promise<void> {
  if (isDeepStrictEqual(change.before, change.after)) return
  await make()
  await insertAuditEntry(trx, { staffEmail, ...change }, now)
}
