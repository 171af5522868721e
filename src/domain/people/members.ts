import type { Transaction } from 'kysely'
import { ApiError } from '../../core/errors.ts'
import type { Database } from '../../db/schema.ts'
import type { components } from '../../generated/types.ts'
import { getAccount } from '../../queries/people/accounts.ts'
import { getInvitation, hasOtherOwner } from '../../queries/people/members.ts'
import { lockWorkspace } from '../../queries/people/workspaces.ts'

/** A workspace keeps an active owner; the caller holds the workspace's lock. */
export async function requireAnotherOwner(
  trx: Transaction<Database>,
  workspaceId: string,
  memberId: string,
): Promise<void> {
  if (await hasOtherOwner(trx, workspaceId, memberId)) return
  throw new ApiError('last_owner', 'lastOwner')
}

/** The open invitation of an account, with its workspace locked so that nobody else changes it. */
export async function lockInvitation(
  trx: Transaction<Database>,
  accountId: string,
  id: string,
): Promise<components['schemas']['Invitation']> {
  const { email } = await getAccount(trx, accountId)
  const { workspaceId } = await getInvitation(trx, email, id)
  await lockWorkspace(trx, workspaceId)
  // Read again under the lock: the owners may have changed or withdrawn it.
  return getInvitation(trx, email, id)
}
