import type { Kysely, Transaction } from 'kysely'
import type { BotChallenge } from './adapters/bot_challenge.ts'
import type { MediaStore } from './adapters/media_store.ts'
import type { Payments } from './adapters/payments.ts'
import type { Config } from './core/config.ts'
import type { JsonText } from './core/json_text.ts'
import type { Log } from './core/log.ts'
import type { RateLimit } from './core/rate_limits.ts'
import type { Database } from './db/schema.ts'
import type { AiModel } from './domain/assistant/ai_model.ts'
import type { operations as table } from './generated/operations.ts'
import type { components, operations, queryDefaults } from './generated/types.ts'

export type OperationId = keyof operations

type Part<T, K extends string> = T extends { [P in K]?: infer V } ? Exclude<V, undefined> : never
type Json<T> = T extends { content: { 'application/json': infer B } } ? B : undefined

/** Parameters with a default are never missing: the validator has filled them in. */
type Filled<Q, Names> = Q & { [Name in Names & keyof Q]-?: Exclude<Q[Name], undefined> }

/** What a handler is given: the validated request, split as the contract splits it. */
export interface Input<Id extends OperationId> {
  path: Part<operations[Id]['parameters'], 'path'>
  query: Filled<Part<operations[Id]['parameters'], 'query'>, queryDefaults[Id]>
  body: Json<Part<operations[Id], 'requestBody'>>
}

type Success = 200 | 201 | 202 | 204
type Responses<Id extends OperationId> = operations[Id]['responses']

/** What a handler answers: the body of the operation's success response, nothing with 204. */
export type Output<Id extends OperationId> = {
  [S in keyof Responses<Id> & Success]: S extends 204 ? void : Json<Responses<Id>[S]>
}[keyof Responses<Id> & Success]

/** The settings of a running service: its secrets are there, stated or made. */
export interface ServiceConfig extends Config {
  secretKey: string
  /** What signs the events of payments. */
  webhookSecret: string
}

/** A file as somebody sent it: nothing of it has been checked. */
export interface Upload {
  fileName: string
  mimeType: string
  bytes: Buffer
}

export interface Mail {
  to: string
  subject: string
  text: string
}

/** What every handler may use. Nothing here knows HTTP. */
export interface Caller {
  db: Kysely<Database>
  config: ServiceConfig
  mediaStore: MediaStore
  botChallenge: BotChallenge
  payments: Payments
  aiModel: AiModel
  log: Log
  /** When the call came in. */
  now: Date
  /** The time by now, for what took long since then. */
  clock: () => Date
  clientIp: string
  /** The languages that the caller asks for, the best first. */
  languages: string[]
  /**
   * Runs a write as one transaction. An answer that the work returns is stored with it under the
   * call's Idempotency-Key, so that a crash can neither lose nor repeat it.
   */
  transaction: <T>(work: (trx: Transaction<Database>) => Promise<T>) => Promise<T>
  /** Carries work out to its end: a service that stops waits for it, though its client may be gone. */
  outlast: <T>(work: Promise<T>) => Promise<T>
  /** Queues a mail with the transaction: it leaves after the commit and never without it. */
  sendMail: (trx: Transaction<Database>, mail: Mail) => Promise<void>
  /** Counts against a limit beyond the connection's own; refuses with 429 when it is used up. */
  consume: (limit: RateLimit, key: string) => Promise<void>
  /** Refuses with 409 when the call's `If-Match` is not this, the current representation. */
  requireCurrent: (representation: unknown) => void
}

/** A caller who proved who they are. */
export interface AccountCaller extends Caller {
  accountId: string
  /** The key or the session by which they came. */
  connectionId: string
  /** The files of a multipart body. */
  files: () => Promise<Upload[]>
}

/** What a visited site is and whom it lets in. */
export interface Site {
  workspaceId: string
  workspaceName: string
  isVisible: boolean
  accessPolicy: components['schemas']['AccessPolicy']
}

/**
 * Somebody at a workspace's site. The `id` is one person's or device's in one workspace: limits,
 * quotas, threads and kept answers are counted under workspace and id.
 */
export type Visitor =
  | { type: 'GUEST'; id: string; deviceId: string }
  | { type: 'CUSTOMER'; id: string; sessionId: string; token: string }

/** An integrator's backend, which calls for a visitor of its site, or for nobody in particular. */
export interface VisitorCaller extends AccountCaller {
  site: Site
  visitor: Visitor | null
  /** The device that the backend names, proven or not. */
  deviceId: string | undefined
}

/** A person at the dashboard. The door turns these effects into cookies. */
export interface SessionCaller extends AccountCaller {
  sessionId: string
  signOut: () => void
}

/** A member of staff at the administration origin. */
export interface StaffCaller extends Caller {
  staffEmail: string
  sessionId: string
  signOut: () => void
}

/** Somebody at the dashboard or at administration who has not signed in. */
export interface PublicCaller extends Caller {
  signIn: (token: string, expiresAt: Date) => void
}

/** What is to be sent as raw bytes, as it was promised before. */
export interface Promised {
  mimeType: string
  size: number
}

/** Somebody who sends raw bytes. */
export interface ByteCaller {
  /** Reads the body, never more of it than was promised; refuses what is of another type or size. */
  bytes: (promised: Promised) => Promise<Buffer>
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
) => Promise<Output<Id> | JsonText<Output<Id>>>

/** One handler for every operation of the contract: a missing one does not compile. */
export type Handlers = { [Id in OperationId]: Handler<Id> }
