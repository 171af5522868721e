import { sql } from 'kysely'
import type { Step } from '../migration.ts'
import { briefly, buildIndex } from '../online.ts'

/**
 * How large a picture is, and whether its smaller files are made (0: not yet, 1: they are, 2: it has
 * none). What is there already, and what the build before adds, is measured in the background. The queue
 * keeps processes off each other's pictures.
 */
export const steps: readonly Step[] = [
  {
    name: 'columns',
    run: ({ db }) =>
      briefly(db, async (trx) => {
        await sql`
          alter table media
            add column if not exists width integer,
            add column if not exists height integer,
            add column if not exists variants smallint not null default 0`.execute(trx)
      }),
  },
  {
    name: 'queue',
    run: ({ db }) =>
      briefly(db, async (trx) => {
        await sql`
          create table if not exists picture_queue (
            workspace_id text not null,
            content_hash text not null,
            leased_until timestamptz not null,
            attempts smallint not null default 0,
            constraint picture_queue_key primary key (workspace_id, content_hash)
          )`.execute(trx)
      }),
  },
  {
    name: 'pictures without files',
    run: ({ db }) =>
      buildIndex(db, 'media_pending_index', {
        table: 'media',
        columns: '(workspace_id, id) where variants = 0',
      }),
  },
]
