import { createHash } from 'node:crypto'
import { ApiError, errorBody } from '../../core/errors.ts'
import { canonicalJson, isInParts } from '../../core/json_text.ts'
import { languageOf } from '../../core/languages.ts'
import { day, minute } from '../../core/time.ts'
import { operations } from '../../generated/operations.ts'
import type { components } from '../../generated/types.ts'
import {
  deleteRecord,
  findRecord,
  finishRecord,
  type IdempotencyAddress,
  type IdempotencyRecord,
  startRecord,
} from '../../queries/upkeep/idempotency_records.ts'
import type { FieldErrors } from '../../texts/refusals.ts'
import { apiErrorFor, jsonOf } from './answers.ts'
import type { RunningCall } from './broadcasts.ts'
import type { Call, Idempotency } from './call.ts'

const retentionMilliseconds = day

/** Undefined if the call has no Idempotency-Key or its operation does not accept one. */
export function idempotencyOf(
  call: Call,
  input: { path: Record<string, string> },
): Idempotency | undefined {
  const { operationId, access, incoming, now } = call
  const { takesIdempotencyKey, status } = operations[operationId]
  const key = incoming.headers['idempotency-key']
  if (!takesIdempotencyKey || typeof key !== 'string' || !access) return undefined

  const address: IdempotencyAddress = {
    workspace_id: input.path.workspaceId ?? '',
    connection_id: access.connectionId,
    visitor: access.visit?.visitor?.id ?? '',
    operation: operationId,
    path: JSON.stringify(input.path),
    key,
  }
  const bodyHash = createHash('sha256').update(canonicalJson(input)).digest()
  let storedBody: string | undefined

  async function finish(work: () => Promise<unknown>): Promise<unknown> {
    try {
      const output = await work()
      const body = storableBody(output)
      if (body !== storedBody) await finishRecord(call.db, address, now, { status, body })
      return output
    } catch (error) {
      await recordRefusal(call, address, error)
      throw error
    }
  }

  return {
    async run(work) {
      const running = runningHere(call, address)
      // However long it takes: a second call would ask the model again and discard the first answer.
      if (running) return replay(running, bodyHash, () => joined(call, address))
      const earlier = await startRecord(call.db, address, {
        bodyHash,
        now,
        deadBefore: new Date(now.getTime() - deadAfter(call)),
        expiredBefore: new Date(now.getTime() - retentionMilliseconds),
      })
      if (earlier)
        return replay(earlier, bodyHash, () =>
          runningHere(call, address) ? joined(call, address) : awaited(call, address, bodyHash),
        )
      const output = finish(work)
      if (!call.broadcast) return output
      return registered(call, address, { broadcast: call.broadcast, bodyHash, output })
    },
    async store(trx, output) {
      const body = storableBody(output)
      // Without its record, this call was presumed dead and another call took over its work.
      if (!(await finishRecord(trx, address, now, { status, body }))) throw stillRunning()
      storedBody = body
    },
  }
}

/** Milliseconds after which a call is presumed dead. For a chat, as long as the model may take. */
function deadAfter({ operationId, service: { config } }: Call): number {
  const asksModel = operations[operationId].tag === 'chat'
  return minute + (asksModel ? (config.ai?.timeoutSeconds ?? 0) * 1000 : 0)
}

/** If an answer is sent in parts, it is too large to keep for a day, so its brief form is kept. */
function storableBody(output: unknown): string {
  if (!isInParts(output)) return jsonOf(output) ?? ''
  if (output.brief === undefined) throw new Error('The answer of a write has no brief form.')
  return output.brief
}

/** Lets a caller whose connection was lost return to a stream while it runs. */
async function registered(
  { service }: Call,
  address: IdempotencyAddress,
  running: RunningCall,
): Promise<unknown> {
  const key = JSON.stringify(address)
  service.broadcasts.set(key, running)
  try {
    return await running.output
  } finally {
    // A call presumed dead may have been replaced by now.
    if (service.broadcasts.get(key) === running) service.broadcasts.delete(key)
  }
}

/** The record of a stream in progress in this process. */
function runningHere(
  { service }: Call,
  address: IdempotencyAddress,
): IdempotencyRecord | undefined {
  const running = service.broadcasts.get(JSON.stringify(address))
  return running && { bodyHash: running.bodyHash, status: null, body: null }
}

/** The call in progress here, if both calls ask for a stream; otherwise the caller must wait. */
function joined({ service, incoming, headers }: Call, address: IdempotencyAddress): unknown {
  const running = service.broadcasts.get(JSON.stringify(address))
  const { sendEvent } = incoming
  if (!running || !sendEvent) throw stillRunning()
  running.broadcast.follow((event, data) => sendEvent(headers, event, data))
  return running.output
}

/** The intervals in milliseconds at which a call in another process is checked: short at first. */
const looks = { first: 200, last: 2000, slower: 1.5 }

/** The answer of a stream in another process, once it is stored: its words cannot be followed here. */
async function awaited(
  call: Call,
  address: IdempotencyAddress,
  bodyHash: Buffer,
): Promise<unknown> {
  const { service, incoming, db } = call
  if (!incoming.sendEvent) throw stillRunning()
  const departure = incoming.signal()
  let wait = looks.first
  for (let waited = 0; waited < deadAfter(call) && !departure.aborted; waited += wait) {
    wait = Math.min(wait * looks.slower, looks.last)
    await service.pause(wait)
    const found = await findRecord(db, address)
    // The call failed without an answer to repeat, so a retry starts over.
    if (!found) break
    if (found.status !== null) return replay(found, bodyHash, () => joined(call, address))
  }
  throw stillRunning()
}

function replay(earlier: IdempotencyRecord, bodyHash: Buffer, join: () => unknown): unknown {
  if (!earlier.bodyHash.equals(bodyHash))
    throw new ApiError('idempotency_mismatch', 'idempotencyMismatch')
  if (earlier.status === null) return join()
  if (earlier.status < 400) return earlier.body || undefined
  const refusal = JSON.parse(earlier.body ?? '') as components['schemas']['ApiError']
  throw new ApiError(refusal.code, { words: refusal.message }, asWorded(refusal.fieldErrors))
}

/** A replay repeats the original wording, even if this call asks for another language. */
function asWorded(fieldErrors: Record<string, string> | undefined): FieldErrors | undefined {
  if (!fieldErrors) return undefined
  const entries = Object.entries(fieldErrors).map(([field, words]) => [field, { words }])
  return Object.fromEntries(entries) as FieldErrors
}

function stillRunning(): ApiError {
  return new ApiError('idempotency_in_progress', 'idempotencyRunning')
}

/**
 * Refusals that a person can change the reason for: credits, rights, a taken name, a limit. The call did
 * nothing, so the same call may succeed later.
 */
const passing = new Set([402, 403, 409, 429])

/** Stores final refusals, but neither errors nor passing refusals, so that a retry may succeed. */
async function recordRefusal(
  { service, db, incoming, now }: Call,
  address: IdempotencyAddress,
  cause: unknown,
): Promise<void> {
  const error = apiErrorFor(cause)
  const final = error.status < 500 && !passing.has(error.status)
  const body = JSON.stringify(errorBody(error, languageOf(incoming.headers['accept-language'])))
  const answer = { status: error.status, body }
  try {
    if (final) await finishRecord(db, address, now, answer)
    else await deleteRecord(db, address, now)
  } catch (err) {
    // A leftover record expires after a minute.
    service.log.warn({ err }, 'An idempotency record was left open.')
  }
}
