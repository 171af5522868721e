import { isDeepStrictEqual } from 'node:util'
import type { Transaction } from 'kysely'
import type { Database } from '../../db/schema.ts'
import type { StaffCaller } from '../../operation.ts'
import { type AuditEntry, insertAuditEntry } from '../../queries/administration/audit_entries.ts'

/**
 * Makes a change of staff and writes it down, both in the caller's transaction or neither. What is
 * already as it should be is no change. The caller holds the lock under which it read `before`.
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
