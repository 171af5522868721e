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
