import { type Kysely, sql, type Transaction } from 'kysely'
import type { Database } from '../../db/schema.ts'

/*
 * A backup holds the rows of one moment. The files they refer to must stay in the store as long as the
 * backup may be restored, so an unreferenced file is removed only when no backup is left that began before
 * it became unused.
 *
 * Times are the database's, which all services share.
 *
 * Raw SQL: a statement that notes and compares in one snapshot.
 */

const workspaceOf = (key: string): string => key.split('/')[0]!
const databaseTime = sql<string>`clock_timestamp()`
const daysFromNow = (days: number) =>
  sql<string>`clock_timestamp() + make_interval(days => ${days}::integer)`
const isNeeded = sql<boolean>`needed_until > clock_timestamp()`

/** Records that a backup begins: from now on, no file that it will refer to is removed. */
export async function insertBackup(
  db: Kysely<Database>,
  { id, days }: { id: string; days: number },
): Promise<void> {
  await db
    .insertInto('backups')
    .values({ id, begun_at: databaseTime, needed_until: daysFromNow(days) })
    .execute()
}

/** Keeps the files of the backup for this many more days; with 0, no longer. */
export async function keepBackup(
  db: Kysely<Database>,
  { id, days }: { id: string; days: number },
): Promise<void> {
  await db
    .updateTable('backups')
    .set({ needed_until: daysFromNow(days) })
    .where('id', '=', id)
    .execute()
}

export async function deleteOldBackups(db: Kysely<Database>): Promise<void> {
  await db
    .deleteFrom('backups')
    .where((eb) => eb.not(isNeeded))
    .execute()
}

/**
 * Whether a backup needs an unreferenced file. The first call for a file records the moment it became
 * unused. The transaction holds the file's key.
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

/** The files among these that no backup needs, as far as is known. */
export async function listNotHeld(db: Kysely<Database>, keys: string[]): Promise<string[]> {
  if (keys.length === 0) return []
  const rows = await db
    .selectFrom('held_files')
    .select('file_key as key')
    .where('workspace_id', '=', sql<string>`any(${keys.map(workspaceOf)})`)
    .where('file_key', '=', sql<string>`any(${keys})`)
    .where('removed_at', '>=', (eb) =>
      eb
        .selectFrom('backups')
        .select(({ fn }) => fn.min('begun_at').as('first'))
        .where(isNeeded),
    )
    .execute()
  const held = new Set(rows.map(({ key }) => key))
  return keys.filter((key) => !held.has(key))
}

/** Forgets a file that is used again or was removed. */
export async function deleteHeldFile(db: Kysely<Database>, key: string): Promise<void> {
  await db
    .deleteFrom('held_files')
    .where('workspace_id', '=', workspaceOf(key))
    .where('file_key', '=', key)
    .execute()
}
