import { Agent, createServer, get, type Server } from 'node:http'
import { rm } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import type { Kysely } from 'kysely'
import pg from 'pg'
import { handlers } from '../../handlers/index.ts'
import { outboxFolderMailer } from '../../src/adapters/mailer.ts'
import { createApp } from '../../src/app.ts'
import { readConfig } from '../../src/core/config.ts'
import { createLog } from '../../src/core/log.ts'
import { hashToken } from '../../src/core/secrets.ts'
import { connect } from '../../src/db/connect.ts'
import { startEmbeddedPostgres } from '../../src/db/embedded.ts'
import { migrate } from '../../src/db/migrate.ts'
import { readDemo, seedDemo } from '../../src/demo.ts'
import { cpuMicroseconds } from './cpu.ts'
import { makeDataFolder } from './data_folder.ts'

const runs = 4000
const agent = new Agent({ keepAlive: true, maxSockets: 1 })

/**
 * CPU of one authenticated read over a socket, client included, beside a floor: a bare node:http
 * server that runs the same two look-ups as prepared statements and sends the row.
 */
export async function benchCalls(): Promise<{ floor: number; service: number }> {
  const dataDir = await makeDataFolder()
  const postgres = await startEmbeddedPostgres({ dataDir })
  const connection = connect(postgres.url)
  const pool = new pg.Pool({ connectionString: postgres.url, max: 12 })
  const env = { DATA_DIR: dataDir, RATE_LIMIT_PER_MINUTE: '1000000' }
  const config = { ...readConfig(env), secretKey: 'only for measuring, never for serving' }
  await migrate(connection.db as unknown as Kysely<unknown>, config)
  await seedDemo(connection.db, config)
  const { apiKey, workspaceId } = readDemo(config)!
  const mailer = outboxFolderMailer(join(dataDir, 'outbox'))
  const app = await createApp({ config, connection, mailer, log: createLog('silent'), handlers })
  const bare = bareServer(pool, apiKey, workspaceId)
  const path = `/v1/workspaces/${workspaceId}/workspace`
  try {
    const [floorUrl, serviceUrl] = [await listen(bare), await listen(app.api.server)]
    return {
      floor: await cpuMicroseconds(runs, () => read(`${floorUrl}${path}`, apiKey)),
      service: await cpuMicroseconds(runs, () => read(`${serviceUrl}${path}`, apiKey)),
    }
  } finally {
    agent.destroy()
    bare.close()
    await app.close()
    await pool.end()
    await connection.close()
    await postgres.stop()
    await rm(dataDir, { recursive: true, force: true })
  }
}

function bareServer(pool: pg.Pool, apiKey: string, workspaceId: string): Server {
  const keyHash = hashToken(apiKey)
  const access = `select k.id, k.scopes, m.role from api_keys k
    join accounts a on a.id = k.account_id
    join integration_sources s on s.id = k.source_id
    left join members m on m.account_id = a.id and m.workspace_id = $2
    left join workspaces w on w.id = m.workspace_id
    where k.key_hash = $1`
  const read = `select w.*, s.template_key from workspaces w
    join websites s on s.workspace_id = w.id where w.id = $1`
  return createServer((_request, response) => {
    void (async () => {
      await pool.query({ name: 'access', text: access, values: [keyHash, workspaceId] })
      const { rows } = await pool.query({ name: 'read', text: read, values: [workspaceId] })
      response.setHeader('Content-Type', 'application/json').end(JSON.stringify(rows[0]))
    })()
  })
}

async function listen(server: Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

function read(url: string, apiKey: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const headers = { Authorization: `Bearer ${apiKey}` }
    get(url, { agent, headers }, (response) => {
      if (response.statusCode !== 200) reject(new Error(`${url} answered ${response.statusCode}`))
      response.resume().once('end', resolve)
    }).once('error', reject)
  })
}
