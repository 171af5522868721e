import { jsonAround, type JsonParts, type JsonRows, type JsonText } from './json_text.ts'

export interface Pagination {
  page: number
  limit: number
  total: number
  totalPages: number
  hasNextPage: boolean
  hasPreviousPage: boolean
}

/** The pagination object of a list. A page beyond the last still has a previous page. */
export function paginationOf(page: number, limit: number, total: number): Pagination {
  const totalPages = Math.ceil(total / limit)
  const hasNextPage = page < totalPages
  const hasPreviousPage = page > 1 && total > 0
  return { page, limit, total, totalPages, hasNextPage, hasPreviousPage }
}

/** The requested page of a list. */
export interface PageRequest {
  page: number
  pageSize: number
}

/** A list whose rows a query built as JSON; fields of `beside` follow the pagination. */
export function listJson<T>(
  name: string,
  rows: JsonRows<unknown>,
  { page, pageSize }: PageRequest,
  total: number,
  beside: object = {},
): JsonText<T> | JsonParts<T> {
  const rest = JSON.stringify({ pagination: paginationOf(page, pageSize, total), ...beside })
  return jsonAround(`{"${name}":`, rows, `,${rest.slice(1)}`)
}

/** Limit and offset of a page, counted from the nearer end of the list. */
export interface Stretch {
  limit: number
  offset: number
  /** Whether the offset counts from the end of the list, in reverse order. */
  reversed: boolean
}

/** The stretch of a page; undefined beyond the last page. */
export function stretchOf(page: number, pageSize: number, total: number): Stretch | undefined {
  const offset = (page - 1) * pageSize
  const limit = Math.min(pageSize, total - offset)
  if (limit <= 0) return undefined
  const fromEnd = total - offset - limit
  // Keep the requested size on the first page, so that every shop shares one prepared statement.
  if (fromEnd >= offset) return { limit: pageSize, offset, reversed: false }
  return { limit, offset: fromEnd, reversed: true }
}
