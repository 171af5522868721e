import type { Transaction } from 'kysely'
import { ApiError } from '../core/errors.ts'
import type { Database } from '../db/schema.ts'
import { hasOtherOwner } from '../queries/members.ts'

/** A workspace keeps an active owner; the caller holds the workspace's lock. */
export async function requireAnotherOwner(
  trx: Transaction<Database>,
  workspaceId: string,
  memberId: string,
): Promise<void> {
  if (await hasOtherOwner(trx, workspaceId, memberId)) return
  const message = 'This is the last active owner. Make somebody else an owner first.'
  throw new ApiError('last_owner', message)
}
