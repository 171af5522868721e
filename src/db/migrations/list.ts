import type { Kysely } from 'kysely'
import * as service from './0001_service.ts'
import * as accounts from './0002_accounts.ts'
import * as workspaces from './0003_workspaces.ts'
import * as catalogue from './0004_catalogue.ts'
import * as catalogueWords from './0015_catalogue_words.ts'

/**
 * Every migration in the order it is applied. The list is written out, because the service is
 * bundled into one file and has no folder to read when it runs.
 */
export const migrations: Record<string, { up(db: Kysely<unknown>): Promise<void> }> = {
  '0001_service': service,
  '0002_accounts': accounts,
  '0003_workspaces': workspaces,
  '0004_catalogue': catalogue,
  '0015_catalogue_words': catalogueWords,
}
