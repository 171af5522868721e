import type { Step } from '../migration.ts'
import { buildIndex } from '../online.ts'

export const steps: readonly Step[] = [
  {
    // What finds the questions that are kept no longer.
    name: 'unanswered_questions_asked_index',
    run: ({ db }) =>
      buildIndex(db, 'unanswered_questions_asked_index', {
        table: 'unanswered_questions',
        columns: '(last_asked_at)',
      }),
  },
]
