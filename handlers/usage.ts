import { csvOfPages } from '../src/core/csv.ts'
import { paginationOf } from '../src/core/paging.ts'
import { periodBefore } from '../src/domain/credits/period_before.ts'
import { usageRange } from '../src/domain/credits/usage_range.ts'
import type { Handler } from '../src/operation.ts'
import { listTopQuestions } from '../src/queries/assistant/top_questions.ts'
import { getDigest, updateDigest } from '../src/queries/people/digests.ts'
import { countByMode, countVisitors, countVisitorsByDay } from '../src/queries/credits/insights.ts'
import { countByProduct } from '../src/queries/credits/product_statistics.ts'
import {
  countUsageByDay,
  listUsageEvents,
  reportUsage,
} from '../src/queries/credits/usage_reports.ts'
import { listSiteFigures } from '../src/queries/site/site_counts.ts'

export const get_usage_report: Handler<'get_usage_report'> = async (
  { path, query },
  { db, now },
) => {
  const { page, pageSize, actorType } = query
  const { from, to, ...moments } = usageRange(query, now)
  const filters = { ...moments, actorType }
  const { usage, total, totals } = await reportUsage(db, path.workspaceId, filters, query)
  return { usage, pagination: paginationOf(page, pageSize, total), totals, from, to }
}

export const list_usage_events: Handler<'list_usage_events'> = async (
  { path, query },
  { db, now },
) => {
  const { page, pageSize, actorType, eventName } = query
  const { firstMoment, endMoment } = usageRange(query, now)
  const filters = { firstMoment, endMoment, actorType, eventName }
  const { events, total } = await listUsageEvents(db, path.workspaceId, filters, query)
  return { events, pagination: paginationOf(page, pageSize, total) }
}

export const export_usage_events: Handler<'export_usage_events'> = ({ path, query }, caller) => {
  const { actorType, eventName } = query
  const { firstMoment, endMoment } = usageRange(query, caller.now)
  const filters = { firstMoment, endMoment, actorType, eventName }
  return Promise.resolve(
    csvOfPages(
      'usage-events.csv',
      {
        id: true,
        createdAt: true,
        actorType: true,
        userId: true,
        eventName: true,
        endpoint: true,
        resourceType: true,
        resourceId: true,
        creditDelta: true,
        modelKey: true,
        status: true,
      },
      async (page) => (await listUsageEvents(caller.db, path.workspaceId, filters, page)).events,
    ),
  )
}

export const get_usage_by_day: Handler<'get_usage_by_day'> = async (
  { path, query },
  { db, now },
) => {
  const { from, to, ...moments } = usageRange(query, now)
  const days = await countUsageByDay(db, path.workspaceId, moments, query.by)
  return { days, from, to }
}

export const get_insights: Handler<'get_insights'> = async ({ path, query }, { db, now }) => {
  const range = usageRange(query, now)
  const { workspaceId } = path
  const before = periodBefore(range)
  // One after the other: a page makes many calls at once, and each should need one connection.
  const figures = await countVisitors(db, workspaceId, range)
  const figuresBefore = await countVisitors(db, workspaceId, before)
  const days = await countVisitorsByDay(db, workspaceId, range)
  const modes = await countByMode(db, workspaceId, range)
  return { from: range.from, to: range.to, before, figures, figuresBefore, days, modes }
}

/** Entries of each list. */
const listedFigures = 20

export const get_site_figures: Handler<'get_site_figures'> = async (
  { path, query },
  { db, now },
) => {
  const { from, to } = usageRange(query, now)
  const place = { from, to, length: listedFigures }
  return { from, to, ...(await listSiteFigures(db, path.workspaceId, place)) }
}

export const list_top_questions: Handler<'list_top_questions'> = async (
  { path, query },
  { db, now },
) => {
  const { from, to, ...moments } = usageRange(query, now)
  const questions = await listTopQuestions(db, path.workspaceId, moments, listedFigures)
  return { from, to, questions }
}

export const get_digest: Handler<'get_digest'> = async ({ path }, { db, accountId }) => ({
  every: await getDigest(db, path.workspaceId, accountId),
})

export const update_digest: Handler<'update_digest'> = async ({ path, body }, caller) => {
  const { accountId, now } = caller
  const member = { workspaceId: path.workspaceId, accountId }
  return caller.transaction(async (trx) => {
    await updateDigest(trx, member, body.every, now)
    return { every: body.every }
  })
}

export const get_product_statistics: Handler<'get_product_statistics'> = async (
  { path, query },
  { db, now },
) => {
  const { page, pageSize } = query
  const { from, to, ...moments } = usageRange(query, now)
  const { products, total } = await countByProduct(db, path.workspaceId, moments, query)
  return { products, pagination: paginationOf(page, pageSize, total), from, to }
}
