import type { Kysely, Transaction } from 'kysely'
import type { Access, Demand } from '../../access/access.ts'
import type { BotChallenge } from '../../adapters/bot_challenge.ts'
import type { MediaStore } from '../../adapters/media_store.ts'
import type { Payments } from '../../adapters/payments.ts'
import type { PublicFetch } from '../../adapters/public_fetch.ts'
import type { RateStore } from '../../adapters/rate_store.ts'
import type { Log } from '../../core/log.ts'
import type { Database } from '../../db/schema.ts'
import type { AiModel } from '../../domain/assistant/ai_model.ts'
import type { Outbox } from '../../domain/upkeep/outbox.ts'
import type { components } from '../../generated/types.ts'
import type { Handlers, OperationId, Promised, ServiceConfig, Upload } from '../../operation.ts'

export type ActorType = components['schemas']['ActorType']

/** Records that a key, an agent or a member has changed something, once a call. */
export interface WriteRecord {
  /** In the very transaction of the write. A transaction without an answer has written nothing yet. */
  addWith(trx: Transaction<Database>, output: unknown): Promise<void>
  /** After a write that ran in no transaction of the call. */
  addAfter(output: unknown): Promise<void>
}

/** A call as it comes in, whichever way it came. */
export interface Incoming {
  method: string
  path: string
  search: string
  headers: Record<string, string | string[] | undefined>
  clientIp: string
  requestId: string
  /** Whether the whole body has come in, read or not. */
  bodyArrived(): boolean
  /** Reads the files of a multipart body, under the same rule as the body. */
  readFiles(): Promise<Upload[]>
  /** Reads a body of raw bytes, never more of it than was promised. */
  readBytes(promised: Promised): Promise<Buffer>
  /** Reads the body. Only an admitted call's body is read, and only when its operation takes one. */
  readBody(): Promise<unknown>
}

export interface Answer {
  status: number
  headers: Record<string, string | string[]>
  body: string | undefined
  /** The body as it is sent, where it was needed before. */
  bytes?: Buffer
  /** For the log. */
  connectionId: string | undefined
  error: unknown
}

/** What differs between the ways in: whom they admit, and how an effect becomes a header. */
export interface Door {
  authenticate(call: Call): Promise<Access>
  authorise(access: Access, demand: Demand): void
  /** As whom a caller of this door is recorded. */
  actorType(access: Access): ActorType
  /** The `WWW-Authenticate` of a refused credential. */
  challenge?: string
  /** Whether a connection of this door counts against the limit of requests a minute. */
  limitsConnections: boolean
  /** Refuses a call before anybody is authenticated, for instance by its Origin. */
  screen?(incoming: Incoming): void
  sessionCookie?(token: string, expiresAt: Date): string
}

/** Everything the pipeline needs of the running service. */
export interface Service {
  config: ServiceConfig
  db: Kysely<Database>
  rateStore: RateStore
  outbox: Pick<Outbox, 'kick'>
  mediaStore: MediaStore
  botChallenge: BotChallenge
  payments: Payments
  /** Gets documents that agents name. */
  publicFetch: PublicFetch
  aiModel: AiModel
  /** What is carried out to its end before the service lets go of its parts. */
  outlasting: Set<Promise<unknown>>
  log: Log
  clock(): Date
  handlers: Handlers
  /** Sees every answer of an operation: tests hold it against the contract. */
  observe?(operationId: OperationId, answer: Answer): void
}

/** One call on its way through the hall. */
export interface Call {
  service: Service
  door: Door
  incoming: Incoming
  operationId: OperationId
  workspaceId: string
  now: Date
  access: Access | undefined
  idempotency: Idempotency | undefined
  /** What is to be recorded of a management write; undefined for any other call. */
  writeRecord: WriteRecord | undefined
  files: Upload[]
  headers: Record<string, string | string[]>
}

export interface Idempotency {
  /** Carries the call out, or replays what the first call with this key was answered. */
  run(work: () => Promise<unknown>): Promise<unknown>
  /** Stores an answer with the very transaction that makes it true. */
  store(trx: Transaction<Database>, output: unknown): Promise<void>
}
