import type { Transaction } from 'kysely'
import { ApiError } from '../../core/errors.ts'
import type { Database } from '../../db/schema.ts'
import type { components } from '../../generated/types.ts'
import { getAccount } from '../../queries/people/accounts.ts'
import { getInvitation, hasOtherOwner } from '../../queries/people/members.ts'
import { lockWorkspace } from '../../queries/people/workspaces.ts'

/** A workspace must keep an active owner. The caller holds the workspace's lock. */
export async function requireAnotherOwner(
  trx: Transaction<Database>,
  workspaceId: string,
  memberId: string,
): Promise<void> {
  if (await hasOtherOwner(trx, workspaceId, memberId)) return
  throw new ApiError('last_owner', 'lastOwner')
}

/** The account's open invitation, with its workspace locked against changes. */
export async function lockInvitation(
  trx: Transaction<Database>,
  accountId: string,
  id: string,
): Promise<components['schemas']['Invitation']> {
  const { email } = await getAccount(trx, accountId)
  const { workspaceId } = await getInvitation(trx, email, id)
  await lockWorkspace(trx, workspaceId)
  // Re-read under the lock: an owner may have changed or withdrawn the invitation.
  return getInvitation(trx, email, id)
}
