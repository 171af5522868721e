import type { Kysely, Transaction } from 'kysely'
import type { Database } from '../../db/schema.ts'
import type { Scope } from '../../generated/operations.ts'

const grantColumns = [
  'grants.id as grantId',
  'grants.client_id as clientId',
  'grants.account_id as accountId',
  'grants.scopes',
  'grants.expires_at as grantExpiresAt',
  'grants.revoked_at as revokedAt',
  'grants.consent_version as consentVersion',
  'accounts.status as accountStatus',
  'integration_sources.status as sourceStatus',
] as const

export async function insertAuthorizationCode(
  trx: Transaction<Database>,
  code: {
    codeHash: Buffer
    grantId: string
    redirectUri: string
    codeChallenge: string
    expiresAt: Date
  },
): Promise<void> {
  await trx
    .insertInto('authorization_codes')
    .values({
      code_hash: code.codeHash,
      grant_id: code.grantId,
      redirect_uri: code.redirectUri,
      code_challenge: code.codeChallenge,
      expires_at: code.expiresAt,
    })
    .execute()
}

/** Locks the account of a code until the transaction ends. */
export async function holdAccountOfCode(
  trx: Transaction<Database>,
  codeHash: Buffer,
): Promise<void> {
  await trx
    .selectFrom('authorization_codes')
    .innerJoin('grants', 'grants.id', 'authorization_codes.grant_id')
    .innerJoin('accounts', 'accounts.id', 'grants.account_id')
    .select('accounts.id')
    .where('authorization_codes.code_hash', '=', codeHash)
    .forKeyShare('accounts')
    .execute()
}

/** Locks a code and its grant until the transaction ends: parallel exchanges queue here. */
export function lockAuthorizationCode(trx: Transaction<Database>, codeHash: Buffer) {
  return trx
    .selectFrom('authorization_codes')
    .innerJoin('grants', 'grants.id', 'authorization_codes.grant_id')
    .innerJoin('accounts', 'accounts.id', 'grants.account_id')
    .innerJoin('integration_sources', 'integration_sources.id', 'grants.source_id')
    .select(grantColumns)
    .select([
      'authorization_codes.redirect_uri as redirectUri',
      'authorization_codes.code_challenge as codeChallenge',
      'authorization_codes.expires_at as expiresAt',
      'authorization_codes.consumed_at as consumedAt',
    ])
    .where('authorization_codes.code_hash', '=', codeHash)
    .forUpdate(['authorization_codes', 'grants'])
    .executeTakeFirst()
}

export async function consumeAuthorizationCode(
  trx: Transaction<Database>,
  codeHash: Buffer,
  now: Date,
): Promise<void> {
  await trx
    .updateTable('authorization_codes')
    .set({ consumed_at: now })
    .where('code_hash', '=', codeHash)
    .execute()
}

/**
 * Locks a refresh token and its grant until the transaction ends: parallel rotations queue here.
 */
export function lockRefreshToken(trx: Transaction<Database>, tokenHash: Buffer) {
  return trx
    .selectFrom('refresh_tokens')
    .innerJoin('grants', 'grants.id', 'refresh_tokens.grant_id')
    .innerJoin('accounts', 'accounts.id', 'grants.account_id')
    .innerJoin('integration_sources', 'integration_sources.id', 'grants.source_id')
    .select(grantColumns)
    .select(['refresh_tokens.consumed_at as consumedAt', 'refresh_tokens.successor_seed as seed'])
    .where('refresh_tokens.token_hash', '=', tokenHash)
    .forUpdate(['refresh_tokens', 'grants'])
    .executeTakeFirst()
}

/** Marks a locked, unused token as used, with the seed of its successor. */
/** Whether a refresh token, of any client, has not been used yet. */
export async function isUnused(db: Kysely<Database>, tokenHash: Buffer): Promise<boolean> {
  const token = await db
    .selectFrom('refresh_tokens')
    .select('token_hash')
    .where('token_hash', '=', tokenHash)
    .where('consumed_at', 'is', null)
    .executeTakeFirst()
  return token !== undefined
}

export async function consumeRefreshToken(
  trx: Transaction<Database>,
  tokenHash: Buffer,
  { seed, now }: { seed: Buffer; now: Date },
): Promise<void> {
  await trx
    .updateTable('refresh_tokens')
    .set({ consumed_at: now, successor_seed: seed })
    .where('token_hash', '=', tokenHash)
    .execute()
}

/** Stores a token, unless a parallel refresh has stored it already. */
export async function insertAccessToken(
  trx: Transaction<Database>,
  token: { tokenHash: Buffer; grantId: string; scopes: Scope[]; expiresAt: Date },
): Promise<void> {
  await trx
    .insertInto('access_tokens')
    .values({
      token_hash: token.tokenHash,
      grant_id: token.grantId,
      scopes: token.scopes,
      expires_at: token.expiresAt,
    })
    .onConflict((on) => on.column('token_hash').doNothing())
    .execute()
}

export async function insertRefreshToken(
  trx: Transaction<Database>,
  token: { tokenHash: Buffer; grantId: string },
): Promise<void> {
  await trx
    .insertInto('refresh_tokens')
    .values({ token_hash: token.tokenHash, grant_id: token.grantId })
    .onConflict((on) => on.column('token_hash').doNothing())
    .execute()
}

/** This client's grant for a token of either kind. */
export async function findGrantOfToken(
  db: Kysely<Database>,
  { tokenHash, clientId }: { tokenHash: Buffer; clientId: string },
): Promise<string | undefined> {
  const grant = await db
    .selectFrom('grants')
    .select('id')
    .where('client_id', '=', clientId)
    .where('id', 'in', grantsOfToken(db, tokenHash))
    .executeTakeFirst()
  return grant?.id
}

/** This client's grant for a code, used or not, or a token of either kind. */
export async function findGrantOfSecret(
  db: Kysely<Database>,
  { secretHash, clientId }: { secretHash: Buffer; clientId: string },
): Promise<string | undefined> {
  const codes = db
    .selectFrom('authorization_codes')
    .select('grant_id')
    .where('code_hash', '=', secretHash)
  const grant = await db
    .selectFrom('grants')
    .select('id')
    .where('client_id', '=', clientId)
    .where('id', 'in', codes.unionAll(grantsOfToken(db, secretHash)))
    .executeTakeFirst()
  return grant?.id
}

function grantsOfToken(db: Kysely<Database>, tokenHash: Buffer) {
  return db
    .selectFrom('refresh_tokens')
    .select('grant_id')
    .where('token_hash', '=', tokenHash)
    .unionAll(db.selectFrom('access_tokens').select('grant_id').where('token_hash', '=', tokenHash))
}
