import { hashToken, newToken, tokenPrefix } from '../src/core/secrets.ts'
import type { Handler } from '../src/operation.ts'
import { insertKey, listKeys, revokeKey } from '../src/queries/keys.ts'

const day = 24 * 3600_000

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
