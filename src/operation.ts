import type { Readable } from 'node:stream'
import type { Kysely, Transaction } from 'kysely'
import type { BotChallenge } from './adapters/bot_challenge.ts'
import type { MediaStore } from './adapters/media_store.ts'
import type { Payments } from './adapters/payments.ts'
import type { PublicDownload } from './adapters/public_download.ts'
import type { TxtLookup } from './adapters/txt_records.ts'
import type { Config } from './settings/config.ts'
import type { JsonParts, JsonText } from './core/json_text.ts'
import type { Log } from './core/log.ts'
import type { RateLimit } from './core/rate_limits.ts'
import type { Database } from './db/schema.ts'
import type { AiModel, SpokenWords } from './domain/assistant/ai_model.ts'
import type { OperationId, operations as table, Scope } from './generated/operations.ts'
import type { Role } from './generated/roles.ts'
import type { components, operations, queryDefaults } from './generated/types.ts'
import type { FieldErrors } from './texts/refusals.ts'
import type { SiteFront } from './queries/site/visitors.ts'

export type { OperationId }

type Part<T, K extends string> = T extends { [P in K]?: infer V } ? Exclude<V, undefined> : never
type Json<T> = T extends { content: { 'application/json': infer B } } ? B : undefined
/** The body of a request; files stand in it as their fingerprints. */
type SentBody<T> = T extends { content: { 'multipart/form-data': infer B } } ? B : Json<T>

/** Parameters with a default are never undefined: the validator fills them in. */
type Filled<Q, Names> = Q & { [Name in Names & keyof Q]-?: Exclude<Q[Name], undefined> }

/** A handler's input: the validated request, split as in the contract. */
export interface Input<Id extends OperationId> {
  path: Part<operations[Id]['parameters'], 'path'>
  query: Filled<Part<operations[Id]['parameters'], 'query'>, queryDefaults[Id]>
  body: SentBody<Part<operations[Id], 'requestBody'>>
}

type Success = 200 | 201 | 202 | 204
type Responses<Id extends OperationId> = operations[Id]['responses']

/** A handler's output: the body of the operation's success response, void for 204. */
export type Output<Id extends OperationId> = {
  [S in keyof Responses<Id> & Success]: S extends 204 ? void : Json<Responses<Id>[S]>
}[keyof Responses<Id> & Success]

/** The config of a running service: its secrets are present, configured or generated. */
export interface ServiceConfig extends Config {
  secretKey: string
  /** Signs payment events. */
  webhookSecret: string
}

/** An uploaded file, not yet checked in any way. */
export interface Upload {
  fileName: string
  /** As stated by the sender; undefined without one. */
  mimeType: string | undefined
  /** Reads it. It may be on disk: what waits for its turn is not held in memory. */
  read: () => Promise<Buffer>
}

/** A file of a multipart body, on disk until its call has ended. */
export interface ReceivedFile extends Upload {
  /** Stands in for the file in validation and in the idempotency hash. */
  fingerprint: string
  discard: () => Promise<void>
  /** Reads it bit by bit: it may be larger than memory allows. */
  open: () => Readable
}

export interface Mail {
  /** Null: the mail is queued like any other, and dropped instead of sent. */
  to: string | null
  subject: string
  text: string
  /** The workspace or account that caused the mail; senders take turns. By default the service. */
  sender?: string
  /** Sent before all others: codes to sign in to our own pages. */
  isUrgent?: boolean
  /** Where its reader stops mails of this kind by one request; none for mails that were asked for. */
  stopUrl?: string
}

/** Available to every handler. Nothing here depends on HTTP. */
export interface Caller {
  db: Kysely<Database>
  config: ServiceConfig
  mediaStore: MediaStore
  botChallenge: BotChallenge
  payments: Payments
  aiModel: AiModel
  log: Log
  /** Time of arrival of the call. */
  now: Date
  /** The current time, for code that runs long after `now`. */
  clock: () => Date
  clientIp: string
  /** The caller's preferred languages, best first. */
  languages: string[]
  /**
   * Runs a write as one transaction. The returned answer is stored with it under the call's
   * Idempotency-Key, so that a crash can neither lose nor repeat the write.
   */
  transaction: <T>(work: (trx: Transaction<Database>) => Promise<T>) => Promise<T>
  /** Aborted when the client has left before its answer. */
  signal: AbortSignal
  /** Refuses a caller who has lost access since the call arrived. */
  reauthorise: () => Promise<void>
  /** Runs work to its end: shutdown waits for it, even if the client has disconnected. */
  outlast: <T>(work: Promise<T>) => Promise<T>
  /** Queues a mail in the transaction: it is sent if and only if that commits. */
  sendMail: (trx: Transaction<Database>, mail: Mail) => Promise<void>
  /** Counts against a limit beside the connection's; refuses with 429 when it is exceeded. */
  consume: (limit: RateLimit, key: string) => Promise<void>
  /** Counts against a limit; false when it is exceeded. */
  tryConsume: (limit: RateLimit, key: string) => Promise<boolean>
  /** Whether the call has an `If-Match`: without one, the current representation need not be read. */
  isConditional: boolean
  /** Refuses with 409 unless the call's `If-Match` matches this current representation. */
  requireCurrent: (representation: unknown) => void
}

/** An authenticated caller. */
export interface AccountCaller extends Caller {
  accountId: string
  /** Id of the key, grant or session in use. */
  connectionId: string
  /** The only workspace that the grant in use is for. */
  onlyWorkspaceId: string | null
  /** Whether the key or grant has this scope; a member's role decides for a whole operation. */
  holds: (scope: Scope) => boolean
  /** The tags whose resources the caller may read. */
  readableTags: () => ReadonlySet<string>
  /** Who the caller is recorded as. */
  actorType: components['schemas']['ActorType']
  /** The scopes of a key or grant; null for a person in the dashboard. */
  scopes: Scope[] | null
  /** Checks a body as another operation would: undefined if nothing is wrong with it. */
  checkBody: (operation: OperationId, body: unknown) => FieldErrors | undefined
  /** Counts the call as so many requests, of which one was counted when it arrived. */
  countAs: (requests: number) => Promise<void>
  /** Starts what the service does in the background with change sets. Call it after the commit. */
  kickChangeSets: () => void
  /** The files of a multipart body. */
  files: () => Promise<ReceivedFile[]>
  /** Hands the bytes at a public address to the work. */
  download: PublicDownload
  /** Asks name servers for TXT records. */
  lookUpTxt: TxtLookup
}

/** The visited site and its access policy. */
export interface Site {
  workspaceId: string
  workspaceName: string
  isVisible: boolean
  accessPolicy: components['schemas']['AccessPolicy']
  /** Read for bootstrap only. */
  front: SiteFront | null
  /** Where its visitor is: on its own pages, or with its widget elsewhere; undefined for integrators' sites. */
  from?: 'pages' | 'widget'
}

/**
 * A visitor of a workspace's site. The `id` is a person or device in one workspace: limits, quotas,
 * threads and stored answers are keyed by workspace and id.
 */
export type Visitor = (
  | { type: 'GUEST'; id: string; deviceId: string }
  | { type: 'CUSTOMER'; id: string; sessionId: string; token: string; expiresAt: Date }
) & {
  /** Whether the owner tries the site: recorded, but not as a visitor. */
  isTrial: boolean
}

/** An integrator's backend, calling on behalf of a visitor or of no one in particular. */
export interface VisitorCaller extends AccountCaller {
  site: Site
  visitor: Visitor | null
  /** The device id that the backend sent, verified or not. */
  deviceId: string | undefined
  /** A page that calls by itself with a publishable key, which is the connection. */
  page: { dailyCredits: number } | undefined
  /** Undefined if the caller waits for the whole answer. */
  words: SpokenWords | undefined
}

/** A person signed in to the dashboard. The door turns the effects into cookies. */
export interface SessionCaller extends AccountCaller {
  sessionId: string
  /** The token of the browser in use, unchecked. */
  browserToken: string | undefined
  /** The role in the call's workspace; null without one. */
  role: Role | null
  signOut: () => void
}

/** A staff member at the administration origin. */
export interface StaffCaller extends Caller {
  staffEmail: string
  sessionId: string
  signOut: () => void
}

/** A person at the dashboard or the administration origin who is not signed in. */
export interface PublicCaller extends Caller {
  /** The token of a browser that signed in before, unchecked. */
  browserToken: string | undefined
  /** What the browser says that it is. */
  userAgent: string | undefined
  /** Opens the session in the browser, which is known from now on. */
  signIn: (session: Cookie, browser: Cookie) => void
}

interface Cookie {
  token: string
  expiresAt: Date
}

/** Type and size of raw bytes, as announced when the upload was created. */
export interface ExpectedBytes {
  mimeType: string
  size: number
}

/** A caller who sends raw bytes. */
export interface ByteCaller {
  /** Reads the body, never more than expected; refuses another type or size. */
  bytes: (expected: ExpectedBytes) => Promise<Buffer>
}

interface Callers {
  accountKey: AccountCaller
  dashboardSession: SessionCaller
  staffSession: StaffCaller
  none: PublicCaller
}

export type CallerOf<Id extends OperationId> = ((typeof table)[Id]['surface'] extends 'experience'
  ? VisitorCaller
  : Callers[(typeof table)[Id]['auth']]) &
  ((typeof table)[Id]['body'] extends 'bytes' ? ByteCaller : unknown)

export type Handler<Id extends OperationId> = (
  input: Input<Id>,
  caller: CallerOf<Id>,
) => Promise<Output<Id> | JsonText<Output<Id>> | JsonParts<Output<Id>>>

/** One handler for every operation of the contract: a missing one does not compile. */
export type Handlers = { [Id in OperationId]: Handler<Id> }
