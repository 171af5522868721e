import type { Kysely, Transaction } from 'kysely'
import { invalidInput } from '../../core/errors.ts'
import { type Environment, hashToken, newToken } from '../../core/secrets.ts'
import { day } from '../../core/time.ts'
import type { Database } from '../../db/schema.ts'
import type { components } from '../../generated/types.ts'
import { deleteRequestsOf } from '../../queries/agents/authorization_requests.ts'
import { revokeGrantsSince } from '../../queries/agents/grants.ts'
import { revokeKeysSince } from '../../queries/agents/keys.ts'
import { lockAccount, updateAccount } from '../../queries/people/accounts.ts'
import { deleteSessionsOf } from '../../queries/people/dashboard_sessions.ts'
import { deleteKnownBrowsers } from '../../queries/people/known_browsers.ts'
import {
  deleteChangesSince,
  deleteOwnersInvitations,
  type EmailChange,
  findEmailChange,
  insertEmailChange,
  releaseEmptyAccount,
  takeEmailChange,
} from '../../queries/people/email_changes.ts'

type Account = components['schemas']['Account']

const undoMilliseconds = 7 * day

/** A change of address, and the token by which the old address takes it back. */
export interface ChangedEmail {
  account: Account
  /** Undefined if the account had this address already. */
  notice: { to: string; token: string } | undefined
}

export interface UndoneEmail {
  email: string
  /** The address that the account has lost again. */
  lostEmail: string
  language: string
}

/** Moves an account to an address that it has proved to have. */
export async function changeEmail(
  trx: Transaction<Database>,
  { environment, now }: { environment: Environment; now: Date },
  accountId: string,
  email: string,
): Promise<ChangedEmail> {
  const { email: oldEmail } = await lockAccount(trx, accountId)
  const account = await updateAccount(trx, accountId, { email }, now)
  if (oldEmail === email) return { account, notice: undefined }
  const token = newToken('emailUndo', environment)
  await insertEmailChange(trx, {
    tokenHash: hashToken(token),
    accountId,
    oldEmail,
    newEmail: email,
    now,
    expiresAt: new Date(now.getTime() + undoMilliseconds),
  })
  return { account, notice: { to: oldEmail, token } }
}

export function findUndo(
  db: Kysely<Database>,
  token: string,
  now: Date,
): Promise<EmailChange | undefined> {
  return findEmailChange(db, hashToken(token), now)
}

/** Who stole a session may have made keys before the change, too. */
const reachMilliseconds = day

/** The time from which on a change that was made then is undone, or kept from being used. */
export function reachOf(changedAt: Date): Date {
  return new Date(changedAt.getTime() - reachMilliseconds)
}

/**
 * Takes a change back: the account has its old address again, every session ends, and so do keys,
 * agents and invitations from a day before the change on. Owners were frozen meanwhile. Of concurrent
 * calls, the one that has locked the account goes on.
 */
export async function undoEmailChange(
  trx: Transaction<Database>,
  token: string,
  now: Date,
): Promise<UndoneEmail> {
  const found = await findEmailChange(trx, hashToken(token), now)
  if (!found) throw invalidInput({ token: 'undoInvalid' })
  const { accountId, oldEmail, changedAt } = found
  // A call holds its session and then the account: in this order, they do not wait for each other.
  await deleteSessionsOf(trx, accountId)
  const { email: lostEmail, language } = await lockAccount(trx, accountId)
  if (!(await takeEmailChange(trx, hashToken(token), now)))
    throw invalidInput({ token: 'undoInvalid' })
  await releaseEmptyAccount(trx, oldEmail, now)
  await updateAccount(trx, accountId, { email: oldEmail }, now)
  // Again: a locked account lets no session in, but one may have come before the lock.
  await deleteSessionsOf(trx, accountId)
  for (const email of [oldEmail, lostEmail])
    await deleteKnownBrowsers(trx, { purpose: 'sign_in', email }, null)
  await deleteRequestsOf(trx, accountId)
  const since = reachOf(new Date(changedAt))
  await revokeKeysSince(trx, accountId, since, now)
  await revokeGrantsSince(trx, accountId, since, now)
  await deleteOwnersInvitations(trx, accountId, since)
  await deleteChangesSince(trx, accountId, changedAt)
  return { email: oldEmail, lostEmail, language }
}
