import { mkdtempSync } from 'node:fs'
import { Agent } from 'node:http'
import { join } from 'node:path'
import type { AddressInfo } from 'node:net'
import type { Transaction } from 'kysely'
import request, { type Test } from 'supertest'
import { inject } from 'vitest'
import { handlers } from '../../handlers/index.ts'
import { altchaChallenge, type BotChallenge, type Spend } from '../../src/adapters/bot_challenge.ts'
import { type Mailer, outboxFolderMailer } from '../../src/adapters/mailer.ts'
import { diskMediaStore, type MediaStore } from '../../src/adapters/media_store.ts'
import type { Payments } from '../../src/adapters/payments.ts'
import type { PublicDownload } from '../../src/adapters/public_download.ts'
import { type PublicFetch, PublicFetchError } from '../../src/adapters/public_fetch.ts'
import type { WebhookPost } from '../../src/adapters/webhook_post.ts'
import { type App, createApp } from '../../src/app.ts'
import { consentVersion } from '../../src/access/tokens.ts'
import { readConfig } from '../../src/settings/config.ts'
import { newId } from '../../src/core/ids.ts'
import { createLog } from '../../src/core/log.ts'
import { hashToken, newToken, tokenPrefix } from '../../src/core/secrets.ts'
import { connect, type Connection } from '../../src/db/connect.ts'
import type { Database } from '../../src/db/schema.ts'
import { sessionMilliseconds } from '../../src/domain/people/sessions.ts'
import { openReplica } from '../../src/domain/upkeep/replica.ts'
import { createWorkspace } from '../../src/domain/site/workspaces.ts'
import { type Scope, scopes } from '../../src/generated/operations.ts'
import type { components } from '../../src/generated/types.ts'
import type { Handlers, ServiceConfig } from '../../src/operation.ts'
import { insertKey } from '../../src/queries/agents/keys.ts'
import { insertSpentChallenge } from '../../src/queries/site/spent_challenges.ts'
import { defaultLanguage } from '../../src/texts/languages.ts'
import { contractViolations } from '../every_operation/contract_answers.ts'
import { createDatabase } from './database.ts'
import { ownAddresses } from './free_ports.ts'
import { type Mail, mailsIn } from './peers/mailbox.ts'
import { pictureDownloads } from './peers/picture_host.ts'

type Workspace = components['schemas']['Workspace']
type Method = 'get' | 'post' | 'put' | 'patch' | 'delete'

export const allScopes = Object.keys(scopes) as Scope[]

/** A person with an account, signed in to the dashboard. */
export interface Person {
  accountId: string
  email: string
  cookie: string
}

/** A staff member, signed in to administration. */
export interface StaffMember {
  email: string
  cookie: string
}

/** The addresses that the world reaches. */
export function originsOf({ urls: { api, dashboard, admin, site } }: TestService): string[] {
  return [api, dashboard, admin, site]
}

/** One caller's requests; each returns a supertest Test. */
export type Client = Record<Method, (path: string) => Test>

export interface TestService {
  app: App
  config: ServiceConfig
  connection: Connection
  db: Connection['db']
  /** Address of each origin's server. */
  urls: { api: string; dashboard: string; admin: string; site: string; ask: string }
  /** The parsed log lines. */
  logged(): Record<string, unknown>[]
  /** Advances the service's clock, which otherwise stands still. */
  advance(milliseconds: number): void
  now(): Date
  api(key?: string): Client
  /** Sends the dashboard's Origin header; override it to test that another origin is refused. */
  dashboard(person?: Pick<Person, 'cookie'>): Client
  /** Sends the administration's Origin header. */
  admin(staff?: Pick<StaffMember, 'cookie'>): Client
  /** Mails sent to an address, oldest first. */
  mailsTo(email: string): Promise<Mail[]>
  /** The six-digit code in the newest mail to an address. */
  codeFor(email: string): Promise<string>
  givenPerson(options?: { email?: string; workspaceLimit?: number }): Promise<Person>
  givenStaff(options?: { email?: string }): Promise<StaffMember>
  givenWorkspace(owner: Person, options?: { templateKey?: string }): Promise<Workspace>
  givenKey(
    owner: Person,
    options?: { scopes?: Scope[]; expiresInDays?: number; name?: string },
  ): Promise<{ id: string; key: string }>
  /** An agent with an access token for these scopes of the owner; all by default. */
  givenAgent(
    owner: Person,
    options?: { scopes?: Scope[]; name?: string; asksFirst?: boolean },
  ): Promise<{ grantId: string; sourceId: string; token: string }>
  /** Stops everything; throws if any answer of the service violated the contract. */
  close(): Promise<void>
}

/**
 * Consecutive calls share a connection, as in most programs. One that has been idle is given up long before the
 * service closes it, or the next call could go out while it does.
 */
export const keepAliveAgent = new Agent({ keepAlive: true, timeout: 20_000 })

let counter = 0

/** A name that is unique in this process. */
export function unique(prefix: string): string {
  return `${prefix}-${process.pid.toString(36)}-${(counter++).toString(36)}`
}

/** Tests have no name server. */
const unreachable: WebhookPost = () =>
  Promise.reject(new PublicFetchError('The host could not be reached.'))
const usual = { RATE_LIMIT_PER_MINUTE: '1000000', DNS_SERVERS: '127.0.0.1:1' }

/** Services that share a database deliver each other's mails, so they share an outbox folder. */
const outboxes = new Map<string, string>()

/** The whole service on its own database, over real HTTP, with a clock controlled by the test. */
export async function startService(
  options: {
    env?: Record<string, string>
    handlers?: Partial<Handlers>
    botChallenge?: BotChallenge
    /** Replaces the built-in payment provider. */
    payments?: Payments
    /** Fetches client metadata documents. */
    publicFetch?: PublicFetch
    /** Fetches pictures; by default from a host on loopback. */
    publicDownload?: PublicDownload
    /** Posts to webhooks; by default no receiver can be reached. */
    webhookPost?: WebhookPost
    /** Replaces the passing of time between the steps of a call; by default none passes. */
    pause?: (milliseconds: number) => Promise<void>
    /** A database shared by several services; by default the service has its own. */
    databaseUrl?: string
    /** By default mails are written to a folder, where `mailsTo` finds them. */
    mailer?: Mailer
    /** By default media are kept in a folder. */
    mediaStore?: MediaStore
    /** How long a call waits for a database connection; many concurrent calls need more. */
    waitMilliseconds?: number
    /** Uses the addresses it listens on as its public ones, for clients that follow them. */
    atOwnAddress?: boolean
  } = {},
): Promise<TestService> {
  const database = options.databaseUrl ? undefined : await createDatabase()
  const databaseUrl = database?.url ?? options.databaseUrl ?? ''
  const dataDir = mkdtempSync(join(inject('scratchFolder'), 'service-'))
  const outbox = outboxes.get(databaseUrl) ?? join(dataDir, 'outbox')
  outboxes.set(databaseUrl, outbox)
  const own = options.atOwnAddress ? await ownAddresses() : {}
  const env = { DATA_DIR: dataDir, ...usual, ...own, ...options.env }
  const secrets = {
    secretKey: 'a secret of the tests, long enough',
    webhookSecret: 'whsec_a_secret_of_the_tests',
  }
  const config = { ...readConfig(env), ...secrets }
  const { waitMilliseconds } = options
  const connection = connect(databaseUrl, {
    baseUrl: config.baseUrl,
    ...(waitMilliseconds ? { waitMilliseconds } : {}),
  })
  const lines: string[] = []
  const parsed: Record<string, unknown>[] = []
  const log = createLog('info', { write: (line) => void lines.push(line) })
  const violations: string[] = []
  let now = new Date()
  const pictures = pictureDownloads()
  const { baseUrl, databaseReplicaUrl: url } = config
  const replica = url ? openReplica(connection, { url, log, baseUrl }) : undefined
  const app = await createApp({
    config,
    connection,
    replica,
    log,
    clock: () => now,
    mailer: options.mailer ?? outboxFolderMailer(outbox),
    mediaStore: options.mediaStore ?? diskMediaStore(join(dataDir, 'media')),
    pause: options.pause ?? (() => Promise.resolve()),
    handlers: { ...handlers, ...options.handlers },
    ...(config.challenge && !options.botChallenge
      ? {}
      : { botChallenge: options.botChallenge ?? easyChallenge(config, connection) }),
    ...(options.payments ? { payments: options.payments } : {}),
    ...(options.publicFetch ? { publicFetch: options.publicFetch } : {}),
    publicDownload: options.publicDownload ?? pictures.download,
    webhookPost: options.webhookPost ?? unreachable,
    observe: (id, answer) => violations.push(...contractViolations(id, answer)),
  })
  const urls = {
    api: await listen(app.api.server, own.API_PORT),
    dashboard: await listen(app.dashboard.server, own.DASHBOARD_PORT),
    admin: await listen(app.admin.server, own.ADMIN_PORT),
    site: app.site ? await listen(app.site.server, own.SITE_PORT) : '',
    ask: app.certificates ? await listen(app.certificates) : '',
  }
  const { db } = connection
  const write = <T>(work: (trx: Transaction<Database>) => Promise<T>) =>
    db.transaction().execute(work)

  async function mailsTo(email: string) {
    await app.outbox.flush()
    while (await isPending(db, email)) await app.outbox.flush()
    return mailsIn(outbox).filter(({ to }) => to === email)
  }

  return {
    app,
    config,
    connection,
    db,
    urls,
    mailsTo,
    logged: () => {
      for (const line of lines.splice(0)) parsed.push(JSON.parse(line) as Record<string, unknown>)
      return [...parsed]
    },
    advance: (milliseconds) => {
      now = new Date(now.getTime() + milliseconds)
    },
    now: () => now,
    api: (key) => client(urls.api, key ? { Authorization: `Bearer ${key}` } : {}),
    dashboard: (person) =>
      client(urls.dashboard, {
        Origin: config.dashboardUrl,
        ...(person ? { Cookie: person.cookie } : {}),
      }),
    admin: (staff) =>
      client(urls.admin, {
        Origin: config.adminUrl,
        ...(staff ? { Cookie: staff.cookie } : {}),
      }),
    async codeFor(email) {
      const code = (await mailsTo(email)).at(-1)?.text.match(/\b\d{6}\b/)?.[0]
      if (!code) throw new Error(`No code was mailed to ${email}.`)
      return code
    },
    async givenPerson({ email = `${unique('person')}@example.com`, workspaceLimit = 10 } = {}) {
      const account = await db
        .insertInto('accounts')
        .values({
          id: newId('acc'),
          email,
          name: 'A person',
          phone: null,
          language: defaultLanguage,
          workspace_limit: workspaceLimit,
        })
        .onConflict((on) => on.column('email').doUpdateSet({ workspace_limit: workspaceLimit }))
        .returning(['id', 'status'])
        .executeTakeFirstOrThrow()
      if (account.status !== 'ACTIVE') throw new Error('The account is suspended.')
      const token = newToken('dashboardSession', config.environment)
      await db
        .insertInto('dashboard_sessions')
        .values({
          id: newId('ses'),
          account_id: account.id,
          token_hash: hashToken(token),
          expires_at: new Date(now.getTime() + sessionMilliseconds),
        })
        .execute()
      return { accountId: account.id, email, cookie: `vitrine_session=${token}` }
    },
    async givenStaff({ email = `${unique('staff')}@example.com` } = {}) {
      const { id } = await db
        .insertInto('staff')
        .values({ id: newId('stf'), email, created_at: now })
        .onConflict((on) => on.column('email').doUpdateSet({ email }))
        .returning('id')
        .executeTakeFirstOrThrow()
      const token = newToken('staffSession', config.environment)
      await db
        .insertInto('staff_sessions')
        .values({
          id: newId('ses'),
          staff_id: id,
          token_hash: hashToken(token),
          created_at: now,
          expires_at: new Date(now.getTime() + 12 * 3600_000),
        })
        .execute()
      return { email, cookie: `vitrine_staff=${token}` }
    },
    givenWorkspace: (owner, { templateKey = 'minimal' } = {}) =>
      write((trx) =>
        createWorkspace(
          trx,
          owner.accountId,
          { name: 'A workspace', subDomain: unique('ws'), templateKey, phone: '+905551234567' },
          now,
        ),
      ),
    async givenKey(owner, { scopes: keyScopes = allScopes, expiresInDays = 30, name } = {}) {
      const key = newToken('key', config.environment)
      const { id } = await write((trx) =>
        insertKey(trx, owner.accountId, {
          name: name ?? unique('key'),
          scopes: keyScopes,
          prefix: tokenPrefix(key),
          keyHash: hashToken(key),
          now,
          expiresAt: new Date(now.getTime() + expiresInDays * 24 * 3600_000),
        }),
      )
      return { id, key }
    },
    async givenAgent(owner, options = {}) {
      const { scopes: agentScopes = allScopes, name = unique('agent'), asksFirst = false } = options
      const token = newToken('accessToken', config.environment)
      const [sourceId, clientId, grantId] = [newId('src'), newId('client'), newId('grant')]
      await write(async (trx) => {
        const source = { id: sourceId, kind: 'AGENT' as const, identity: name, name }
        await trx.insertInto('integration_sources').values(source).execute()
        const client = { id: clientId, source_id: sourceId, metadata: '{}', created_at: now }
        await trx.insertInto('oauth_clients').values(client).execute()
        await trx
          .insertInto('grants')
          .values({
            id: grantId,
            account_id: owner.accountId,
            client_id: clientId,
            source_id: sourceId,
            requested_scopes: agentScopes,
            scopes: agentScopes,
            asks_first: asksFirst,
            resource: `${config.baseUrl}/mcp`,
            consent_version: consentVersion,
            created_at: now,
            expires_at: new Date(now.getTime() + 90 * 24 * 3600_000),
          })
          .execute()
        const expires = new Date(now.getTime() + 3600_000)
        await trx
          .insertInto('access_tokens')
          .values({
            token_hash: hashToken(token),
            grant_id: grantId,
            scopes: agentScopes,
            expires_at: expires,
          })
          .execute()
      })
      return { grantId, sourceId, token }
    },
    async close() {
      await app.close()
      await pictures.close()
      await replica?.close()
      await connection.close()
      await database?.drop()
      if (violations.length > 0) throw new Error(violations.join('\n'))
    },
  }
}

/** The built-in challenge with an effort that tests can afford. */
function easyChallenge({ secretKey }: ServiceConfig, { db }: Connection): BotChallenge {
  const effort = { cost: 10, least: 5, most: 15 }
  const spend: Spend = (...solution) => insertSpentChallenge(db, ...solution)
  return altchaChallenge(secretKey, spend, effort)
}

/** Whether another service on the same database is still delivering a mail to this address. */
async function isPending(db: Connection['db'], email: string): Promise<boolean> {
  const row = await db
    .selectFrom('mails')
    .select('id')
    .where('recipient', '=', email)
    .where('failed_at', 'is', null)
    .executeTakeFirst()
  return row !== undefined
}

async function listen(server: App['api']['server'], port = '0'): Promise<string> {
  await new Promise<void>((resolve) => server.listen(Number(port), '127.0.0.1', resolve))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

function client(url: string, headers: Record<string, string>): Client {
  const origin = request(url)
  // Plain answers, unless a test asks for others: a compressed one has a weak tag.
  const all = { 'Accept-Encoding': 'identity', ...headers }
  const send = (method: Method) => (path: string) =>
    origin[method](path).agent(keepAliveAgent).set(all)
  return {
    get: send('get'),
    post: send('post'),
    put: send('put'),
    patch: send('patch'),
    delete: send('delete'),
  }
}
