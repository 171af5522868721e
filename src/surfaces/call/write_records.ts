import type { Kysely } from 'kysely'
import { accountOf } from '../../access/access.ts'
import { type Change, changesBetween, nameIn } from '../../core/changes.ts'
import { ApiError } from '../../core/errors.ts'
import type { Database } from '../../db/schema.ts'
import { operations } from '../../generated/operations.ts'
import { formerOf, snapshotOf } from '../../domain/catalogue/recorded_products.ts'
import type { components } from '../../generated/types.ts'
import { findProductName } from '../../queries/catalogue/products.ts'
import { type Activity, insertWriteEvent } from '../../queries/credits/write_events.ts'
import type { Call, WriteRecord } from './call.ts'
import { recordedResources } from './recorded_resources.ts'

type Product = components['schemas']['Product']

/**
 * Undefined unless the call is a management write, or a write of the dashboard that changes the members of
 * a workspace or its products.
 */
export function writeRecordOf(
  call: Call,
  { path, body }: { path: Record<string, string>; body: unknown },
): WriteRecord | undefined {
  const { surface, method, tag } = operations[call.operationId]
  const { access, service, now, door, operationId } = call
  const isOwn = tag === 'members' || tag === 'products'
  const isRecorded = surface === 'management' || (isOwn && call.workspaceId !== '')
  if (!isRecorded || method === 'get' || !access) return undefined
  let added = false
  let before: unknown

  /** The changed product, if the call answers it, so that it need not be read again. */
  const answered = (output: unknown): unknown => {
    const isChanged = tag === 'products' && typeof output === 'string' && idIn(output) === path.id
    return isChanged ? JSON.parse(output) : undefined
  }

  const add = async (db: Kysely<Database>, output: unknown) => {
    // Prefer the answer's id: a call that derives one resource from another has the source's id in
    // its path.
    const resourceId = idIn(output) || path.id || ''
    // A new workspace's id is in the answer, not in the path.
    const workspaceId = call.workspaceId || resourceId
    added = true
    const event = {
      actorType: door.actorType(access),
      userId: accountOf(access),
      eventName: 'management.write' as const,
      endpoint: operationId,
      resourceId,
      resourceType: resourceId === '' ? '' : (resourceTypes[tag] ?? ''),
    }
    const isNew = before === undefined
    const after = isNew ? undefined : (answered(output) ?? (await readResource(call, db, path)))
    const activity = {
      connectionId: access.connectionId,
      resourceName: nameIn(after) ?? nameIn(before) ?? nameIn(body) ?? namesIn(output),
      changes: [...changesOf(before, after), ...(await membershipOf(call, db, path))],
      ...(tag === 'products' ? keptOf(before, after) : nothingKept),
    }
    await insertWriteEvent(db, workspaceId, event, activity, now)
  }

  return {
    async readBefore(trx) {
      if (!added) before = await readResource(call, trx, path)
    },
    async addWith(trx, output) {
      if (!added && output !== undefined) await add(trx, output)
    },
    async addAfter(output) {
      if (added) return
      try {
        await add(call.db, output)
      } catch (err) {
        // Only log: the write itself has succeeded.
        service.log.warn({ err, operation: operationId }, 'A write was not recorded.')
      }
    },
  }
}

/** For each tag, the type of resource that usage events of its operations name. */
const resourceTypes: Record<string, string> = {
  products: 'product',
  change_sets: 'change_set',
  collections: 'collection',
  tags: 'tag',
  media: 'media',
  questions: 'product',
  workspace: 'workspace',
  members: 'member',
  webhooks: 'webhook',
  domains: 'domain',
}

/**
 * The current resource that the call is about to change; undefined if the call creates one. Null if there
 * is none: the handler refuses that in its own words.
 */
async function readResource(
  { operationId, workspaceId }: Call,
  db: Kysely<Database>,
  path: Record<string, string>,
): Promise<unknown> {
  const { tag, method } = operations[operationId]
  const read = recordedResources[tag]
  const creates = method === 'post' && path.id === undefined
  if (!read || creates || workspaceId === '') return undefined
  try {
    return await read(db, workspaceId, path.id ?? '')
  } catch (error) {
    if (error instanceof ApiError) return null
    throw error
  }
}

/** The product that a call puts into a collection or takes out of it, by name. */
async function membershipOf(
  { operationId, workspaceId }: Call,
  db: Kysely<Database>,
  { productId }: Record<string, string>,
): Promise<Change[]> {
  if (productId === undefined) return []
  const name = await findProductName(db, workspaceId, productId)
  const isAdded = operations[operationId].method === 'post'
  return [{ field: 'products', before: isAdded ? null : name, after: isAdded ? name : null }]
}

/** A deleted resource has no values to compare: its name tells what it was. */
function changesOf(before: unknown, after: unknown): Change[] {
  return before && after ? changesBetween(before, after) : []
}

const nothingKept = { snapshot: null, former: null }

/** The product before its deletion, or the values that a change replaced. */
function keptOf(before: unknown, after: unknown): Pick<Activity, 'snapshot' | 'former'> {
  if (!before) return nothingKept
  if (!after) return { snapshot: snapshotOf(before as Product), former: null }
  return { snapshot: null, former: formerOf(before as Product, after as Product) }
}

/**
 * The names in an answer, for a call without a body that names the resource: of several uploaded pictures,
 * all of them.
 */
function namesIn(output: unknown): string {
  const { media } = (output ?? {}) as { media?: unknown }
  const named = Array.isArray(media) ? media : [output]
  return named.flatMap((one) => nameIn(one) ?? titleIn(one) ?? []).join(', ')
}

/** What people call a change set. */
function titleIn(output: unknown): string | undefined {
  const { title } = (output ?? {}) as { title?: unknown }
  return typeof title === 'string' ? title : undefined
}

/**
 * The id of the answered resource; empty if there is none. JSON text built by a query starts with
 * the id, so it is not parsed.
 */
function idIn(output: unknown): string {
  if (typeof output === 'string') return /^\{\s*"id"\s*:\s*"([^"\\]*)"/.exec(output)?.[1] ?? ''
  const { id } = (output ?? {}) as { id?: unknown }
  return typeof id === 'string' ? id : ''
}
