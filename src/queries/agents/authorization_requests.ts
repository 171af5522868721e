import { type Kysely, sql, type Transaction } from 'kysely'
import type { Database } from '../../db/schema.ts'
import type { Scope } from '../../generated/operations.ts'

interface NewAuthorizationRequest {
  idHash: Buffer
  browserHash: Buffer
  clientId: string
  redirectUri: string
  state: string | undefined
  codeChallenge: string
  scopes: Scope[]
  expiresAt: Date
}

export async function insertAuthorizationRequest(
  db: Kysely<Database>,
  request: NewAuthorizationRequest,
): Promise<void> {
  await db
    .insertInto('authorization_requests')
    .values({
      id_hash: request.idHash,
      browser_hash: request.browserHash,
      client_id: request.clientId,
      redirect_uri: request.redirectUri,
      state: request.state ?? null,
      code_challenge: request.codeChallenge,
      scopes: request.scopes,
      expires_at: request.expiresAt,
    })
    .execute()
}

/** An open request that is undecided or was decided by this account, with its client. */
export function findAuthorizationRequest(
  db: Kysely<Database>,
  { idHash, accountId, now }: { idHash: Buffer; accountId: string; now: Date },
) {
  return db
    .selectFrom('authorization_requests as request')
    .innerJoin('oauth_clients as client', 'client.id', 'request.client_id')
    .innerJoin('integration_sources as source', 'source.id', 'client.source_id')
    .select([
      'client.id as clientId',
      'client.metadata',
      'source.name as sourceName',
      'source.status as sourceStatus',
      'request.redirect_uri as redirectUri',
      'request.scopes',
      'request.asks_first as asksFirst',
      'request.expires_at as expiresAt',
    ])
    .where('request.id_hash', '=', idHash)
    .where('request.expires_at', '>', sql<string>`${now}`)
    .where((where) =>
      where.or([
        where('request.account_id', 'is', null),
        where('request.account_id', '=', accountId),
      ]),
    )
    .executeTakeFirst()
}

/** The client of an open request, for a person who has not signed in yet. */
export function findRequestingClient(
  db: Kysely<Database>,
  { idHash, now }: { idHash: Buffer; now: Date },
) {
  return db
    .selectFrom('authorization_requests as request')
    .innerJoin('oauth_clients as client', 'client.id', 'request.client_id')
    .innerJoin('integration_sources as source', 'source.id', 'client.source_id')
    .select(['client.metadata', 'source.name as sourceName'])
    .where('request.id_hash', '=', idHash)
    .where('request.expires_at', '>', sql<string>`${now}`)
    .executeTakeFirst()
}

/**
 * Records an account's decision. Only the first account to decide can; deciding again replaces the
 * ticket. Returns whether it was recorded.
 */
export async function decideAuthorizationRequest(
  db: Kysely<Database>,
  { idHash, now }: { idHash: Buffer; now: Date },
  decision: {
    accountId: string
    /** Empty: the request is denied. */
    grantedScopes: Scope[]
    onlyWorkspaceId: string | null
    asksFirst: boolean
    ticketHash: Buffer
    ticketExpiresAt: Date
  },
): Promise<boolean> {
  const result = await db
    .updateTable('authorization_requests')
    .set({
      account_id: decision.accountId,
      granted_scopes: decision.grantedScopes,
      only_workspace_id: decision.onlyWorkspaceId,
      asks_first: decision.asksFirst,
      ticket_hash: decision.ticketHash,
      ticket_expires_at: decision.ticketExpiresAt,
    })
    .where('id_hash', '=', idHash)
    .where('expires_at', '>', sql<string>`${now}`)
    .where((where) =>
      where.or([where('account_id', 'is', null), where('account_id', '=', decision.accountId)]),
    )
    .executeTakeFirst()
  return result.numUpdatedRows === 1n
}

/** Locks the account that has decided on a request, until the transaction ends. */
export async function holdDecider(trx: Transaction<Database>, idHash: Buffer): Promise<void> {
  await trx
    .selectFrom('authorization_requests as request')
    .innerJoin('accounts as account', 'account.id', 'request.account_id')
    .select('account.id')
    .where('request.id_hash', '=', idHash)
    .forKeyShare('account')
    .execute()
}

/** Deletes and returns a decided request; of parallel attempts with one ticket, only one gets it. */
export function takeAuthorizationRequest(
  trx: Transaction<Database>,
  {
    idHash,
    browserHash,
    ticketHash,
    now,
  }: { idHash: Buffer; browserHash: Buffer; ticketHash: Buffer; now: Date },
) {
  return trx
    .deleteFrom('authorization_requests')
    .where('id_hash', '=', idHash)
    .where('browser_hash', '=', browserHash)
    .where('ticket_hash', '=', ticketHash)
    .where('ticket_expires_at', '>', sql<string>`${now}`)
    .returning([
      'client_id as clientId',
      'redirect_uri as redirectUri',
      'state',
      'code_challenge as codeChallenge',
      'scopes',
      'account_id as accountId',
      'granted_scopes as grantedScopes',
      'only_workspace_id as onlyWorkspaceId',
      'asks_first as asksFirst',
    ])
    .executeTakeFirst()
}

/** Deletes the account's decided requests that no agent has completed. */
export async function deleteRequestsOf(
  trx: Transaction<Database>,
  accountId: string,
): Promise<void> {
  await trx.deleteFrom('authorization_requests').where('account_id', '=', accountId).execute()
}
