/** What the page of usage shows, as its address keeps it. */
export interface UsageQuery extends Record<string, string> {
  page: string
  from: string
  to: string
  by: string
  metric: string
  /** Whether the team, its keys and its agents are shown, too. */
  all: string
}

export type ChangeQuery = (part: Partial<UsageQuery>) => void
