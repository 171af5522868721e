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

type ActorType = components['schemas']['ActorType']

/** Records a management write of a key, an agent or a member, once per call. */
export interface WriteRecord {
  /** Reads what the write is about to change, in its transaction. */
  readBefore(trx: Transaction<Database>): Promise<void>
  /** Adds the record in the write's transaction. Without an output, nothing was written yet. */
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
  /** Measures what the call costs the database. */
  meter?: Meter
  /** The largest answer that can be sent. */
  maxAnswerBytes: number
  /** The last change that an agent knows of. */
  expectedUpdatedAt?: string | undefined
  /** Aborted when the client leaves before its answer. */
  signal(): AbortSignal
  /** Tells the transport that the caller is known; from now on it counts as its account. */
  identified(): void
  /** Whether the whole body has arrived, read or not. */
  bodyArrived(): boolean
  /** Reads a multipart body with its files. As with `readBody`, the call must be admitted first. */
  readForm(
    holder: string,
    operation: OperationId,
  ): Promise<{ files: ReceivedFile[]; body: Record<string, unknown> }>
  /** Reads a body of raw bytes, never more than promised. */
  readBytes(expected: ExpectedBytes): Promise<Buffer>
  /**
   * Reads the body, only for admitted calls whose operation takes one. `holder` is the account or address
   * whose share of memory the body uses.
   */
  readBody(holder: string): Promise<unknown>
  /** For operations without a body: refuses one that is not empty. Only set if a body was sent. */
  requireNoBody?: () => Promise<void>
  /** Sends an event before the answer. Only set if the caller asked for a stream. */
  sendEvent?: (headers: Answer['headers'], ...event: Parameters<Listener>) => void
}

/** The reader of an answer that is too large to hold and is read while it is sent. */
export interface Reader {
  /** Their account, or their address where they have none. */
  account: string
  /** Refuses a caller who has lost access since the answer started. */
  reauthorise: () => Promise<void>
}

export interface Answer {
  status: number
  headers: Record<string, string | string[]>
  body: string | undefined
  /** The encoded body, if it was needed earlier. */
  bytes?: Buffer
  /** Instead of a body that is too large to hold: its parts, read while they are sent. */
  parts?: () => AsyncIterable<string>
  /** Whether the parts are one resource, whose tag is computed before they are sent. */
  isTagged?: boolean
  /** Whether products were left out of the answer because the whole is too large for its reader. */
  isBrief?: boolean
  /** The reader of the parts. */
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
   * Authenticates only the credential, so that calls refused before admission are counted. Only for doors
   * whose limits such calls must not bypass.
   */
  authenticateAlone?(service: Service, headers: Incoming['headers']): Promise<Access>
  authorise(access: Access, demand: Demand): void
  /** Stops a valid call before its operation starts, to ask a person: `Unconfirmed`. */
  guard?(call: Call, input: unknown): Promise<void>
  /** Called after a call has succeeded. */
  answered?(call: Call): void
  /** The actor type under which a caller is recorded. */
  actorType(access: Access): ActorType
  /** The `WWW-Authenticate` header sent when a credential is refused. */
  challenge?: string
  /** Whether callers without a credential may call; their bodies then count for their address. */
  isPublic?: boolean
  /** The kind of limits that calls of this door count against; staff have none. */
  counts?: 'connections' | 'sessions'
  /** Refuses a call before authentication, for example because of its Origin. */
  screen?(incoming: Incoming): void
  cookies?: DoorCookies
}

/** The parts of the running service that the pipeline needs. */
export interface Service {
  config: ServiceConfig
  handlers: Handlers
  /** For the service's own work, and to find out who is calling. */
  db: Kysely<Database>
  /** On a connection that callers cannot occupy: for probes. */
  probe: Kysely<Database>
  /** For the calls of an account, which can never occupy all connections. */
  dbOf: Connection['dbOf']
  /** For reads, if there is one. */
  replica?: Replica | undefined
  /** For reads, if the database is distributed. */
  shards: Shards
  rateStore: RateStore
  exhausted: Exhausted
  outbox: Pick<Rounds, 'kick'>
  webhooks: Pick<Rounds, 'kick'>
  changeSets: Pick<Rounds, 'kick'>
  /** Checks a body as an operation does: undefined if it is valid. */
  checkBody(operation: OperationId, body: unknown): FieldErrors | undefined
  mediaStore: MediaStore
  botChallenge: BotChallenge
  payments: Payments
  /** Fetches documents whose URLs agents provide. */
  publicFetch: PublicFetch
  /** Downloads from URLs that callers provide. */
  publicDownload: PublicDownload
  lookUpTxt: TxtLookup
  pause: (milliseconds: number) => Promise<void>
  aiModel: AiModel
  /** Calls with a stream and an Idempotency-Key that are in progress here. */
  broadcasts: Map<string, RunningCall>
  /** Answers that clients have requested again, by what they requested. */
  knownTags: Map<string, TaggedAnswer>
  /** Work to finish before the service closes its parts. */
  outlasting: Set<Promise<unknown>>
  log: Log
  /** Called for every finished request. */
  onFinished?: (finished: FinishedExchange) => void
  clock(): Date
  /** Called with every answer of an operation; tests use it to validate answers against the contract. */
  observe?(operationId: OperationId, answer: Answer): void
}

/** The tag of an answer, and the version of the catalogue before the answer was read. */
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
  /** The database, limited to what the caller may use of it. */
  db: Kysely<Database>
  /** The validated query. */
  query: Record<string, unknown>
  now: Date
  access: Access | undefined
  /** Whether a published read is of the version that its query names. */
  isOfVersion?: boolean
  /** Notes the tag of the answer. Only set if the client has a tag and asks whether it is current. */
  noteTag?: (etag: string) => void
  idempotency: Idempotency | undefined
  /** The words of an answer that is being streamed. */
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
