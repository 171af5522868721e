import { requireVisitor } from '../src/access/visitors.ts'
import { hashToken } from '../src/core/secrets.ts'
import type { Handler } from '../src/operation.ts'
import { deleteThread } from '../src/queries/threads.ts'

export const delete_thread: Handler<'delete_thread'> = async ({ path }, caller) => {
  const { workspaceId } = caller.site
  const tokenHash = hashToken(path.threadId)
  await deleteThread(caller.db, { workspaceId, visitorId: requireVisitor(caller).id, tokenHash })
}
