import type { Transaction } from 'kysely'
import { ApiError } from '../../core/errors.ts'
import type { Database } from '../../db/schema.ts'
import type { components } from '../../generated/types.ts'
import { getAccount } from '../../queries/people/accounts.ts'
import { findLiveChange, hasChangedOwner } from '../../queries/people/email_changes.ts'
import { findOwnerSince, getInvitation, hasOtherOwner } from '../../queries/people/members.ts'
import { lockWorkspace } from '../../queries/people/workspaces.ts'
import { reachOf } from './email_changes.ts'

/** A workspace must keep an active owner. The caller holds the workspace's lock. */
export async function requireAnotherOwner(
  trx: Transaction<Database>,
  workspaceId: string,
  memberId: string,
): Promise<void> {
  if (await hasOtherOwner(trx, workspaceId, memberId)) return
  throw new ApiError('last_owner', 'lastOwner')
}

/*
 * While the address of an owner can be taken back, a thief may be using the account. Until then
 * nothing happens to owners that taking it back would not undo.
 */

/** Nobody becomes an owner beside one whose address has just changed. */
export async function requireNewOwnersAllowed(
  trx: Transaction<Database>,
  workspaceId: string,
  now: Date,
): Promise<void> {
  if (await hasChangedOwner(trx, workspaceId, now)) throw ownersFrozen()
}

/**
 * An account whose address has just changed removes no owner, and is removed only by owners of longer
 * standing. These can always remove it, so that nobody stays by changing addresses.
 */
export async function requireOwnerRemovable(
  trx: Transaction<Database>,
  workspaceId: string,
  { accountId, by, now }: { accountId: string | null; by: string; now: Date },
): Promise<void> {
  if (await findLiveChange(trx, by, now)) throw ownersFrozen()
  const changedAt = accountId === null ? undefined : await findLiveChange(trx, accountId, now)
  if (!changedAt) return
  const since = await findOwnerSince(trx, workspaceId, by)
  if (since && since >= reachOf(changedAt)) throw ownersFrozen()
}

function ownersFrozen(): ApiError {
  return new ApiError('owners_frozen', 'ownersFrozen')
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
