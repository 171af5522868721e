import type { Step } from '../migration.ts'
import { buildIndex } from '../online.ts'

/*
 * Mails that were never tried are found apart from those that wait to be sent again, so that neither
 * has to be read for the other. Decided requests of agents are found by their account.
 */

export const steps: readonly Step[] = [
  {
    name: 'mails_fresh_index',
    run: ({ db }) =>
      buildIndex(db, 'mails_fresh_index', {
        table: 'mails',
        columns: '(is_urgent, turn, id) where failed_at is null and attempts = 0',
      }),
  },
  {
    name: 'mails_again_index',
    run: ({ db }) =>
      buildIndex(db, 'mails_again_index', {
        table: 'mails',
        columns: '(is_urgent, next_attempt_at) where failed_at is null and attempts > 0',
      }),
  },
  {
    name: 'authorization_requests_account_index',
    run: ({ db }) =>
      buildIndex(db, 'authorization_requests_account_index', {
        table: 'authorization_requests',
        columns: '(account_id) where account_id is not null',
      }),
  },
]
