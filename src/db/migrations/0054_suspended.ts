import type { Step } from '../migration.ts'
import { buildIndex } from '../online.ts'

/* Staff list the suspended, who are few among many. */

const tables = ['accounts', 'workspaces'] as const

export const steps: readonly Step[] = tables.map((table) => ({
  name: table,
  run: ({ db }) =>
    buildIndex(db, `${table}_suspended_index`, {
      table,
      columns: `(id) where status = 'SUSPENDED'`,
    }),
}))
