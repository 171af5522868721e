import { type Expression, type Kysely, type Selectable, sql, type Transaction } from 'kysely'
import { notFound } from '../../core/errors.ts'
import type { Database } from '../../db/schema.ts'
import type { components } from '../../generated/types.ts'
import {
  countRows,
  findPage,
  inOrder,
  onPage,
  type RowPage,
  type SearchRequest,
} from '../administration/whole_service.ts'

type Source = components['schemas']['Source']
type SourceConnection = components['schemas']['SourceConnection']

function selectSources(db: Kysely<Database>) {
  const connections = sql<number>`(select coalesce(sum(c.total), 0)::bigint from row_counters c
    where c.counted = integration_sources.id)`
  const lastUsed = (table: string) =>
    sql`(select max(t.last_used_at) from ${sql.table(table)} t
      where t.source_id = integration_sources.id)`
  const lastUsedAt = sql<string | null>`greatest(${lastUsed('api_keys')}, ${lastUsed('grants')})`
  return db
    .selectFrom('integration_sources')
    .select([
      'id',
      'kind',
      'name',
      'identity',
      'status',
      'first_seen_at as firstSeenAt',
      connections.as('connections'),
      lastUsedAt.as('lastUsedAt'),
    ])
}

export async function listSources(
  db: Kysely<Database>,
  request: SearchRequest,
): Promise<RowPage<Source>> {
  const { ids, total } = await findPage(db, 'integration_sources', request)
  const rows = await selectSources(db).where(onPage(ids)).execute()
  return { rows: inOrder(ids, rows), total }
}

export async function getSource(db: Kysely<Database>, id: string): Promise<Source> {
  const source = await selectSources(db).where('id', '=', id).executeTakeFirst()
  if (!source) throw notFound('source')
  return source
}

/** Locks the source. New connections lock it, too, so this waits for them. */
export async function lockSource(
  trx: Transaction<Database>,
  id: string,
): Promise<{ status: Source['status'] }> {
  const source = await trx
    .selectFrom('integration_sources')
    .select('status')
    .where('id', '=', id)
    .forNoKeyUpdate()
    .executeTakeFirst()
  if (!source) throw notFound('source')
  return source
}

export async function updateSource(
  trx: Transaction<Database>,
  id: string,
  status: Source['status'],
): Promise<void> {
  await trx.updateTable('integration_sources').set({ status }).where('id', '=', id).execute()
}

/** The keys or grants of a source with their accounts, newest first. */
export async function listSourceConnections(
  db: Kysely<Database>,
  { id, kind }: Pick<Source, 'id' | 'kind'>,
  { search, page, pageSize }: SearchRequest,
): Promise<RowPage<SourceConnection>> {
  const all = db
    .selectFrom(sql<Connection>`${kind === 'KEY' ? keysOf(db, id) : grantsOf(db, id)}`.as('c'))
    .innerJoin('accounts as a', 'a.id', 'c.account_id')
  const found =
    search === '' ? all : all.where(sql<boolean>`a.search like administration_pattern(${search})`)
  const { total } =
    search === ''
      ? await countRows(db, id)
      : await found.select(({ fn }) => fn.countAll<number>().as('total')).executeTakeFirstOrThrow()
  const offset = (page - 1) * pageSize
  if (offset >= total) return { rows: [], total }
  const rows = await found
    .select([
      'c.id',
      'a.id as accountId',
      'a.email as accountEmail',
      'c.requestedScopes',
      'c.scopes',
      'c.created_at as createdAt',
      'c.expires_at as expiresAt',
      'c.revoked_at as revokedAt',
      'c.last_used_at as lastUsedAt',
    ])
    .orderBy('c.id', 'desc')
    .limit(pageSize)
    .offset(offset)
    .execute()
  return { rows: rows.map((row) => ({ kind, ...row })), total }
}

const columns = [
  'id',
  'account_id',
  'scopes',
  'created_at',
  'expires_at',
  'revoked_at',
  'last_used_at',
] as const
type Connection = Pick<Selectable<Database['grants']>, (typeof columns)[number]> &
  Pick<SourceConnection, 'requestedScopes'>

/** A key has the scopes that were asked for. */
const keysOf = (db: Kysely<Database>, sourceId: string): Expression<Connection> =>
  db
    .selectFrom('api_keys')
    .select([...columns, 'scopes as requestedScopes'])
    .where('source_id', '=', sourceId)

const grantsOf = (db: Kysely<Database>, sourceId: string): Expression<Connection> =>
  db
    .selectFrom('grants')
    .select([...columns, 'requested_scopes as requestedScopes'])
    .where('source_id', '=', sourceId)
