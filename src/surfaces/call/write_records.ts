import { operations } from '../../generated/operations.ts'
import { insertUsageEvent, type UsageEvent } from '../../queries/usage_events.ts'
import type { Call, WriteRecord } from './call.ts'

/** The resource type that operations of each tag act on. */
const resourceTypes: Record<string, string> = {
  products: 'product',
  collections: 'collection',
  tags: 'tag',
  media: 'media',
  questions: 'product',
  workspace: 'workspace',
}

/** Undefined unless the call is a management write. */
export function writeRecordOf(
  call: Call,
  { path }: { path: Record<string, string> },
): WriteRecord | undefined {
  const { surface, method, tag } = operations[call.operationId]
  const { access, service, now, door, operationId } = call
  if (surface !== 'management' || method === 'get' || !access) return undefined
  let added = false

  const eventOf = (resourceId: string): UsageEvent => ({
    actorType: door.actorType(access),
    userId: access.accountId,
    eventName: 'management.write',
    endpoint: operationId,
    resourceId,
    resourceType: resourceId === '' ? '' : (resourceTypes[tag] ?? ''),
  })
  const add = async (db: Call['service']['db'], output: unknown) => {
    // Prefer the answer's id: a call that derives one resource from another has the source's id in
    // its path.
    const resourceId = idIn(output) || path.id || ''
    // A new workspace's id is in the answer, not in the path.
    const workspaceId = call.workspaceId || resourceId
    added = true
    await insertUsageEvent(db, workspaceId, eventOf(resourceId), now)
  }

  return {
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

/**
 * The id of the answered resource; empty if there is none. JSON text built by a query starts with
 * the id, so it is not parsed.
 */
function idIn(output: unknown): string {
  if (typeof output === 'string') return /^\{\s*"id"\s*:\s*"([^"\\]*)"/.exec(output)?.[1] ?? ''
  const { id } = (output ?? {}) as { id?: unknown }
  return typeof id === 'string' ? id : ''
}
