import { createHash } from 'node:crypto'
import { ApiError, errorBody } from '../../core/errors.ts'
import { day, minute } from '../../core/time.ts'
import { operations } from '../../generated/operations.ts'
import type { components } from '../../generated/types.ts'
import {
  deleteRecord,
  finishRecord,
  type IdempotencyAddress,
  type IdempotencyRecord,
  startRecord,
} from '../../queries/upkeep/idempotency_records.ts'
import { apiErrorFor, jsonOf } from './answers.ts'
import type { Call, Idempotency } from './call.ts'

const deadMilliseconds = minute
const keptMilliseconds = day

/** Undefined for a call without an Idempotency-Key, or of an operation that takes none. */
export function idempotencyOf(
  call: Call,
  input: { path: Record<string, string> },
): Idempotency | undefined {
  const { service, operationId, access, incoming, now } = call
  const { takesIdempotencyKey, status } = operations[operationId]
  const key = incoming.headers['idempotency-key']
  if (!takesIdempotencyKey || typeof key !== 'string' || !access) return undefined

  const address: IdempotencyAddress = {
    connection_id: access.connectionId,
    visitor: access.visit?.visitor?.id ?? '',
    operation: operationId,
    path: JSON.stringify(input.path),
    key,
  }
  const bodyHash = createHash('sha256').update(JSON.stringify(input)).digest()
  let stored: string | undefined

  return {
    async run(work) {
      const earlier = await startRecord(service.db, address, {
        bodyHash,
        now,
        deadBefore: new Date(now.getTime() - deadMilliseconds),
        expiredBefore: new Date(now.getTime() - keptMilliseconds),
      })
      if (earlier) return replay(earlier, bodyHash)
      try {
        const output = await work()
        const body = jsonOf(output) ?? ''
        if (body !== stored) await finishRecord(service.db, address, now, { status, body })
        return output
      } catch (thrown) {
        await recordRefusal(call, address, thrown)
        throw thrown
      }
    },
    async store(trx, output) {
      const body = jsonOf(output) ?? ''
      // The mark is gone when this call was taken for dead: whoever took it over carries it out.
      if (!(await finishRecord(trx, address, now, { status, body }))) throw stillRunning()
      stored = body
    },
  }
}

function replay(earlier: IdempotencyRecord, bodyHash: Buffer): unknown {
  if (!earlier.bodyHash.equals(bodyHash))
    throw new ApiError('idempotency_mismatch', 'This Idempotency-Key was used with another body.')
  if (earlier.status === null) throw stillRunning()
  if (earlier.status < 400) return earlier.body || undefined
  const refusal = JSON.parse(earlier.body ?? '') as components['schemas']['ApiError']
  throw new ApiError(refusal.code, refusal.message, refusal.fieldErrors)
}

function stillRunning(): ApiError {
  const message = 'The first call with this Idempotency-Key is still running.'
  return new ApiError('idempotency_in_progress', message)
}

/** A refusal is an answer and is kept; a fault or a limit is not, so that a retry may succeed. */
async function recordRefusal(
  { service, now }: Call,
  address: IdempotencyAddress,
  thrown: unknown,
): Promise<void> {
  const error = apiErrorFor(thrown)
  const final = error.status < 500 && error.status !== 429
  const answer = { status: error.status, body: JSON.stringify(errorBody(error)) }
  try {
    if (final) await finishRecord(service.db, address, now, answer)
    else await deleteRecord(service.db, address, now)
  } catch (err) {
    // A mark that stays behind ends by itself after a minute.
    service.log.warn({ err }, 'An idempotency record was left open.')
  }
}
