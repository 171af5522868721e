import type { Transaction } from 'kysely'
import { ApiError, invalidInput } from '../src/core/errors.ts'
import { paginationOf } from '../src/core/paging.ts'
import { rateLimits } from '../src/core/rate_limits.ts'
import { hashToken, newToken, tokenPrefix } from '../src/core/secrets.ts'
import { day } from '../src/core/time.ts'
import { decideConsent, readConsentRequest } from '../src/oauth/consent.ts'
import { requireOrigins } from '../src/domain/site/embedding.ts'
import { newKeyMail } from '../src/domain/upkeep/mail_texts.ts'
import type { Database } from '../src/db/schema.ts'
import type { Scope } from '../src/generated/operations.ts'
import type { Handler } from '../src/operation.ts'
import { getAccount, lockAccount } from '../src/queries/people/accounts.ts'
import { listConnections, revokeConnection } from '../src/queries/agents/grants.ts'
import {
  countLiveKeys,
  insertKey,
  listKeys,
  revokeKey,
  revokeTrials,
} from '../src/queries/agents/keys.ts'
import {
  countPublishableKeys,
  insertPublishableKey,
  listPublishableKeys,
  revokePublishableKey,
} from '../src/queries/agents/publishable_keys.ts'
import { listOwnedNames, lockWorkspace } from '../src/queries/people/workspaces.ts'
import { bestLanguage } from '../src/texts/languages.ts'

/** Keys of an account that are neither expired nor revoked. */
const maxLiveKeys = 100

/** What a visitor needs; none of it manages anything. */
const trialScopes: Scope[] = ['storefront:read', 'visitors:write', 'ai:write']
const trialName = 'Chat trial'

export const list_keys: Handler<'list_keys'> = async ({ query }, caller) => {
  const { keys, total } = await listKeys(caller.db, caller.accountId, query, caller.now)
  return { keys, pagination: paginationOf(query.page, query.pageSize, total) }
}

export const create_key: Handler<'create_key'> = async ({ body }, caller) => {
  const { accountId, config, now, transaction } = caller
  await caller.consume(rateLimits.keysOfAccount, accountId)
  const key = newToken('key', config.environment)
  const created = await transaction(async (trx) => {
    const { email, language } = await lockAccount(trx, accountId)
    if ((await countLiveKeys(trx, accountId, now)) >= maxLiveKeys)
      throw new ApiError('key_limit_reached', ['keyLimit', { count: maxLiveKeys }])
    await caller.sendMail(trx, {
      ...newKeyMail(bestLanguage([language]), body.name),
      to: email,
      sender: accountId,
    })
    return insertKey(trx, accountId, {
      name: body.name,
      scopes: body.scopes,
      prefix: tokenPrefix(key),
      keyHash: hashToken(key),
      now,
      expiresAt: new Date(now.getTime() + body.expiresInDays * day),
    })
  })
  return { ...created, key }
}

/** No mail tells of a trial: its key manages nothing and ends with the day. */
export const start_trial: Handler<'start_trial'> = async ({ body }, caller) => {
  const { accountId, config, now, transaction } = caller
  await caller.consume(rateLimits.keysOfAccount, accountId)
  const key = newToken('key', config.environment)
  const { id, expiresAt } = await transaction(async (trx) => {
    // Of two trials that start at once, one remains.
    await lockAccount(trx, accountId)
    const trialOf = await ownedWorkspace(trx, accountId, body?.workspaceId)
    await revokeTrials(trx, accountId, now)
    return insertKey(trx, accountId, {
      name: trialName,
      scopes: trialScopes,
      prefix: tokenPrefix(key),
      keyHash: hashToken(key),
      trialOf,
      now,
      expiresAt: new Date(now.getTime() + day),
    })
  })
  return { id, key, expiresAt }
}

/** The workspace that is tried: of an account with a single one, that one. */
async function ownedWorkspace(
  trx: Transaction<Database>,
  accountId: string,
  workspaceId: string | undefined,
): Promise<string> {
  const owned = (await listOwnedNames(trx, accountId)).map(({ id }) => id)
  if (workspaceId === undefined && owned.length > 1) throw invalidInput({ workspaceId: 'required' })
  const [only] = owned
  const tried = workspaceId ?? only
  // A key acts for an owner, and a trial spends the workspace's credits.
  if (tried === undefined || !owned.includes(tried))
    throw new ApiError('not_owner', 'trialNeedsOwner')
  return tried
}

export const revoke_key: Handler<'revoke_key'> = async ({ path }, { db, accountId, now }) => {
  await revokeKey(db, accountId, path.id, now)
  return { id: path.id, deleted: true }
}

export const list_connections: Handler<'list_connections'> = async (_input, { db, accountId }) => ({
  connections: await listConnections(db, accountId),
})

export const revoke_connection: Handler<'revoke_connection'> = async ({ path }, caller) => {
  await revokeConnection(caller.db, caller.accountId, path.id, caller.now)
  return { id: path.id, deleted: true }
}

export const get_consent_request: Handler<'get_consent_request'> = async ({ path }, caller) => {
  const { db, accountId, now } = caller
  const request = await readConsentRequest(db, { requestId: path.requestId, accountId, now })
  const { email } = await getAccount(db, accountId)
  return { ...request, accountEmail: email }
}

export const decide_consent: Handler<'decide_consent'> = async ({ path, body }, caller) => {
  const { db, accountId, now, config } = caller
  const request = { requestId: path.requestId, accountId, now }
  return { redirectTo: await decideConsent(db, request, body, config.baseUrl) }
}

/** Publishable keys of a workspace that are not revoked. */
const maxPublishableKeys = 20

export const list_publishable_keys: Handler<'list_publishable_keys'> = async (
  { path, query },
  { db },
) => {
  const { publishableKeys, total } = await listPublishableKeys(db, path.workspaceId, query)
  return { publishableKeys, pagination: paginationOf(query.page, query.pageSize, total) }
}

export const create_publishable_key: Handler<'create_publishable_key'> = async (
  { path, body },
  { config, now, transaction },
) => {
  const { workspaceId } = path
  requireOrigins('origins', body.origins, config.environment)
  const key = newToken('publishableKey', config.environment)
  return transaction(async (trx) => {
    await lockWorkspace(trx, workspaceId)
    if ((await countPublishableKeys(trx, workspaceId)) >= maxPublishableKeys)
      throw new ApiError('key_limit_reached', [
        'publishableKeyLimit',
        { count: maxPublishableKeys },
      ])
    return insertPublishableKey(trx, workspaceId, { ...body, key, now })
  })
}

export const revoke_publishable_key: Handler<'revoke_publishable_key'> = async (
  { path },
  { db, now },
) => {
  await revokePublishableKey(db, path.workspaceId, path.id, now)
  return { id: path.id, deleted: true }
}
