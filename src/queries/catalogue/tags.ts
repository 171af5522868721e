import { type Kysely, sql, type Transaction } from 'kysely'
import { notFound } from '../../core/errors.ts'
import { newId } from '../../core/ids.ts'
import { stretchOf } from '../../core/paging.ts'
import { likePatternOf, searchTextOf } from '../../core/text.ts'
import { plannedEachTime, statementOf, workspaceRead } from '../../db/prepared.ts'
import { selectList } from '../../db/read_fields.ts'
import type { Database } from '../../db/schema.ts'
import type { components } from '../../generated/types.ts'
import { getCatalogueCounts, recordChange } from './counters.ts'
import { type FeedEntry, upserts } from './feed.ts'
import { nameOrder } from './name_order.ts'
import { storedTag, tagFields } from './tag_fields.ts'

type Tag = components['schemas']['Tag']
type TagWrite = components['schemas']['TagWrite']

const list = selectList(tagFields)

const findTag = workspaceRead<{ workspaceId: string; id: string }>()(
  plannedEachTime,
  (db, parameter) =>
    db
      .selectFrom('tags as t')
      .select(list)
      .where('workspace_id', '=', parameter('workspaceId'))
      .where('id', '=', parameter('id')),
)

export async function getTag(db: Kysely<Database>, workspaceId: string, id: string): Promise<Tag> {
  const [tag] = await findTag(db, { workspaceId, id })
  if (!tag) throw notFound('tag')
  return tag
}

export async function lockTag(
  trx: Transaction<Database>,
  workspaceId: string,
  id: string,
): Promise<Tag> {
  const tag = await trx
    .selectFrom('tags as t')
    .select(list)
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()
  if (!tag) throw notFound('tag')
  return tag
}

interface TagsParameters {
  workspaceId: string
  pattern: string
  limit: number
  offset: number
}

const countFound = workspaceRead<TagsParameters>()(plannedEachTime, (db, parameter) =>
  db
    .selectFrom('tags as t')
    .where('workspace_id', '=', parameter('workspaceId'))
    .where('search', 'like', parameter('pattern'))
    .select(sql<number>`count(*)`.as('total')),
)

const pageOf = (isSearch: boolean, reversed: boolean) =>
  statementOf(`tags ${isSearch} ${reversed}`, () =>
    workspaceRead<TagsParameters>()(plannedEachTime, (db, parameter) => {
      const direction = reversed ? 'desc' : 'asc'
      return db
        .selectFrom('tags as t')
        .where('workspace_id', '=', parameter('workspaceId'))
        .$if(isSearch, (query) => query.where('search', 'like', parameter('pattern')))
        .select(list)
        .orderBy(nameOrder('t.name'), direction)
        .orderBy('id', direction)
        .limit(parameter('limit'))
        .offset(parameter('offset'))
    }),
  )

/** A page of tags by name, and the total that the search finds. */
export async function listTags(
  db: Kysely<Database>,
  workspaceId: string,
  { search, page, pageSize }: { search: string; page: number; pageSize: number },
): Promise<{ tags: Tag[]; total: number }> {
  const found = { workspaceId, pattern: likePatternOf(search) }
  const total = search
    ? (await countFound(db, { ...found, limit: 0, offset: 0 }))[0]!.total
    : (await getCatalogueCounts(db, workspaceId)).tags
  const stretch = stretchOf(page, pageSize, total)
  if (!stretch) return { tags: [], total }
  const { limit, offset, reversed } = stretch
  const tags = await pageOf(search !== '', reversed)(db, { ...found, limit, offset })
  return { tags: reversed ? tags.reverse() : tags, total }
}

const rowsAtOnce = 1000

function columnsOf(tag: TagWrite, now: Date) {
  return { ...storedTag.columnsOf(tag), search: searchTextOf(tag.name), updated_at: now }
}

/** Inserts tags; the caller records them. */
export async function insertTagRows(
  trx: Transaction<Database>,
  workspaceId: string,
  tags: readonly (TagWrite & { id: string })[],
  now: Date,
): Promise<void> {
  const place = { workspace_id: workspaceId, created_at: now }
  // A statement takes a limited number of values.
  for (let first = 0; first < tags.length; first += rowsAtOnce) {
    const some = tags.slice(first, first + rowsAtOnce)
    await trx
      .insertInto('tags')
      .values(some.map(({ id, ...tag }) => ({ ...columnsOf(tag, now), ...place, id })))
      .execute()
  }
}

export async function insertTag(
  trx: Transaction<Database>,
  workspaceId: string,
  tag: TagWrite,
  now: Date,
): Promise<Tag> {
  const id = newId('tag')
  await insertTagRows(trx, workspaceId, [{ ...tag, id }], now)
  const counters = { tags_total: 1, changes: 1 }
  await recordChange(trx, workspaceId, { counters, entries: upserts('TAG', [id]) }, now)
  return { id, ...tag }
}

export async function updateTag(
  trx: Transaction<Database>,
  workspaceId: string,
  id: string,
  tag: TagWrite,
  now: Date,
): Promise<Tag> {
  await trx
    .updateTable('tags')
    .set(columnsOf(tag, now))
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .execute()
  const entries = upserts('TAG', [id])
  await recordChange(trx, workspaceId, { counters: { changes: 1 }, entries }, now)
  return { id, ...tag }
}

/** Deletes a locked tag; foreign keys remove it from products and collections. */
export async function deleteTag(
  trx: Transaction<Database>,
  workspaceId: string,
  id: string,
  now: Date,
): Promise<void> {
  const products = await trx
    .selectFrom('product_tags')
    .select('product_id as id')
    .where('workspace_id', '=', workspaceId)
    .where('tag_id', '=', id)
    .execute()
  const collections = await trx
    .selectFrom('collection_tags')
    .select('collection_id as id')
    .where('workspace_id', '=', workspaceId)
    .where('tag_id', '=', id)
    .execute()
  await trx
    .deleteFrom('tags')
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .execute()
  const entries: FeedEntry[] = [
    { kind: 'TAG', id, action: 'DELETE' },
    ...upserts('PRODUCT', idsOf(products)),
    ...upserts('COLLECTION', idsOf(collections)),
  ]
  await recordChange(trx, workspaceId, { counters: { tags_total: -1, changes: 1 }, entries }, now)
}

const idsOf = (rows: readonly { id: string }[]): string[] => rows.map(({ id }) => id)
