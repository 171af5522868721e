import type { Kysely } from 'kysely'
import * as service from './0001_service.ts'
import * as accounts from './0002_accounts.ts'
import * as workspaces from './0003_workspaces.ts'
import * as catalogue from './0004_catalogue.ts'
import * as catalogueSpeed from './0005_catalogue_speed.ts'
import * as mediaUploads from './0006_media_uploads.ts'
import * as agents from './0007_agents.ts'
import * as usage from './0008_usage.ts'
import * as visitors from './0009_visitors.ts'
import * as wallets from './0010_wallets.ts'
import * as challenges from './0011_challenges.ts'
import * as administration from './0012_administration.ts'
import * as chats from './0013_chats.ts'
import * as catalogueWords from './0015_catalogue_words.ts'
import * as countedLists from './0016_counted_lists.ts'
import * as foundWords from './0017_found_words.ts'

/**
 * Every migration in the order it is applied. The list is written out, because the service is
 * bundled into one file and has no folder to read when it runs. There is no 0014: a number that was
 * set aside and not used. Applied migrations are recorded by name, so later ones keep theirs.
 */
export const migrations: Record<string, { up(db: Kysely<unknown>): Promise<void> }> = {
  '0001_service': service,
  '0002_accounts': accounts,
  '0003_workspaces': workspaces,
  '0004_catalogue': catalogue,
  '0005_catalogue_speed': catalogueSpeed,
  '0006_media_uploads': mediaUploads,
  '0007_agents': agents,
  '0008_usage': usage,
  '0009_visitors': visitors,
  '0010_wallets': wallets,
  '0011_challenges': challenges,
  '0012_administration': administration,
  '0013_chats': chats,
  '0015_catalogue_words': catalogueWords,
  '0016_counted_lists': countedLists,
  '0017_found_words': foundWords,
}
