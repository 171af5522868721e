import { once } from 'node:events'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import type { Kysely, Transaction } from 'kysely'
import { handlers } from '../../handlers/index.ts'
import type { Mailer, OutgoingMail } from '../../src/adapters/mailer.ts'
import { diskMediaStore } from '../../src/adapters/media_store.ts'
import { createApp } from '../../src/app.ts'
import { readConfig } from '../../src/settings/config.ts'
import { createLog } from '../../src/core/log.ts'
import { connect, type Connection } from '../../src/db/connect.ts'
import { startEmbeddedPostgres } from '../../src/db/embedded.ts'
import { migrate } from '../../src/db/migrate.ts'
import type { Database } from '../../src/db/schema.ts'
import { type Demo, readDemo, seedDemo } from '../../src/demo/demo.ts'

const origins = ['api', 'dashboard', 'admin'] as const
type OriginName = (typeof origins)[number]

export interface Request {
  origin?: OriginName
  method?: 'GET' | 'POST' | 'PUT' | 'DELETE'
  path: string
  headers?: Record<string, string>
  body?: object | Buffer
}

/** The whole service with the demo in it, and a clock that the script moves. */
export interface ReleaseService {
  connection: Connection
  demo: Demo
  secretKey: string
  /** Sends a request; throws unless it succeeds. */
  call<Answer>(request: Request): Promise<Answer>
  write<T>(work: (trx: Transaction<Database>) => Promise<T>): Promise<T>
  now(): Date
  setClock(time: Date): void
  /** The six-digit code in the newest mail to an address. */
  codeFor(email: string): Promise<string>
  stop(): Promise<void>
}

const secrets = {
  secretKey: 'a secret of the release dump, long enough',
  webhookSecret: 'whsec_of_the_release_dump',
}

export async function startReleaseService(dataDir: string): Promise<ReleaseService> {
  const settings = { DATA_DIR: dataDir, RATE_LIMIT_PER_MINUTE: '1000000' }
  const config = { ...readConfig(settings), ...secrets }
  const postgres = await startEmbeddedPostgres({ dataDir })
  const connection = connect(postgres.url, { baseUrl: config.baseUrl })
  const { db } = connection
  const mediaStore = diskMediaStore(join(dataDir, 'media'))
  await migrate(db as unknown as Kysely<unknown>, config)
  await seedDemo(db, config, mediaStore)
  const mails: OutgoingMail[] = []
  const mailer: Mailer = {
    send: (mail) => Promise.resolve(void mails.push(mail)),
    close: () => undefined,
  }
  let now = new Date()
  const app = await createApp({
    config,
    connection,
    mailer,
    mediaStore,
    handlers,
    log: createLog('silent', { write: () => undefined }),
    clock: () => now,
  })
  const ports = {
    api: await listen(app.api.server),
    dashboard: await listen(app.dashboard.server),
    admin: await listen(app.admin.server),
  }
  const publicUrls = { api: '', dashboard: config.dashboardUrl, admin: config.adminUrl }

  async function call<Answer>(request: Request): Promise<Answer> {
    const { origin = 'api', method = 'POST', path, headers = {}, body } = request
    const answer = await fetch(`http://127.0.0.1:${ports[origin]}${path}`, {
      method,
      headers: {
        ...(publicUrls[origin] ? { Origin: publicUrls[origin] } : {}),
        ...(body && !Buffer.isBuffer(body) ? { 'Content-Type': 'application/json' } : {}),
        ...headers,
      },
      ...(body ? { body: Buffer.isBuffer(body) ? body : JSON.stringify(body) } : {}),
    })
    const text = await answer.text()
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`)
    return (text === '' ? undefined : JSON.parse(text)) as Answer
  }

  return {
    connection,
    demo: readDemo(config)!,
    secretKey: config.secretKey,
    call,
    write: (work) => db.transaction().execute(work),
    now: () => now,
    setClock: (time) => {
      now = time
    },
    async codeFor(email) {
      await app.outbox.flush()
      const code = mails.findLast(({ to }) => to === email)?.text.match(/\b\d{6}\b/)?.[0]
      if (!code) throw new Error(`No code was mailed to ${email}.`)
      return code
    },
    async stop() {
      await app.close()
      await connection.close()
      await postgres.stop()
    },
  }
}

async function listen(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return (server.address() as AddressInfo).port
}
