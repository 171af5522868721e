import { paginationOf } from '../src/core/paging.ts'
import type { Handler } from '../src/operation.ts'
import { listFeedback } from '../src/queries/feedback.ts'

export const list_feedback: Handler<'list_feedback'> = async ({ path, query }, { db }) => {
  const { page, pageSize } = query
  const wanted = { limit: pageSize, offset: (page - 1) * pageSize }
  const { feedbacks, total } = await listFeedback(db, path.workspaceId, wanted)
  return { feedbacks, pagination: paginationOf(page, pageSize, total) }
}
