import type { SetActor, SetStep } from '../../db/schema/change_sets.ts'
import type { AccountCaller, OperationId } from '../../operation.ts'
import { findActorNames } from '../../queries/credits/activities.ts'

/** The step that a caller asks for. */
export async function stepOf(
  caller: AccountCaller,
  operation: OperationId,
  skipErrors = false,
): Promise<SetStep> {
  const { accountId, connectionId, scopes } = caller
  const type = caller.actorType as SetActor['type']
  const names = await findActorNames(caller.db, [accountId, connectionId])
  const name = names.get(scopes === null ? accountId : connectionId) ?? ''
  return { actor: { type, name, accountId, connectionId, scopes }, operation, skipErrors }
}

/** What plans rows for a caller. */
export const plannerOf = ({ checkBody, holds }: AccountCaller) => ({ check: checkBody, holds })
