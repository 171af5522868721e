import type { Step } from '../migration.ts'
import { buildIndex } from '../online.ts'

/* What finds the visitors' questions that are kept no longer. */

const name = 'unanswered_questions_last_asked_index'

export const steps: readonly Step[] = [
  {
    name,
    run: ({ db }) =>
      buildIndex(db, name, { table: 'unanswered_questions', columns: '(last_asked_at)' }),
  },
]
