import { type Kysely, type RawBuilder, sql, type Transaction } from 'kysely'
import { prepared, tableOf, workspaceRead } from '../../db/prepared.ts'
import { isoTime, jsonObject, type ReadFields } from '../../db/read_fields.ts'
import type { Database } from '../../db/schema.ts'
import type { FeedAction, FeedKind } from '../../db/schema/catalogue.ts'
import type { components } from '../../generated/types.ts'

type CatalogueChange = components['schemas']['CatalogueChange']

/*
 * The change feed of a workspace. A writer takes the numbers of its changes from the workspace's head and
 * keeps that row locked until it commits. So numbers follow the order of commits, without gaps, and no
 * change ever appears before one that a reader has already seen, whatever other workspaces do.
 *
 * Writers of a workspace queue for the head. Taken last, after the counters and the counts of usage:
 * whoever holds it waits for nothing that another writer could hold. The entries of a call wait for the
 * end of its transaction, so that others queue for its last statement and its commit alone.
 *
 * Raw SQL: the head is taken and entries are written in one statement, of which other files use the parts.
 */

/** A change, or another event, in the order in which it is written. */
export interface FeedEntry {
  kind: FeedKind
  /** Of the resource; of a website, its workspace's. */
  id: string
  action: FeedAction
}

/** Entries as the arrays that one statement takes. */
export interface FeedColumns {
  kinds: string[]
  resourceIds: string[]
  actions: string[]
}

export function feedColumns(entries: readonly FeedEntry[]): FeedColumns {
  return {
    kinds: entries.map(({ kind }) => kind),
    resourceIds: entries.map(({ id }) => id),
    actions: entries.map(({ action }) => action),
  }
}

/** An entry for each of the resources. */
export function upserts(kind: FeedKind, ids: readonly string[]): FeedEntry[] {
  return ids.map((id) => ({ kind, id, action: 'UPSERT' }))
}

/**
 * The end of a statement that writes entries: takes the head, then inserts them. `from` decides whether
 * there is anything to write; because the statement reads its rows, the head is taken after them.
 */
export function takeHead(
  workspaceId: RawBuilder<unknown>,
  kinds: RawBuilder<unknown>,
  from: RawBuilder<unknown>,
): RawBuilder<unknown> {
  return sql`insert into ${tableOf('feed_heads')} as h (workspace_id, last)
    select ${workspaceId}, cardinality(${kinds}) ${from}
    on conflict (workspace_id) do update set last = h.last + excluded.last returning last`
}

/** Inserts the entries with the numbers up to the one that `head` has. */
export function insertEntries(
  workspaceId: RawBuilder<unknown>,
  columns: Record<keyof FeedColumns, RawBuilder<unknown>>,
  now: RawBuilder<unknown>,
): RawBuilder<unknown> {
  const { kinds, resourceIds, actions } = columns
  return sql`insert into ${tableOf('catalogue_changes')}
      (workspace_id, number, kind, resource_id, action, changed_at)
    select ${workspaceId}, head.last - cardinality(${kinds}) + entry.place, entry.kind, entry.id,
      entry.action, ${now}
    from head, unnest(${kinds}, ${resourceIds}, ${actions}) with ordinality
      as entry (kind, id, action, place)`
}

const writeEntries = prepared<FeedColumns & { workspaceId: string; now: Date }>()(
  'write_feed_entries',
  (_db, parameter) => {
    const workspaceId = sql`${parameter('workspaceId')}::text`
    const columns = {
      kinds: sql`${parameter('kinds')}::text[]`,
      resourceIds: sql`${parameter('resourceIds')}::text[]`,
      actions: sql`${parameter('actions')}::text[]`,
    }
    return sql`with head as (${takeHead(workspaceId, columns.kinds, sql``)})
      ${insertEntries(workspaceId, columns, sql`${parameter('now')}::timestamptz`)}`
  },
)

/**
 * Writes entries, even thousands, in one statement. It must be the last in its transaction that locks
 * anything of the workspace: see above.
 */
export async function recordChanges(
  trx: Transaction<Database>,
  workspaceId: string,
  entries: readonly FeedEntry[],
  now: Date,
): Promise<void> {
  const due = dueNow(trx, workspaceId, entries)
  if (due.length > 0) await writeEntries(trx, { workspaceId, ...feedColumns(due), now })
}

/** Changes of workspaces that a transaction writes at its end. */
interface Waiting {
  entries: Map<string, readonly FeedEntry[]>
  /** Workspaces whose pages changed in other ways, too. */
  pages: Set<string>
}

const waiting = new WeakMap<Kysely<Database>, Waiting>()

/** Postpones the entries of a transaction, which must end with `writeWaiting`. */
export function letEntriesWait(trx: Transaction<Database>): void {
  waiting.set(trx, { entries: new Map(), pages: new Set() })
}

/** The entries to write now: none if the transaction postpones them. */
export function dueNow(
  trx: Transaction<Database>,
  workspaceId: string,
  entries: readonly FeedEntry[],
): readonly FeedEntry[] {
  const kept = waiting.get(trx)?.entries
  if (!kept) return entries
  if (entries.length > 0) kept.set(workspaceId, [...(kept.get(workspaceId) ?? []), ...entries])
  return []
}

/** The postponed entries of a workspace, for a statement that writes them with something else. */
export function takeWaiting(db: Kysely<Database>, workspaceId: string): readonly FeedEntry[] {
  const kept = waiting.get(db)?.entries
  const entries = kept?.get(workspaceId) ?? []
  kept?.delete(workspaceId)
  return entries
}

/** Writes the postponed entries, in every transaction in the same order of workspaces. */
export async function writeWaiting(trx: Transaction<Database>, now: Date): Promise<void> {
  const { entries, pages } = waiting.get(trx)!
  waiting.delete(trx)
  for (const workspaceId of [...new Set([...entries.keys(), ...pages])].sort()) {
    await recordChanges(trx, workspaceId, entries.get(workspaceId) ?? [], now)
    if (pages.has(workspaceId)) await movePages(trx, workspaceId)
  }
}

/**
 * For a transaction that changes a table kept whole on the coordinator, and announces that in the
 * workspace, by a version or an entry. On a distributed database the workspace's node would commit first,
 * and a reader could keep old data under the new version. After a write to a table that the extension
 * manages on the coordinator, the coordinator commits first.
 */
export async function commitHereFirst(trx: Transaction<Database>): Promise<void> {
  await trx.deleteFrom('coordinator_writes').execute()
}

/** Moves the version at once. */
export const countPages = prepared<{ workspaceId: string }>()(
  'count_pages',
  (_db, parameter) => sql`
    insert into feed_heads as h (workspace_id, last, pages) values (${parameter('workspaceId')}, 0, 1)
    on conflict (workspace_id) do update set pages = h.pages + 1`,
)

/**
 * Moves the version of a site's pages after a change that is no entry of the feed, such as a new name of
 * the shop, so that kept pages are drawn anew. Takes the head, so it comes last, as entries do.
 */
export async function movePages(trx: Transaction<Database>, workspaceId: string): Promise<void> {
  const pages = waiting.get(trx)?.pages
  if (pages) return void pages.add(workspaceId)
  await commitHereFirst(trx)
  await countPages(trx, { workspaceId })
}

/** The version of a workspace in which nothing was written yet. */
export const firstVersion = '0.0'

/**
 * Moves all versions past any version there has been. A restored database repeats versions that were used
 * for other data, which may still be kept somewhere.
 */
export async function leaveVersions(trx: Transaction<Database>): Promise<void> {
  await sql`insert into feed_heads as h (workspace_id, last, pages)
    select id, 0, extract(epoch from now())::bigint from workspaces
    on conflict (workspace_id) do update set pages = h.pages + excluded.pages`.execute(trx)
}

/** The version of everything that visitors see of a workspace. */
export const catalogueVersion = (workspaceId: RawBuilder<unknown>) => sql<string>`coalesce(
  (select last || '.' || pages from ${tableOf('feed_heads')} where workspace_id = ${workspaceId}),
  ${sql.lit(firstVersion)})`

const readVersion = workspaceRead<{ workspaceId: string }>()(
  'read_catalogue_version',
  (_db, parameter) =>
    sql<{ version: string }>`select ${catalogueVersion(parameter('workspaceId'))} as version`,
)

export async function readCatalogueVersion(
  db: Kysely<Database>,
  workspaceId: string,
): Promise<string> {
  const [row] = await readVersion(db, { workspaceId })
  return row!.version
}

const changeFields: ReadFields<CatalogueChange & { number: number }> = {
  number: sql`number`,
  kind: sql`kind`,
  id: sql`resource_id`,
  action: sql`action`,
  changedAt: isoTime(sql`changed_at`),
}

interface FeedPage {
  /** The workspace's last number. */
  last: number
  /** The number before the oldest entry that is kept. */
  begin: number
  changes: (CatalogueChange & { number: number })[]
}

const readPage = workspaceRead<{
  workspaceId: string
  after: number
  kinds: string[]
  limit: number
}>()('read_feed', (_db, parameter) => {
  const ofWorkspace = sql`workspace_id = ${parameter('workspaceId')}`
  const last = sql`(select last from ${tableOf('feed_heads')} where ${ofWorkspace})`
  return sql<FeedPage>`
      select coalesce(${last}, 0) as last,
        coalesce((select number - 1 from ${tableOf('catalogue_changes')} where ${ofWorkspace}
          order by number limit 1), ${last}, 0) as begin,
        coalesce((select json_agg(${jsonObject(changeFields)} order by number) from (
          select * from ${tableOf('catalogue_changes')}
          where ${ofWorkspace} and number > ${parameter('after')}::bigint
            and kind = any(${parameter('kinds')}::text[])
          order by number limit ${parameter('limit')}) change), '[]') as changes`
})

/** The changes of these kinds after a number, and where the feed begins and ends, in one snapshot. */
export async function readFeed(
  db: Kysely<Database>,
  workspaceId: string,
  request: { after: number; kinds: readonly FeedKind[]; limit: number },
): Promise<FeedPage> {
  const [page] = await readPage(db, { workspaceId, ...request, kinds: [...request.kinds] })
  return page!
}
