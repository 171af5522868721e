import { type Kysely, sql, type Transaction } from 'kysely'
import type { MadeKind } from '../../db/schema/change_sets.ts'
import type { Database } from '../../db/schema.ts'
import type { Reason } from '../../texts/refusals.ts'
import { insertCollectionRow } from '../catalogue/collections.ts'
import type { CounterChange } from '../catalogue/counters.ts'
import { type FeedEntry, upserts } from '../catalogue/feed.ts'
import { insertTagRows } from '../catalogue/tags.ts'
import { ofSet, type SetKey } from './change_set_rows.ts'

/*
 * What rows of a file name: tags, collections and pictures, and what is made of these.
 *
 * Raw SQL: what is made is inserted from arrays, and wanted by lists inside JSON.
 */

export interface Named {
  id: string
  name: string
}

/** All tags or collections of a workspace. */
export async function listNamed(
  db: Kysely<Database>,
  workspaceId: string,
  table: 'tags' | 'collections',
): Promise<Named[]> {
  return db
    .selectFrom(table)
    .select(['id', 'name'])
    .where('workspace_id', '=', workspaceId)
    .execute()
}

/** The pictures with these ids or file names. */
export async function findPictures(
  db: Kysely<Database>,
  workspaceId: string,
  named: readonly string[],
): Promise<Named[]> {
  if (named.length === 0) return []
  // As arrays, because there may be more than a statement takes parameters.
  return db
    .selectFrom('media')
    .select(['id', 'file_name as name'])
    .where('workspace_id', '=', workspaceId)
    .where(sql<boolean>`(id = any(${named}) or file_name = any(${named}))`)
    .execute()
}

/** What a set will create. */
export interface Made extends Named {
  kind: MadeKind
  key: Buffer
}

export async function listMakes(db: Kysely<Database>, key: SetKey): Promise<Made[]> {
  const rows = await db
    .selectFrom('change_set_makes')
    .select(['kind', 'name_key as key', 'id', 'name'])
    .where('workspace_id', '=', key.workspaceId)
    .where('change_set_id', '=', key.id)
    .execute()
  return rows
}

export async function insertMakes(
  trx: Transaction<Database>,
  { workspaceId, id }: SetKey,
  makes: readonly Made[],
): Promise<void> {
  if (makes.length === 0) return
  const all = <Name extends keyof Made>(name: Name) => makes.map((made) => made[name])
  await sql`
    insert into change_set_makes (workspace_id, change_set_id, kind, name_key, id, name)
    select ${workspaceId}, ${id}, made.* from unnest(${all('kind')}::text[], ${all('key')}::bytea[],
      ${all('id')}::text[], ${all('name')}::text[]) as made`.execute(trx)
}

/** A plan that is made again looks for missing things anew. */
export async function deleteMakes(trx: Transaction<Database>, key: SetKey): Promise<void> {
  await trx
    .deleteFrom('change_set_makes')
    .where('workspace_id', '=', key.workspaceId)
    .where('change_set_id', '=', key.id)
    .execute()
}

/** What the set must create for its valid rows. */
export function listNeeded(db: Kysely<Database>, key: SetKey): Promise<Made[]> {
  const wanted = (part: string) =>
    db
      .selectFrom('change_set_rows as r')
      .select(sql<string>`json_array_elements_text(r.desired -> ${sql.lit(part)})`.as('id'))
      .where(ofSet(key))
      .where('r.effect', 'in', ['CREATE', 'UPDATE'])
  return db
    .selectFrom('change_set_makes as m')
    .select(['m.kind', 'm.name_key as key', 'm.id', 'm.name'])
    .where('m.workspace_id', '=', key.workspaceId)
    .where('m.change_set_id', '=', key.id)
    .where('m.id', 'in', wanted('tags').unionAll(wanted('addedTo')))
    .orderBy('m.id')
    .execute()
}

/** How creating or deleting tags and collections changes the counters and the feed. */
export interface Recorded {
  counters: Partial<CounterChange>
  entries: FeedEntry[]
}

/** Creates tags and collections; the caller records them. */
export async function makeNamed(
  trx: Transaction<Database>,
  workspaceId: string,
  needed: readonly Made[],
  now: Date,
): Promise<Recorded> {
  const tags = needed.filter(({ kind }) => kind === 'TAG').map(({ id, name }) => ({ id, name }))
  await insertTagRows(trx, workspaceId, tags, now)
  for (const { kind, id, name } of needed)
    if (kind === 'COLLECTION')
      await insertCollectionRow(trx, workspaceId, id, { ...emptyCollection, name }, now)
  return recordedOf(needed, 1)
}

const emptyCollection = { description: '', tagIds: [], imageId: null }

/** Deletes what a set has created, unless it has been used or edited since. */
export async function removeMade(
  trx: Transaction<Database>,
  { workspaceId, id }: SetKey,
  appliedAt: string,
): Promise<Recorded> {
  const made = (kind: MadeKind) =>
    trx
      .selectFrom('change_set_makes as m')
      .select('m.id')
      .where('m.workspace_id', '=', workspaceId)
      .where('m.change_set_id', '=', id)
      .where('m.kind', '=', kind)
  const unlinked = (table: string, column: string) => sql<boolean>`not exists (
    select from ${sql.table(table)} l where l.workspace_id = ${workspaceId}
      and ${sql.ref(`l.${column}`)} = o.id)`
  const collections = await trx
    .deleteFrom('collections as o')
    .where('o.workspace_id', '=', workspaceId)
    .where('o.id', 'in', made('COLLECTION'))
    .where('o.created_at', '=', sql<string>`${appliedAt}::timestamptz`)
    .where('o.description', '=', '')
    .where('o.image_id', 'is', null)
    .where(unlinked('collection_products', 'collection_id'))
    .where(unlinked('collection_tags', 'collection_id'))
    .returning(['o.id', sql<'COLLECTION'>`'COLLECTION'`.as('kind')])
    .execute()
  const tags = await trx
    .deleteFrom('tags as o')
    .where('o.workspace_id', '=', workspaceId)
    .where('o.id', 'in', made('TAG'))
    .where(unlinked('product_tags', 'tag_id'))
    .where(unlinked('collection_tags', 'tag_id'))
    .returning(['o.id', sql<'TAG'>`'TAG'`.as('kind')])
    .execute()
  return recordedOf([...tags, ...collections], -1)
}

function recordedOf(made: readonly Pick<Made, 'kind' | 'id'>[], sign: 1 | -1): Recorded {
  const ids = (kind: MadeKind) => made.filter((each) => each.kind === kind).map(({ id }) => id)
  const [tags, collections] = [ids('TAG'), ids('COLLECTION')]
  const entries = [...upserts('TAG', tags), ...upserts('COLLECTION', collections)]
  return {
    counters: { tags_total: sign * tags.length, collections_total: sign * collections.length },
    entries: sign > 0 ? entries : entries.map((entry) => ({ ...entry, action: 'DELETE' as const })),
  }
}

/** The pictures of an upload, fetched or failed, by the hexadecimal hash of their URL. */
export async function listFetched(
  db: Kysely<Database>,
  { workspaceId, uploadId }: { workspaceId: string; uploadId: string },
  hashes: readonly Buffer[],
): Promise<Map<string, { mediaId: string | null; refusal: Reason | null }>> {
  const rows = await db
    .selectFrom('fetched_pictures as f')
    .select([
      sql<string>`encode(f.url_hash, 'hex')`.as('hash'),
      'f.media_id as mediaId',
      'f.refusal',
    ])
    .where('f.workspace_id', '=', workspaceId)
    .where('f.upload_id', '=', uploadId)
    .where('f.url_hash', '=', sql<Buffer>`any(${hashes}::bytea[])`)
    .where((eb) =>
      eb.or([
        eb('f.media_id', 'is', null),
        eb.exists(
          eb
            .selectFrom('media as m')
            .select('m.id')
            .where('m.workspace_id', '=', workspaceId)
            .whereRef('m.id', '=', 'f.media_id'),
        ),
      ]),
    )
    .execute()
  return new Map(rows.map(({ hash, ...fetched }) => [hash, fetched]))
}

export async function saveFetched(
  db: Kysely<Database>,
  { workspaceId, uploadId }: { workspaceId: string; uploadId: string },
  { hash, ...fetched }: { hash: Buffer; mediaId: string | null; refusal: Reason | null },
  now: Date,
): Promise<void> {
  const values = {
    media_id: fetched.mediaId,
    refusal: fetched.refusal === null ? null : JSON.stringify(fetched.refusal),
    fetched_at: now,
  }
  await db
    .insertInto('fetched_pictures')
    .values({ workspace_id: workspaceId, upload_id: uploadId, url_hash: hash, ...values })
    .onConflict((on) => on.columns(['workspace_id', 'upload_id', 'url_hash']).doUpdateSet(values))
    .execute()
}

/** Forgets failed pictures, so that they are tried again. */
export async function deleteRefused(
  trx: Transaction<Database>,
  workspaceId: string,
  uploadId: string,
): Promise<void> {
  await trx
    .deleteFrom('fetched_pictures')
    .where('workspace_id', '=', workspaceId)
    .where('upload_id', '=', uploadId)
    .where('media_id', 'is', null)
    .execute()
}
