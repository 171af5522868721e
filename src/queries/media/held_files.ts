import { type Kysely, sql, type Transaction } from 'kysely'
import type { Database } from '../../db/schema.ts'

/*
 * A backup holds the rows of one moment, and the files that they refer to lie in the store for as long
 * as the backup may be restored. So a file that no row refers to any more is removed only when no
 * backup is left that began before that.
 *
 * Times are the database's, which all services share.
 */

const workspaceOf = (key: string): string => key.split('/')[0]!
const isNeeded = sql<boolean>`needed_until > clock_timestamp()`

/** A backup begins: from here on, nothing that it will refer to is removed. */
export async function insertBackup(
  db: Kysely<Database>,
  { id, days }: { id: string; days: number },
): Promise<void> {
  await sql`insert into backups (id, begun_at, needed_until)
    values (${id}, clock_timestamp(), clock_timestamp() + make_interval(days => ${days}::integer))`.execute(
    db,
  )
}

/** The backup needs files of the store for so many days more; with 0, none. */
export async function keepBackup(
  db: Kysely<Database>,
  { id, days }: { id: string; days: number },
): Promise<void> {
  await sql`update backups
    set needed_until = clock_timestamp() + make_interval(days => ${days}::integer)
    where id = ${id}`.execute(db)
}

export async function deleteOldBackups(db: Kysely<Database>): Promise<void> {
  await sql`delete from backups where not ${isNeeded}`.execute(db)
}

/**
 * Whether a backup needs a file that no row refers to. The first time it is asked for, this is the
 * moment at which the file became unused. The transaction holds the file's key.
 */
export async function isHeld(trx: Transaction<Database>, key: string): Promise<boolean> {
  const workspaceId = workspaceOf(key)
  const { rows } = await sql<{ held: boolean }>`
    with needed as materialized (select begun_at from backups where ${isNeeded}),
    noted as (
      insert into held_files (workspace_id, file_key, removed_at)
      select ${workspaceId}, ${key}, clock_timestamp() where exists (select from needed)
      on conflict do nothing
      returning removed_at)
    select exists (
      select from needed where begun_at <= coalesce(
        (select removed_at from held_files where workspace_id = ${workspaceId} and file_key = ${key}),
        (select removed_at from noted))) as held`.execute(trx)
  return rows[0]!.held
}

/** Those of the files that no backup needs, as far as is known. */
export async function listNotHeld(db: Kysely<Database>, keys: string[]): Promise<string[]> {
  if (keys.length === 0) return []
  const { rows } = await sql<{ key: string }>`
    select file_key as key from held_files
    where workspace_id = any(${keys.map(workspaceOf)}) and file_key = any(${keys})
      and removed_at >= (select min(begun_at) from backups where ${isNeeded})`.execute(db)
  const held = new Set(rows.map(({ key }) => key))
  return keys.filter((key) => !held.has(key))
}

/** A file is used again, or was removed. */
export async function deleteHeldFile(db: Kysely<Database>, key: string): Promise<void> {
  await sql`delete from held_files
    where workspace_id = ${workspaceOf(key)} and file_key = ${key}`.execute(db)
}
