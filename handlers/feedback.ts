import { csvOfPages } from '../src/core/csv.ts'
import { paginationOf } from '../src/core/paging.ts'
import type { Handler } from '../src/operation.ts'
import { listFeedback } from '../src/queries/site/feedback.ts'

export const list_feedback: Handler<'list_feedback'> = async ({ path, query }, { db }) => {
  const { feedbacks, total } = await listFeedback(db, path.workspaceId, query)
  return { feedbacks, pagination: paginationOf(query.page, query.pageSize, total) }
}

export const export_feedback: Handler<'export_feedback'> = ({ path }, { db }) =>
  Promise.resolve(
    csvOfPages(
      'feedback.csv',
      { id: true, createdAt: true, userId: true, message: true },
      async (page) => (await listFeedback(db, path.workspaceId, page)).feedbacks,
    ),
  )
