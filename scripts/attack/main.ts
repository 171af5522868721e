import { rm } from 'node:fs/promises'
import type { Kysely } from 'kysely'
import { readConfig } from '../../src/core/config.ts'
import { exampleOf } from '../../src/core/examples.ts'
import { hashToken, newToken, tokenPrefix } from '../../src/core/secrets.ts'
import { connect } from '../../src/db/connect.ts'
import { startEmbeddedPostgres } from '../../src/db/embedded.ts'
import { migrate } from '../../src/db/migrate.ts'
import type { Database } from '../../src/db/schema.ts'
import { createWorkspace } from '../../src/domain/site/workspaces.ts'
import { type Scope, scopes } from '../../src/generated/operations.ts'
import { insertKey } from '../../src/queries/agents/keys.ts'
import { insertProduct } from '../../src/queries/catalogue/products.ts'
import { ensureAccount } from '../../src/queries/people/accounts.ts'
import { insertAgent } from '../bench/agents.ts'
import { processMemory } from '../bench/cpu.ts'
import { makeDataFolder } from '../bench/data_folder.ts'
import { freePort, serviceFile, startSide } from '../bench/sides.ts'
import { build } from '../build.mjs'
import type { Scene, Target } from './attack.ts'
import { attacks } from './attacks.ts'
import { standBy } from './bystander.ts'

/*
 * npm run attack: what a cheap client can do to the others. Everything runs on loopback, against a
 * service of its own with a small heap, for about two minutes. Names as arguments select attacks.
 */

const heapMegabytes = 512
const products = 60

/** An account with a shop; the attacker's comes first, and its agent belongs to it. */
async function givenTarget(db: Kysely<Database>, name: string): Promise<Omit<Target, 'token'>> {
  const now = new Date()
  const apiKey = newToken('key', 'development')
  return db.transaction().execute(async (trx) => {
    const account = await ensureAccount(trx, `${name}@example.com`, name)
    const shop = { name, subDomain: `shop-of-${name}`, templateKey: 'minimal' } as const
    const { id } = await createWorkspace(trx, account.id, shop, now)
    await insertKey(trx, account.id, {
      name: 'Key',
      scopes: Object.keys(scopes) as Scope[],
      prefix: tokenPrefix(apiKey),
      keyHash: hashToken(apiKey),
      now,
      expiresAt: new Date(now.getTime() + 3_600_000),
    })
    const example = { ...exampleOf('ProductUpdate'), imageIds: [], tagIds: [] }
    for (let count = 0; count < products; count++) {
      const unique = { name: `Product ${count}`, sku: `sku ${count}`, barcode: `code ${count}` }
      await insertProduct(trx, id, { ...example, ...unique }, now)
    }
    return { workspaceId: id, apiKey }
  })
}

/** The most memory that a process had while the work ran, above what it had before. */
async function memoryOf(pid: number, work: () => Promise<unknown>): Promise<number> {
  const before = processMemory(pid)
  let most = before
  const timer = setInterval(() => (most = Math.max(most, processMemory(pid))), 50)
  try {
    await work()
  } finally {
    clearInterval(timer)
  }
  return most - before
}

async function attack(names: string[]): Promise<void> {
  await build()
  const dataDir = await makeDataFolder()
  const postgres = await startEmbeddedPostgres({ dataDir })
  const connection = connect(postgres.url, { max: 2, patient: true })
  const port = await freePort()
  const env = {
    PATH: process.env.PATH,
    DATABASE_URL: postgres.url,
    DATA_DIR: dataDir,
    API_PORT: String(port),
    BASE_URL: `http://127.0.0.1:${port}`,
    DASHBOARD_PORT: '0',
    ADMIN_PORT: '0',
    SEED_DEMO: 'false',
    RATE_LIMIT_PER_MINUTE: '1000000',
  }
  try {
    await migrate(connection.db as unknown as Kysely<unknown>, readConfig({}))
    const attacker = await givenTarget(connection.db, 'attacker')
    const token = await insertAgent(connection.db, `${env.BASE_URL}/mcp`)
    const other = await givenTarget(connection.db, 'other')
    const side = await startSide(port, [`--max-old-space-size=${heapMegabytes}`, serviceFile], env)
    const scene: Scene = {
      origin: side.origin,
      attacker: { ...attacker, token },
      db: connection.db,
      times: (full) => full,
    }
    const rows = []
    try {
      for (const { name, tried, run } of attacks) {
        if (names.length > 0 && !names.includes(name)) continue
        let outcome = { sent: 0, refused: 0 }
        let memory = 0
        const noticed = await standBy({ origin: side.origin, ...other }, async () => {
          memory = await memoryOf(side.pid, async () => (outcome = await run(scene)))
        })
        rows.push({
          attack: name,
          tried,
          sent: outcome.sent,
          refused: outcome.refused,
          'others: calls': noticed.calls,
          failed: noticed.failed,
          'p99 ms': noticed.p99,
          'worst ms': noticed.worst,
          'memory +MB': memory,
        })
      }
    } finally {
      console.table(rows)
      await side.stop()
    }
  } finally {
    await connection.close()
    await postgres.stop()
    await rm(dataDir, { recursive: true, force: true })
  }
}

await attack(process.argv.slice(2))
