import { operations } from '../../generated/operations.ts'
import { insertUsageEvent, type UsageEvent } from '../../queries/usage_events.ts'
import type { Call, WriteRecord } from './call.ts'

/** What an operation of each tag acts on, in the singular. */
const resourceTypes: Record<string, string> = {
  products: 'product',
  collections: 'collection',
  tags: 'tag',
  media: 'media',
  questions: 'product',
  workspace: 'workspace',
}

/** Undefined for a call that is no management write. */
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
    // The answer comes first: what makes one resource of another has the other's id in its path.
    const resourceId = idIn(output) || path.id || ''
    // A new workspace is named by the answer, not by the path.
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
        await add(service.db, output)
      } catch (err) {
        // What the caller asked for has been done.
        service.log.warn({ err, operation: operationId }, 'A write was not recorded.')
      }
    },
  }
}

/**
 * The id of the resource that is answered; empty for an answer that is none. JSON that a query has
 * built begins with it and is not parsed for it.
 */
function idIn(output: unknown): string {
  if (typeof output === 'string') return /^\{\s*"id"\s*:\s*"([^"\\]*)"/.exec(output)?.[1] ?? ''
  const { id } = (output ?? {}) as { id?: unknown }
  return typeof id === 'string' ? id : ''
}
