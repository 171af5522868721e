import type { Kysely, Transaction } from 'kysely'
import type { Access } from '../../../access/access.ts'
import type { Database } from '../../../db/schema.ts'
import { metered } from '../../../db/sessions/metered.ts'
import { operations } from '../../../generated/operations.ts'
import type { OperationId } from '../../../operation.ts'
import type { Call, Incoming, Service } from '../call.ts'

/** A database that adds the call's use of it to the call's meter. */
export function measured(db: Kysely<Database>, { meter }: Incoming): Kysely<Database> {
  return meter ? metered(db, meter) : db
}

/** The database, limited to what the caller may use of it. */
export function databaseOf(
  service: Service,
  { accountId }: Pick<Access, 'accountId'>,
  operationId: OperationId,
): Kysely<Database> {
  const use = operations[operationId].method === 'get' ? 'read' : 'write'
  return accountId === undefined ? service.db : service.dbOf(accountId, use)
}

/**
 * Reads whose data all move the workspace's version when they change, which
 * test/every_operation/versions/versions.test.ts ensures. Exports are excluded, because they are read after
 * their call is over.
 */
const tags = new Set(['storefront', 'products', 'collections', 'tags'])
const surfaces = new Set(['management', 'experience'])
export const replicaReads: ReadonlySet<OperationId> = new Set(
  (Object.keys(operations) as OperationId[]).filter((id) => {
    const { method, tag, surface } = operations[id]
    return method === 'get' && tags.has(tag) && surfaces.has(surface) && id !== 'export_products'
  }),
)

/** Runs a call, on the replica if there is one and the call is a read of this kind. */
export function onReplica<T>(call: Call, run: () => Promise<T>): Promise<T> {
  const { service, access, operationId, workspaceId, incoming } = call
  const { replica } = service
  if (!replica || !access || !replicaReads.has(operationId)) return run()
  const primary = databaseOf(service, access, operationId)
  return replica.read(primary, workspaceId, (db) => {
    if (db !== primary) call.db = measured(db, incoming)
    return run()
  })
}

/**
 * Runs a call on the node of its workspace, if the database is distributed and the call is a read of this
 * kind.
 */
export function onShards<T>(call: Call, run: () => Promise<T>): Promise<T> {
  const { service, access, operationId, db } = call
  if (!access || !replicaReads.has(operationId)) return run()
  return service.shards.read(db, placeOf(call, access), (routed) => {
    call.db = routed
    return run()
  })
}

function placeOf({ workspaceId, incoming: { meter } }: Call, { accountId, placement }: Access) {
  return { workspaceId, placement, account: accountId ?? workspaceId, meter }
}

/**
 * Frequent writes of one workspace. Their statements name all tables of the workspace by `tableOf`, and
 * otherwise only slugs: test/distributed/shard_writes.test.ts.
 */
export const shardWrites: ReadonlySet<OperationId> = new Set([
  'create_product',
  'update_product',
  'patch_product',
  'delete_product',
  'add_product_tag',
  'remove_product_tag',
])

/** Runs the transaction of a call, on the node of its workspace if possible. */
export function transact<T>(
  call: Call,
  work: (trx: Transaction<Database>) => Promise<T>,
): Promise<T> {
  const { service, access, operationId, door, db } = call
  // A session is locked together with its writes, and its table is kept whole.
  const isAlone = access && door.counts !== 'sessions' && shardWrites.has(operationId)
  return isAlone
    ? service.shards.transact(db, placeOf(call, access), work)
    : db.transaction().execute(work)
}

/** Reads what visitors see of a workspace, from the replica if there is one. */
export function readPublished<T>(
  { dbOf, replica }: Service,
  workspaceId: string,
  read: (db: Kysely<Database>) => Promise<T>,
): Promise<T> {
  // Each shop has a share of the connections, as each account does.
  const primary = dbOf(workspaceId, 'read')
  return replica ? replica.read(primary, workspaceId, read) : read(primary)
}
