import { type Kysely, sql } from 'kysely'
import type { Database } from '../../db/schema.ts'

/** Uniqueness of an idempotency key: per connection, visitor, operation and path. */
export interface IdempotencyAddress {
  connection_id: string
  visitor: string
  operation: string
  path: string
  key: string
}

export interface IdempotencyRecord {
  bodyHash: Buffer
  status: number | null
  body: string | null
}

/**
 * Marks the call as running. Undefined: this call is the first, or replaces an expired or dead one.
 * Otherwise returns the earlier call's record.
 */
export async function startRecord(
  db: Kysely<Database>,
  address: IdempotencyAddress,
  call: { bodyHash: Buffer; now: Date; deadBefore: Date; expiredBefore: Date },
): Promise<IdempotencyRecord | undefined> {
  const fresh = { body_hash: call.bodyHash, status: null, body: null, started_at: call.now }
  const started = await db
    .insertInto('idempotency_records')
    .values({ ...address, ...fresh })
    .onConflict((on) =>
      on
        .columns(['connection_id', 'visitor', 'operation', 'path', 'key'])
        .doUpdateSet(fresh)
        .where(
          sql<boolean>`idempotency_records.started_at < ${call.expiredBefore}
            or (idempotency_records.status is null
              and idempotency_records.started_at < ${call.deadBefore})`,
        ),
    )
    .executeTakeFirst()
  if (started.numInsertedOrUpdatedRows === 1n) return undefined

  const earlier = await db
    .selectFrom('idempotency_records')
    .select(['body_hash as bodyHash', 'status', 'body'])
    .where((eb) => eb.and({ ...address }))
    .executeTakeFirst()
  // The first call failed and removed its mark in between: this one may run.
  return earlier ?? startRecord(db, address, call)
}

/** Stores the answer, only if this call started the record. */
export async function finishRecord(
  db: Kysely<Database>,
  address: IdempotencyAddress,
  startedAt: Date,
  answer: { status: number; body: string },
): Promise<boolean> {
  const result = await db
    .updateTable('idempotency_records')
    .set(answer)
    .where((eb) => eb.and({ ...address }))
    .where('started_at', '=', sql<string>`${startedAt}`)
    .executeTakeFirst()
  return result.numUpdatedRows === 1n
}

/** Removes the mark after a call that must be retried; a stored answer stays. */
export async function deleteRecord(
  db: Kysely<Database>,
  address: IdempotencyAddress,
  startedAt: Date,
): Promise<void> {
  await db
    .deleteFrom('idempotency_records')
    .where((eb) => eb.and({ ...address }))
    .where('status', 'is', null)
    .where('started_at', '=', sql<string>`${startedAt}`)
    .execute()
}
