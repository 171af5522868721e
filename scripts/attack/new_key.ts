import type { Transaction } from 'kysely'
import { hashToken, newToken, tokenPrefix } from '../../src/core/secrets.ts'
import type { Database } from '../../src/db/schema.ts'
import { type Scope, scopes } from '../../src/generated/operations.ts'
import { insertKey } from '../../src/queries/agents/keys.ts'

/** Gives an account another key, with every scope. */
export async function newKey(trx: Transaction<Database>, accountId: string): Promise<string> {
  const now = new Date()
  const key = newToken('key', 'development')
  await insertKey(trx, accountId, {
    name: 'Key',
    scopes: Object.keys(scopes) as Scope[],
    prefix: tokenPrefix(key),
    keyHash: hashToken(key),
    now,
    expiresAt: new Date(now.getTime() + 3_600_000),
  })
  return key
}
