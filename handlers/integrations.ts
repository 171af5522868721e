import { hashToken, newToken, tokenPrefix } from '../src/core/secrets.ts'
import { day } from '../src/core/time.ts'
import { decideConsent, readConsentRequest } from '../src/oauth/consent.ts'
import type { Handler } from '../src/operation.ts'
import { getAccount } from '../src/queries/people/accounts.ts'
import { listConnections, revokeConnection } from '../src/queries/agents/grants.ts'
import { insertKey, listKeys, revokeKey } from '../src/queries/agents/keys.ts'

export const list_keys: Handler<'list_keys'> = async (_input, { db, accountId }) => ({
  keys: await listKeys(db, accountId),
})

export const create_key: Handler<'create_key'> = async ({ body }, caller) => {
  const { accountId, config, now, transaction } = caller
  const key = newToken('key', config.environment)
  const created = await transaction((trx) =>
    insertKey(trx, accountId, {
      name: body.name,
      scopes: body.scopes,
      prefix: tokenPrefix(key),
      keyHash: hashToken(key),
      now,
      expiresAt: new Date(now.getTime() + body.expiresInDays * day),
    }),
  )
  return { ...created, key }
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
  const asking = { requestId: path.requestId, accountId, now }
  return { redirectTo: await decideConsent(db, asking, body, config.baseUrl) }
}
