import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Kysely } from 'kysely'
import { hashToken, newToken, tokenPrefix } from './core/secrets.ts'
import type { Database } from './db/schema.ts'
import { createWorkspace } from './domain/workspaces.ts'
import { type Scope, scopes } from './generated/operations.ts'
import type { ServiceConfig } from './operation.ts'
import { ensureAccount, lockAndCheckEmpty } from './queries/accounts.ts'
import { insertKey } from './queries/keys.ts'

const keyDays = 365
const accountEmail = 'demo@example.com'

/** What `demo.json` holds: enough to make a first call. */
export interface Demo {
  baseUrl: string
  dashboardUrl: string
  adminUrl: string
  accountEmail: string
  workspaceId: string
  apiKey: string
}

/** Fills an empty development database, once, and leaves its key where the owner finds it. */
export async function seedDemo(db: Kysely<Database>, config: ServiceConfig): Promise<void> {
  const now = new Date()
  const apiKey = newToken('key', config.environment)
  const workspaceId = await db.transaction().execute(async (trx) => {
    if (!(await lockAndCheckEmpty(trx))) return undefined
    const account = await ensureAccount(trx, accountEmail, 'Demo')
    const workspace = await createWorkspace(
      trx,
      account.id,
      { name: 'Gül Kozmetik', subDomain: 'gul-kozmetik', templateKey: 'beauty' },
      now,
    )
    await insertKey(trx, account.id, {
      name: 'Demo key',
      scopes: Object.keys(scopes) as Scope[],
      prefix: tokenPrefix(apiKey),
      keyHash: hashToken(apiKey),
      now,
      expiresAt: new Date(now.getTime() + keyDays * 24 * 3600_000),
    })
    return workspace.id
  })
  if (workspaceId === undefined) return
  const { baseUrl, dashboardUrl, adminUrl } = config
  const demo: Demo = { baseUrl, dashboardUrl, adminUrl, accountEmail, workspaceId, apiKey }
  mkdirSync(config.dataDir, { recursive: true })
  writeFileSync(demoFile(config), `${JSON.stringify(demo, null, 2)}\n`, { mode: 0o600 })
}

export function readDemo(config: ServiceConfig): Demo | undefined {
  if (!existsSync(demoFile(config))) return undefined
  return JSON.parse(readFileSync(demoFile(config), 'utf8')) as Demo
}

function demoFile({ dataDir }: ServiceConfig): string {
  return join(dataDir, 'demo.json')
}
