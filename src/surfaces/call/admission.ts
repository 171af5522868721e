import type { Access } from '../../access/access.ts'
import { operations } from '../../generated/operations.ts'
import type { Call } from './call.ts'
import { inWorkspace } from './routes.ts'

export function authorise({ door, operationId }: Call, access: Access): void {
  const { scope, tag } = operations[operationId]
  door.authorise(access, { scope, tag, inWorkspace: inWorkspace(operationId) })
}

/** Authenticates and authorises once more: access may have been revoked since the call arrived. */
export async function reauthorise(call: Call): Promise<void> {
  call.now = call.service.clock()
  if (operations[call.operationId].auth === 'none') return
  call.access = await call.door.authenticate(call)
  authorise(call, call.access)
}
