import type { Kysely, Transaction } from 'kysely'
import type { Access, Demand } from '../../access/access.ts'
import type { BotChallenge } from '../../adapters/bot_challenge.ts'
import type { MediaStore } from '../../adapters/media_store.ts'
import type { Payments } from '../../adapters/payments.ts'
import type { PublicDownload } from '../../adapters/public_download.ts'
import type { PublicFetch } from '../../adapters/public_fetch.ts'
import type { RateStore } from '../../adapters/rate_store.ts'
import type { TxtLookup } from '../../adapters/txt_records.ts'
import type { Log } from '../../core/log.ts'
import type { Connection } from '../../db/connect.ts'
import type { Meter } from '../../db/sessions/metered.ts'
import type { Replica } from '../../db/sessions/replica.ts'
import type { Shards } from '../../db/shards/shards.ts'
import type { Database } from '../../db/schema.ts'
import type { AiModel } from '../../domain/assistant/ai_model.ts'
import type { FieldErrors } from '../../texts/refusals.ts'
import type { Rounds } from '../../fairness/rounds.ts'
import type { components } from '../../generated/types.ts'
import type { Broadcast, Listener, RunningCall } from './broadcasts.ts'
import type { Exhausted } from './exhausted.ts'
import type { FinishedExchange } from './finished.ts'
import type {
  ExpectedBytes,
  Handlers,
  OperationId,
  ReceivedFile,
  ServiceConfig,
} from '../../operation.ts'

export type ActorType = components['schemas']['ActorType']

/** Records a change made by a key, an agent or a member, once per call. */
export interface WriteRecord {
  /** Reads what the write is about to change, in its transaction. */
  readBefore(trx: Transaction<Database>): Promise<void>
  /** Adds the record in the write's transaction. One without output has not written yet. */
  addWith(trx: Transaction<Database>, output: unknown): Promise<void>
  /** Adds the record after a write outside the call's transaction. */
  addAfter(output: unknown): Promise<void>
}

/** An incoming call, independent of its transport. */
export interface Incoming {
  method: string
  path: string
  search: string
  headers: Record<string, string | string[] | undefined>
  clientIp: string
  requestId: string
  /** Measures what the call costs of the database. */
  meter?: Meter
  /** The heaviest answer that can be sent. */
  maxAnswerBytes: number
  /** The time of the last change that an agent has seen. */
  expectedUpdatedAt?: string | undefined
  /** Aborted when the client leaves before its answer. */
  signal(): AbortSignal
  /** Tells the transport that the caller is known, and counts as an account from here. */
  identified(): void
  /** Whether the whole body has arrived, read or not. */
  bodyArrived(): boolean
  /** Reads a multipart body with its files. As with `readBody`, the call must be admitted first. */
  readForm(
    holder: string,
    operation: OperationId,
  ): Promise<{ files: ReceivedFile[]; body: Record<string, unknown> }>
  /** Reads a body of raw bytes, never more than the promised number. */
  readBytes(expected: ExpectedBytes): Promise<Buffer>
  /**
   * Reads the body. Called only for admitted calls whose operation takes a body. The holder is the
   * account or address whose share of memory it takes.
   */
  readBody(holder: string): Promise<unknown>
  /** Refuses a body that says something; only where one was sent. For operations that take none. */
  requireNoBody?: () => Promise<void>
  /** Sends an event before the answer; only where the caller asked for a stream. */
  sendEvent?: (headers: Answer['headers'], ...event: Parameters<Listener>) => void
}

/** Who reads an answer that is too heavy to hold, and is read while it is sent. */
export interface Reader {
  /** Their account, or their address where they have none. */
  account: string
  /** Refuses a caller who has lost access since the answer began. */
  reauthorise: () => Promise<void>
}

export interface Answer {
  status: number
  headers: Record<string, string | string[]>
  body: string | undefined
  /** The encoded body, where it was needed earlier. */
  bytes?: Buffer
  /** Instead of a body that is too heavy to hold: its parts, read while they are sent. */
  parts?: () => AsyncIterable<string>
  /** Whether the parts are one resource, whose tag is read before they are sent. */
  isTagged?: boolean
  /** Whether products were left out of the answer, because the whole is too heavy for its reader. */
  isBrief?: boolean
  /** Who reads the parts. */
  reader?: Reader
  /** Only for the log. */
  connectionId: string | undefined
  workspaceId: string
  error: unknown
}

/** A cookie that only its origin sets and reads. */
export interface OwnCookie {
  /** The `Set-Cookie` header that sets this value with this lifetime. */
  set(value: string, lifetime: { expires: Date } | { maxAge: number }): string
  /** The value from a `Cookie` header. */
  read(header: string | undefined): string | undefined
}

/** The cookies of an origin with a sign-in. */
export interface DoorCookies {
  session: OwnCookie
  /** Marks a browser that signed in before. It opens nothing, and stays after signing out. */
  browser: OwnCookie
}

/** Differences between doors: whom they admit, and how an effect becomes a header. */
export interface Door {
  authenticate(call: Call): Promise<Access>
  /**
   * Authenticates the credential by itself, to count calls that are refused before admission. Only
   * for doors whose limit such calls must not escape.
   */
  authenticateAlone?(service: Service, headers: Incoming['headers']): Promise<Access>
  authorise(access: Access, demand: Demand): void
  /** Stops a valid call with a question of its own, before the operation begins: `Unconfirmed`. */
  guard?(call: Call, input: unknown): Promise<void>
  /** Told of a call that has succeeded. */
  answered?(call: Call): void
  /** The actor type under which a caller is recorded. */
  actorType(access: Access): ActorType
  /** The `WWW-Authenticate` header sent when a credential is refused. */
  challenge?: string
  /** Whether callers without a credential may come in, so that bodies are held for their addresses. */
  isPublic?: boolean
  /** Whose limits a call of this door counts against; staff have none. */
  counts?: 'connections' | 'sessions'
  /** Refuses a call before authentication, for example because of its Origin. */
  screen?(incoming: Incoming): void
  cookies?: DoorCookies
}

/** The parts of the running service that the pipeline needs. */
export interface Service {
  config: ServiceConfig
  handlers: Handlers
  /** For what the service does itself, and to find out who is calling. */
  db: Kysely<Database>
  /** On a connection that no caller can hold: for probes. */
  probe: Kysely<Database>
  /** For what an account does: it never holds all connections. */
  dbOf: Connection['dbOf']
  /** For reads, where there is one. */
  replica?: Replica | undefined
  /** For reads, where the database is distributed. */
  shards: Shards
  rateStore: RateStore
  exhausted: Exhausted
  outbox: Pick<Rounds, 'kick'>
  webhooks: Pick<Rounds, 'kick'>
  changeSets: Pick<Rounds, 'kick'>
  /** Checks a body as an operation does: undefined if nothing is wrong with it. */
  checkBody(operation: OperationId, body: unknown): FieldErrors | undefined
  mediaStore: MediaStore
  botChallenge: BotChallenge
  payments: Payments
  /** Fetches documents whose URLs agents provide. */
  publicFetch: PublicFetch
  /** Fetches what callers name by its URL. */
  publicDownload: PublicDownload
  lookUpTxt: TxtLookup
  pause: (milliseconds: number) => Promise<void>
  aiModel: AiModel
  /** Calls with a stream and an Idempotency-Key that are in progress here. */
  broadcasts: Map<string, RunningCall>
  /** Answers that clients have asked for again, by what they asked. */
  knownTags: Map<string, TaggedAnswer>
  /** Work to finish before the service closes its parts. */
  outlasting: Set<Promise<unknown>>
  log: Log
  /** Told of every request when it is over. */
  onFinished?: (finished: FinishedExchange) => void
  clock(): Date
  /** Called with every answer of an operation: tests validate it against the contract. */
  observe?(operationId: OperationId, answer: Answer): void
}

/** The tag of an answer, and the version of the catalogue before it was read. */
export interface TaggedAnswer {
  etag: string
  version: string
}

/** One call on its way through the pipeline. */
export interface Call {
  service: Service
  door: Door
  incoming: Incoming
  operationId: OperationId
  workspaceId: string
  /** The database, as far as the caller may use it. */
  db: Kysely<Database>
  /** The validated query. */
  query: Record<string, unknown>
  now: Date
  access: Access | undefined
  /** Whether a published read is of the version that its query names. */
  isOfVersion?: boolean
  /** Notes the tag of the answer; only if the client has one, and asks whether it is current. */
  noteTag?: (etag: string) => void
  idempotency: Idempotency | undefined
  /** The words of an answer that is streamed. */
  broadcast: Broadcast | undefined
  /** The record of a management write; undefined for any other call. */
  writeRecord: WriteRecord | undefined
  files: ReceivedFile[]
  headers: Record<string, string | string[]>
}

export interface Idempotency {
  /** Runs the call, or replays the answer of the first call with this key. */
  run(work: () => Promise<unknown>): Promise<unknown>
  /** Stores the answer in the same transaction as the write. */
  store(trx: Transaction<Database>, output: unknown): Promise<void>
}
