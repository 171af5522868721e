import { type Kysely, sql, type Transaction } from 'kysely'
import { invalidInput } from '../../core/errors.ts'
import type { FileSource } from '../../db/schema/change_sets.ts'
import type { Database } from '../../db/schema.ts'
import type { components } from '../../generated/types.ts'
import type { SetKey } from './change_set_rows.ts'

type Schemas = components['schemas']

/* Raw SQL: the rows of files are inserted from JSON, and copied without their cells being read here. */

/** How many uploads a workspace keeps. */
const mostKept = 10

/** Starts an upload, whose rows follow. */
export async function beginUpload(
  db: Kysely<Database>,
  { workspaceId, id }: SetKey,
  { fileName, format }: { fileName: string; format: FileSource['format'] },
  now: Date,
): Promise<void> {
  await db
    .insertInto('change_set_uploads')
    .values({
      workspace_id: workspaceId,
      id,
      file_name: fileName,
      format,
      columns: '[]',
      rows: 0,
      is_complete: false,
      created_at: now,
    })
    .execute()
}

/** Adds rows, each the text of its cells. */
export async function insertUploadRows(
  db: Kysely<Database>,
  { workspaceId, id }: SetKey,
  first: number,
  rows: readonly string[],
): Promise<void> {
  await sql`
    insert into change_set_upload_rows (workspace_id, upload_id, number, cells)
    select ${workspaceId}, ${id}, ${first}::integer + sent.place - 1, sent.item
    from json_array_elements(${`[${rows.join()}]`}::json) with ordinality as sent (item, place)
    `.execute(db)
}

/** Completes an upload, and deletes the oldest ones beyond the limit. */
export async function completeUpload(
  trx: Transaction<Database>,
  { workspaceId, id }: SetKey,
  { rows, columns }: Pick<Schemas['ChangeSetUpload'], 'rows' | 'columns'>,
): Promise<void> {
  await trx
    .updateTable('change_set_uploads')
    .set({ rows, columns: JSON.stringify(columns), is_complete: true })
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .execute()
  const surplus = await trx
    .selectFrom('change_set_uploads')
    .select('id')
    .where('workspace_id', '=', workspaceId)
    .where('is_complete', '=', true)
    .orderBy('id', 'desc')
    .offset(mostKept)
    .execute()
  for (const upload of surplus) await deleteUpload(trx, { workspaceId, id: upload.id })
}

export async function deleteUpload(
  db: Kysely<Database>,
  { workspaceId, id }: SetKey,
): Promise<void> {
  await db
    .deleteFrom('change_set_upload_rows')
    .where('workspace_id', '=', workspaceId)
    .where('upload_id', '=', id)
    .execute()
  await db
    .deleteFrom('change_set_uploads')
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .execute()
}

export interface StoredUpload {
  fileName: string
  format: FileSource['format']
  columns: Schemas['ChangeSetColumn'][]
  rows: number
}

/** An upload, if it was completed after this time. */
export async function getUpload(
  db: Kysely<Database>,
  { workspaceId, id }: SetKey,
  since: Date,
): Promise<StoredUpload> {
  const upload = await db
    .selectFrom('change_set_uploads')
    .select(['file_name as fileName', 'format', 'columns', 'rows'])
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .where('is_complete', '=', true)
    .where('created_at', '>', sql<string>`${since}`)
    .executeTakeFirst()
  if (!upload) throw invalidInput({ uploadId: ['notInWorkspace', { id }] })
  return upload
}

/**
 * Copies the rows of an upload to a set, without the columns that it leaves out. A row with more cells than
 * columns is copied as it is, to be reported as wrong.
 */
export async function copyRows(
  trx: Transaction<Database>,
  { workspaceId, id }: SetKey,
  { uploadId, columns }: FileSource,
): Promise<number> {
  const taken = columns.map(({ field }, place) =>
    field === null ? sql`null` : sql`u.cells -> ${sql.lit(place)}`,
  )
  const cells = sql`case when json_array_length(u.cells) > ${columns.length} then u.cells
    else array_to_json(array[${sql.join(taken)}]::json[]) end`
  const { numAffectedRows = 0n } = await sql`
    insert into change_set_rows (workspace_id, change_set_id, number, action, input)
    select u.workspace_id, ${id}, u.number, 'upsert', ${cells} from change_set_upload_rows u
    where u.workspace_id = ${workspaceId} and u.upload_id = ${uploadId}`.execute(trx)
  return Number(numAffectedRows)
}

/** The next cells of one column of an upload that mention a URL. */
export function listCells(
  db: Kysely<Database>,
  { workspaceId, id }: SetKey,
  { column, after, count }: { column: number; after: number; count: number },
): Promise<{ number: number; cell: unknown }[]> {
  const cell = sql<unknown>`u.cells -> ${sql.lit(column)}`
  return db
    .selectFrom('change_set_upload_rows as u')
    .select(['u.number', cell.as('cell')])
    .where('u.workspace_id', '=', workspaceId)
    .where('u.upload_id', '=', id)
    .where('u.number', '>', after)
    .where(sql<boolean>`(${cell})::text like '%://%'`)
    .orderBy('u.number')
    .limit(count)
    .execute()
}
