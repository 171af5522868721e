import { csvOfPages } from '../src/core/csv.ts'
import { paginationOf } from '../src/core/paging.ts'
import { rangeBefore, usageRange } from '../src/domain/credits/usage_range.ts'
import type { Caller, Handler, Input } from '../src/operation.ts'
import { listTopQuestions } from '../src/queries/assistant/top_questions.ts'
import { getDigest, updateDigest } from '../src/queries/people/digests.ts'
import { countByMode, countVisitors, countVisitorsByDay } from '../src/queries/credits/insights.ts'
import { countByProduct } from '../src/queries/credits/product_statistics.ts'
import {
  countUsageByDay,
  listUsageEvents,
  reportUsage,
} from '../src/queries/credits/usage_reports.ts'
import { findTimeZone } from '../src/queries/people/workspaces.ts'
import { listSiteFigures } from '../src/queries/site/site_counts.ts'

/** The days that a report is about, in UTC or in the shop's time zone. */
async function daysOf(
  workspaceId: string,
  query: Input<'get_insights'>['query'],
  { db, now }: Pick<Caller, 'db' | 'now'>,
) {
  const isShops = query.days === 'SHOP'
  const timeZone = (isShops && (await findTimeZone(db, workspaceId))) || 'UTC'
  return { range: usageRange(query, timeZone, now), timeZone }
}

export const get_usage_report: Handler<'get_usage_report'> = async ({ path, query }, caller) => {
  const { db } = caller
  const { page, pageSize, actorType } = query
  const { range } = await daysOf(path.workspaceId, query, caller)
  const filters = { range, actorType }
  const { usage, total, totals } = await reportUsage(db, path.workspaceId, filters, query)
  return {
    usage,
    pagination: paginationOf(page, pageSize, total),
    totals,
    from: range.from,
    to: range.to,
  }
}

export const list_usage_events: Handler<'list_usage_events'> = async (
  { path, query },
  { db, now },
) => {
  const { page, pageSize, actorType, eventName } = query
  const filters = { range: usageRange(query, 'UTC', now), actorType, eventName }
  const { events, total } = await listUsageEvents(db, path.workspaceId, filters, query)
  return { events, pagination: paginationOf(page, pageSize, total) }
}

export const export_usage_events: Handler<'export_usage_events'> = async (
  { path, query },
  caller,
) => {
  const { actorType, eventName } = query
  const { range } = await daysOf(path.workspaceId, query, caller)
  const filters = { range, actorType, eventName }
  return csvOfPages(
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
  )
}

export const get_usage_by_day: Handler<'get_usage_by_day'> = async ({ path, query }, caller) => {
  const { range } = await daysOf(path.workspaceId, query, caller)
  const days = await countUsageByDay(caller.db, path.workspaceId, range, query.by)
  return { days, from: range.from, to: range.to }
}

export const get_insights: Handler<'get_insights'> = async ({ path, query }, caller) => {
  const { db } = caller
  const { workspaceId } = path
  const { range, timeZone } = await daysOf(workspaceId, query, caller)
  const { from, to } = range
  const before = rangeBefore(range, timeZone)
  // One after the other: a page makes many calls at once, and each should need one connection.
  const figures = await countVisitors(db, workspaceId, range)
  const figuresBefore = await countVisitors(db, workspaceId, before)
  const days = await countVisitorsByDay(db, workspaceId, range)
  const modes = await countByMode(db, workspaceId, range)
  const compared = { from: before.from, to: before.to }
  return { from, to, before: compared, figures, figuresBefore, days, modes }
}

/** Entries of each list. */
const listedFigures = 20

export const get_site_figures: Handler<'get_site_figures'> = async ({ path, query }, caller) => {
  const { range } = await daysOf(path.workspaceId, query, caller)
  const figures = await listSiteFigures(caller.db, path.workspaceId, range, listedFigures)
  return { from: range.from, to: range.to, ...figures }
}

export const list_top_questions: Handler<'list_top_questions'> = async (
  { path, query },
  caller,
) => {
  const { range } = await daysOf(path.workspaceId, query, caller)
  const questions = await listTopQuestions(caller.db, path.workspaceId, range, listedFigures)
  return { from: range.from, to: range.to, questions }
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
  caller,
) => {
  const { page, pageSize } = query
  const { range } = await daysOf(path.workspaceId, query, caller)
  const { from, to } = range
  const { products, total } = await countByProduct(caller.db, path.workspaceId, range, query)
  return { products, pagination: paginationOf(page, pageSize, total), from, to }
}
