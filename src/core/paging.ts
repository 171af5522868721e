import type { JsonText } from './json_text.ts'

export interface Pagination {
  page: number
  limit: number
  total: number
  totalPages: number
  hasNextPage: boolean
  hasPreviousPage: boolean
}

/** The pagination object of a list. Beyond the last page there is still a previous one. */
export function paginationOf(page: number, limit: number, total: number): Pagination {
  const totalPages = Math.ceil(total / limit)
  const hasNextPage = page < totalPages
  const hasPreviousPage = page > 1 && total > 0
  return { page, limit, total, totalPages, hasNextPage, hasPreviousPage }
}

/** The page that a list was asked for. */
export interface PageRequest {
  page: number
  pageSize: number
}

/** A list whose rows a query has built as JSON; what stands `beside` them follows the pagination. */
export function listJson<T>(
  name: string,
  rows: JsonText<unknown[]>,
  { page, pageSize }: PageRequest,
  total: number,
  beside: object = {},
): JsonText<T> {
  const rest = JSON.stringify({ pagination: paginationOf(page, pageSize, total), ...beside })
  return `{"${name}":${rows},${rest.slice(1)}` as JsonText<T>
}

/** Where the rows of a page stand, counted from the nearer end of the list. */
export interface Stretch {
  limit: number
  offset: number
  /** Whether it is counted from the far end, in the opposite order. */
  reversed: boolean
}

/** The rows of a page, reached from the end that is nearer; undefined beyond the last page. */
export function stretchOf(page: number, pageSize: number, total: number): Stretch | undefined {
  const offset = (page - 1) * pageSize
  const limit = Math.min(pageSize, total - offset)
  if (limit <= 0) return undefined
  const fromEnd = total - offset - limit
  // The first page keeps its size as asked for, so that it is the same statement in every shop.
  if (fromEnd >= offset) return { limit: pageSize, offset, reversed: false }
  return { limit, offset: fromEnd, reversed: true }
}
