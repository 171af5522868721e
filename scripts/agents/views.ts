import type { Kysely } from 'kysely'
import type { Database } from '../../src/db/schema.ts'
import { insertUsageEvent } from '../../src/queries/credits/usage_events.ts'
import type { Shop } from './tasks.ts'

/** Lets guests of a workspace view its products. */
export function viewsIn(
  db: Kysely<Database>,
  workspaceId: string,
  clock: () => Date,
): Shop['view'] {
  return async (resourceId, times) => {
    const event = {
      actorType: 'GUEST',
      userId: null,
      eventName: 'product.view',
      resourceId,
    } as const
    for (let count = 0; count < times; count++)
      await insertUsageEvent(db, workspaceId, event, clock())
  }
}
