import { type Kysely, sql, type Transaction } from 'kysely'
import type { Database } from '../../db/schema.ts'
import type { SignInPurpose } from '../../db/schema/people.ts'
import type { SignInAddress } from './known_browsers.ts'

/** How many wrong codes were tried at an address on this day. */
export async function countFailures(
  db: Kysely<Database>,
  { purpose, email }: SignInAddress,
  day: string,
): Promise<number> {
  const row = await db
    .selectFrom('sign_in_attempts')
    .select('failures')
    .where('purpose', '=', purpose)
    .where('email', '=', email)
    .where('day', '>=', sql<string>`${day}::date`)
    .executeTakeFirst()
  return row?.failures ?? 0
}

/**
 * Counts a try as a failure before its code is checked; false if the day's limit is reached. Tries at one
 * address queue on this row.
 */
export async function countTry(
  trx: Transaction<Database>,
  { purpose, email }: SignInAddress,
  day: string,
  limit: number,
): Promise<boolean> {
  const counted = await trx
    .insertInto('sign_in_attempts')
    .values({ purpose, email, day, failures: 1 })
    .onConflict((on) =>
      on
        .constraint('sign_in_attempts_key')
        .doUpdateSet({
          day: sql<string>`greatest(sign_in_attempts.day, excluded.day)`,
          failures: sql<number>`case when sign_in_attempts.day < excluded.day then 0
            else sign_in_attempts.failures end + 1`,
        })
        .where((eb) =>
          eb.or([
            eb('sign_in_attempts.day', '<', eb.ref('excluded.day')),
            eb('sign_in_attempts.failures', '<', limit),
          ]),
        ),
    )
    .returning('email')
    .executeTakeFirst()
  return counted !== undefined
}

/** Takes back the failure counted for a try with the right code. */
export async function forgiveTry(
  trx: Transaction<Database>,
  { purpose, email }: SignInAddress,
): Promise<void> {
  await trx
    .updateTable('sign_in_attempts')
    .set({ failures: sql<number>`failures - 1` })
    .where('purpose', '=', purpose)
    .where('email', '=', email)
    .execute()
}

/** When an address was last mailed only a link, if that was recently. */
interface LinkMailWindow {
  after: Date
  /** Ignores later times, which a clock that ran ahead has written. */
  before: Date
}

/** Claims the next mail with only a link; returns the time of the last one if it was too recent. */
export async function claimLinkMail(
  trx: Transaction<Database>,
  { purpose, email }: SignInAddress,
  { now, day, after, before }: LinkMailWindow & { now: Date; day: string },
): Promise<Date | undefined> {
  const claimed = await trx
    .insertInto('sign_in_attempts')
    .values({ purpose, email, day, link_mailed_at: now })
    .onConflict((on) =>
      on
        .constraint('sign_in_attempts_key')
        .doUpdateSet((eb) => ({ link_mailed_at: eb.ref('excluded.link_mailed_at') }))
        .where((eb) => {
          const last = 'sign_in_attempts.link_mailed_at'
          return eb.or([
            eb(last, 'is', null),
            eb(last, '<=', sql<string>`${after}`),
            eb(last, '>', sql<string>`${before}`),
          ])
        }),
    )
    .returning('email')
    .executeTakeFirst()
  if (claimed) return undefined
  const { mailedAt } = await trx
    .selectFrom('sign_in_attempts')
    .select('link_mailed_at as mailedAt')
    .where('purpose', '=', purpose)
    .where('email', '=', email)
    .executeTakeFirstOrThrow()
  return new Date(mailedAt!)
}

/** An address can have several live links: a stranger who requests another ends none. */
export async function insertSignInLink(
  trx: Transaction<Database>,
  { purpose, email }: SignInAddress,
  link: { tokenHash: Buffer; expiresAt: Date },
): Promise<void> {
  await trx
    .insertInto('sign_in_links')
    .values({ token_hash: link.tokenHash, purpose, email, expires_at: link.expiresAt })
    .execute()
}

/** The address that a live link signs in. */
export async function findSignInLink(
  db: Kysely<Database>,
  purpose: SignInPurpose,
  tokenHash: Buffer,
  now: Date,
): Promise<string | undefined> {
  const row = await db
    .selectFrom('sign_in_links')
    .select('email')
    .where('token_hash', '=', tokenHash)
    .where('purpose', '=', purpose)
    .where('expires_at', '>', sql<string>`${now}`)
    .executeTakeFirst()
  return row?.email
}

/** Uses up a live link; of concurrent calls, only one gets the address. */
export async function takeSignInLink(
  trx: Transaction<Database>,
  purpose: SignInPurpose,
  tokenHash: Buffer,
  now: Date,
): Promise<string | undefined> {
  const row = await trx
    .deleteFrom('sign_in_links')
    .where('token_hash', '=', tokenHash)
    .where('purpose', '=', purpose)
    .where('expires_at', '>', sql<string>`${now}`)
    .returning('email')
    .executeTakeFirst()
  return row?.email
}
