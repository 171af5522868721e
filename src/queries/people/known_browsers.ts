import { type Kysely, sql, type Transaction } from 'kysely'
import { newId } from '../../core/ids.ts'
import type { Database } from '../../db/schema.ts'
import type { SignInPurpose } from '../../db/schema/people.ts'

/** An address that signs in to the dashboard or to administration. */
export interface SignInAddress {
  purpose: SignInPurpose
  email: string
}

/** The id of a browser in which this address has signed in. */
export async function findKnownBrowser(
  db: Kysely<Database>,
  { purpose, email }: SignInAddress,
  tokenHash: Buffer,
  now: Date,
): Promise<string | undefined> {
  const row = await db
    .selectFrom('known_browsers')
    .select('id')
    .where('token_hash', '=', tokenHash)
    .where('purpose', '=', purpose)
    .where('email', '=', email)
    .where('expires_at', '>', sql<string>`${now}`)
    .executeTakeFirst()
  return row?.id
}

/** For each address, the browsers that wait for a code; the same statement for every address. */
export async function listWaitingBrowsers(
  db: Kysely<Database>,
  { purpose, email }: SignInAddress,
  now: Date,
): Promise<string[]> {
  const rows = await db
    .selectFrom('known_browsers as b')
    .innerJoin('one_time_codes as c', (join) =>
      join
        .onRef('c.subject', '=', 'b.id')
        .onRef('c.purpose', '=', 'b.purpose')
        .onRef('c.email', '=', 'b.email'),
    )
    .select('b.id')
    .where('b.purpose', '=', purpose)
    .where('b.email', '=', email)
    .where('b.expires_at', '>', sql<string>`${now}`)
    .where('c.consumed_at', 'is', null)
    .where('c.expires_at', '>', sql<string>`${now}`)
    .orderBy('b.id')
    .execute()
  return rows.map(({ id }) => id)
}

/** Gives a browser a new token; it stays known for its addresses. */
export async function moveKnownBrowser(
  trx: Transaction<Database>,
  from: Buffer,
  to: Buffer,
): Promise<void> {
  await trx
    .updateTable('known_browsers')
    .set({ token_hash: to })
    .where('token_hash', '=', from)
    .execute()
}

/** Makes a browser known for an address, or extends that. */
export async function insertKnownBrowser(
  trx: Transaction<Database>,
  { purpose, email }: SignInAddress,
  browser: { tokenHash: Buffer; now: Date; expiresAt: Date },
): Promise<void> {
  await trx
    .insertInto('known_browsers')
    .values({
      id: newId('brw'),
      token_hash: browser.tokenHash,
      purpose,
      email,
      created_at: browser.now,
      expires_at: browser.expiresAt,
    })
    .onConflict((on) =>
      on.constraint('known_browsers_token_key').doUpdateSet({ expires_at: browser.expiresAt }),
    )
    .execute()
}

/** Forgets all but the browsers in which the address signed in most recently. */
export async function deleteOldBrowsers(
  trx: Transaction<Database>,
  { purpose, email }: SignInAddress,
  kept: number,
): Promise<void> {
  const latest = trx
    .selectFrom('known_browsers')
    .select('id')
    .where('purpose', '=', purpose)
    .where('email', '=', email)
    .orderBy('expires_at', 'desc')
    .orderBy('id', 'desc')
    .limit(kept)
  await trx
    .deleteFrom('known_browsers')
    .where('purpose', '=', purpose)
    .where('email', '=', email)
    .where('id', 'not in', latest)
    .execute()
}

/** Forgets the browsers of an address, except for the one with this token. */
export async function deleteKnownBrowsers(
  trx: Transaction<Database>,
  { purpose, email }: SignInAddress,
  but: Buffer | null,
): Promise<void> {
  await trx
    .deleteFrom('known_browsers')
    .where('purpose', '=', purpose)
    .where('email', '=', email)
    .where('token_hash', 'is distinct from', but)
    .execute()
}
