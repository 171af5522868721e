import type { Kysely, Transaction } from 'kysely'
import { hashToken, newToken, type Environment } from '../../core/secrets.ts'
import { day } from '../../core/time.ts'
import type { Database } from '../../db/schema.ts'
import type { components } from '../../generated/types.ts'
import { ensureAccount, getAccount } from '../../queries/people/accounts.ts'
import { getSessionExpiry, insertSession } from '../../queries/people/dashboard_sessions.ts'
import { listMemberships } from '../../queries/people/workspaces.ts'
import { deviceOf } from './devices.ts'

type Session = components['schemas']['Session']

export const sessionMilliseconds = 30 * day

export interface OpenedSession {
  token: string
  expiresAt: Date
  session: Session
}

/** What a person is called until they say otherwise. */
export function nameOf(email: string): string {
  return email.slice(0, email.lastIndexOf('@'))
}

/**
 * Signs in a verified address; the first sign-in creates the account. Undefined for a suspended
 * account, so that the caller can commit before it refuses.
 */
export async function openSession(
  trx: Transaction<Database>,
  { environment, now }: { environment: Environment; now: Date },
  { email, name, language }: { email: string; name: string; language?: string | undefined },
  userAgent: string | undefined,
): Promise<OpenedSession | undefined> {
  const account = await ensureAccount(trx, email, name, language)
  if (account.status !== 'ACTIVE') return undefined
  const token = newToken('dashboardSession', environment)
  const expiresAt = new Date(now.getTime() + sessionMilliseconds)
  const tokenHash = hashToken(token)
  const device = deviceOf(userAgent)
  const id = await insertSession(trx, { accountId: account.id, tokenHash, expiresAt, device })
  return { token, expiresAt, session: await readSession(trx, account.id, id) }
}

export async function readSession(
  db: Kysely<Database>,
  accountId: string,
  id: string,
): Promise<Session> {
  return {
    id,
    account: await getAccount(db, accountId),
    memberships: await listMemberships(db, accountId),
    expiresAt: await getSessionExpiry(db, id),
  }
}
