import { paginationOf } from '../src/core/paging.ts'
import type { Handler } from '../src/operation.ts'
import { listFeedback } from '../src/queries/site/feedback.ts'

export const list_feedback: Handler<'list_feedback'> = async ({ path, query }, { db }) => {
  const { feedbacks, total } = await listFeedback(db, path.workspaceId, query)
  return { feedbacks, pagination: paginationOf(query.page, query.pageSize, total) }
}
