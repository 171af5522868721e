import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { Database } from '../../db/schema.ts'

/** Uniqueness of an idempotency key: per connection, visitor, operation and path. */
export interface IdempotencyAddress {
  /** The workspace in the path; empty for a call of an account. */
  workspace_id: string
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

interface StartingCall {
  bodyHash: Buffer
  now: Date
  deadBefore: Date
  expiredBefore: Date
}

/**
 * Marks the call as running. Undefined if this call is the first, or replaces an expired or dead one;
 * otherwise the earlier call's record.
 */
export async function startRecord(
  db: Kysely<Database>,
  address: IdempotencyAddress,
  call: StartingCall,
): Promise<IdempotencyRecord | undefined> {
  const inserted = await db
    .insertInto('idempotency_records')
    .values({ ...address, ...freshRecord(call) })
    .onConflict((on) => on.doNothing())
    .executeTakeFirst()
  if (inserted.numInsertedOrUpdatedRows === 1n) return undefined

  const earlier = await db
    .selectFrom('idempotency_records')
    .select(['body_hash as bodyHash', 'status', 'body', isOver(call).as('isOver')])
    .where((eb) => eb.and({ ...address }))
    .executeTakeFirst()
  if (earlier && !earlier.isOver) {
    const { bodyHash, status, body } = earlier
    return { bodyHash, status, body }
  }
  if (earlier && (await replaceRecord(db, address, call))) return undefined
  // The first call failed and removed its mark in between, or another call has just replaced it.
  return startRecord(db, address, call)
}

/** The record of an earlier call; undefined if that failed and may be retried. */
export async function findRecord(
  db: Kysely<Database>,
  address: IdempotencyAddress,
): Promise<IdempotencyRecord | undefined> {
  return db
    .selectFrom('idempotency_records')
    .select(['body_hash as bodyHash', 'status', 'body'])
    .where((eb) => eb.and({ ...address }))
    .executeTakeFirst()
}

/** Deletes the answers that are kept for a visitor's retries. */
export async function deleteRecordsOf(
  db: Kysely<Database>,
  { workspaceId, visitorId }: { workspaceId: string; visitorId: string },
): Promise<void> {
  await db
    .deleteFrom('idempotency_records')
    .where('workspace_id', '=', workspaceId)
    .where('visitor', '=', visitorId)
    .execute()
}

function freshRecord({ bodyHash, now }: StartingCall) {
  return { body_hash: bodyHash, status: null, body: null, started_at: now }
}

function isOver({ expiredBefore, deadBefore }: StartingCall): RawBuilder<boolean> {
  return sql<boolean>`(started_at < ${expiredBefore}
    or (status is null and started_at < ${deadBefore}))`
}

/** Takes over a record that is expired or dead; of parallel attempts, only one succeeds. */
async function replaceRecord(
  db: Kysely<Database>,
  address: IdempotencyAddress,
  call: StartingCall,
): Promise<boolean> {
  const result = await db
    .updateTable('idempotency_records')
    .set(freshRecord(call))
    .where((eb) => eb.and({ ...address }))
    .where(isOver(call))
    .executeTakeFirst()
  return result.numUpdatedRows === 1n
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
