/** In milliseconds. */
export const day = 24 * 3600_000

/** A UTC date, as quotas and reports count days. */
export function daysAgo(days: number): string {
  return new Date(Date.now() - days * day).toISOString().slice(0, 10)
}
