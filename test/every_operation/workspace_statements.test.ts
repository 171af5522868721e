import { type Kysely, sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { listOlderBuilds } from '../../src/db/builds.ts'
import { distributionColumns } from '../../src/db/distribution.ts'
import { migrate } from '../../src/db/migrate.ts'
import { cancelledBy } from '../../src/db/sessions/cancelling.ts'
import { listGrown } from '../../src/db/statistics.ts'
import { sweepBalanceAlerts } from '../../src/domain/credits/balance_alerts.ts'
import { sweepDigests } from '../../src/domain/people/digests.ts'
import { countUnanswered } from '../../src/queries/credits/insights.ts'
import { sweepReservations } from '../../src/domain/credits/wallet.ts'
import type { OperationId } from '../../src/operation.ts'
import { findPage } from '../../src/queries/administration/whole_service.ts'
import { findOverfull } from '../../src/queries/catalogue/collections.ts'
import { findProductWindow } from '../../src/queries/site/product_windows.ts'
import { readCatalogueVersion } from '../../src/queries/catalogue/feed.ts'
import { groupActivities } from '../../src/queries/credits/activity_groups.ts'
import { getSpendableCredits } from '../../src/queries/credits/quotas.ts'
import { releaseHeldReservation, settleHeldFree } from '../../src/queries/credits/reservations.ts'
import { brokenWallets } from '../../src/queries/credits/wallet_audit.ts'
import { insertThread } from '../../src/queries/assistant/threads.ts'
import { findServedFile, listUnreferenced } from '../../src/queries/media/media_files.ts'
import { claimPicture } from '../../src/queries/media/picture_queue.ts'
import { dropUsageMonths } from '../../src/queries/credits/usage_months.ts'
import { deleteExpired } from '../../src/queries/upkeep/expiry.ts'
import { recount } from '../../src/queries/upkeep/recount.ts'
import { deleteEndedReservations, deleteUnusedThreads } from '../../src/queries/upkeep/retention.ts'
import { isHeld, listNotHeld } from '../../src/queries/media/held_files.ts'
import { listCosts } from '../../src/queries/upkeep/costs.ts'
import { countServices, getConnectionLimits } from '../../src/queries/upkeep/health.ts'
import {
  getLogDistance,
  getMailQueue,
  getMigrationNames,
  getReplay,
  getServerState,
  listQueues,
  listSlots,
} from '../../src/queries/upkeep/server_state.ts'
import { getStoreStamp, listOwnStamps } from '../../src/queries/upkeep/stamps.ts'
import { listPartitions, listTables, readRows } from '../../src/queries/upkeep/whole_tables.ts'
import { claimDelivery, listDue, noteFailure } from '../../src/queries/webhooks/deliveries.ts'
import { listBehind, moveCursor } from '../../src/queries/webhooks/following.ts'
import { listFeedItems, listMappedProducts } from '../../src/queries/site/shop_documents.ts'
import {
  listCards,
  listCollectionCards,
  listNewestCards,
  listShownCollections,
  listShownTags,
} from '../../src/queries/site/shop_windows.ts'
import { listAsked } from '../../src/queries/site/site_counts.ts'
import { createDatabase, type TestDatabase } from '../kit/database.ts'
import { startService, type TestService } from '../kit/service.ts'
import { type Column, columnsOf, statementsOf } from '../kit/statements.ts'
import { credentialOf, givenScene, type Scene, send, validCall } from './fixtures.ts'
import {
  type Call,
  declarationOf,
  mainWayTo,
  resourceNames,
  rows,
  servedIds,
} from './operations.ts'
import { differencesOf, rawStatementsIn, statementSent } from './statements/raw_rows.ts'
import { type Places, violationsOf } from './statements/statement_rules.ts'

/*
 * Every statement on a table of a workspace names the workspace, so that a database distributed by
 * workspace runs it on one shard.
 */

/** Statements that are for several workspaces, or for the whole service. */
const exceptions: { statement: RegExp; because: string }[] = [
  {
    statement: /^\s*with held_images .* insert into product_slugs /s,
    because: 'A slug is unique in the whole service, and claimed with the insert of its product.',
  },
  {
    statement: /^\s*(insert into|select( "slug"(, "product_id" as "id")?)? from) "?product_slugs\b/,
    because: 'Slugs of several products are claimed at once, each in its own place.',
  },
  {
    statement: /^select .* from "wallets" where workspace_id = any\(\$1\)$/,
    because: 'A page of the list of all workspaces shows their balances.',
  },
  {
    statement: /^select "workspace_id" as "id", sum\(credits - refunded_credits\)/,
    because: 'What an account may mail depends on what it bought in any workspace that it owns.',
  },
  {
    statement:
      /^(select "workspace_id" as "id" from|update) "wallets"( set "alerted_at" = \$1)? where "(balance|alerted)/,
    because: 'Housekeeping finds the wallets that have fallen below their threshold.',
  },
  {
    statement:
      /^select distinct "workspace_id" as "id" from "reservations" where "status" = \$1 and/,
    because: 'Housekeeping finds the wallets with expired reservations.',
  },
  {
    statement:
      /^\s*select distinct workspace_id as "workspaceId" from \(\s+select workspace_id from/,
    because: 'Housekeeping finds the workspaces with rows that were kept long enough.',
  },
  {
    statement:
      /^select distinct .* from "(media|kept_media_files)" where workspace_id = any\(\$1\)/,
    because: 'Housekeeping compares the files of all workspaces with their rows.',
  },
  {
    statement: /^[^$]* as "workspaceId" [^$]*$/,
    because: 'The audit of wallets is for all of them.',
  },
]

let database: TestDatabase
/** Prepares the calls, with statements that do not count. */
let service: TestService
/** Answers the calls. */
let watched: TestService
let scene: Scene
/** The scene of all that read, which change nothing. */
let reading: Scene
let places: Places
const sent = new Set<string>()
const columns = new Map<string, Column[]>()

beforeAll(async () => {
  database = await createDatabase()
  service = await startService({ databaseUrl: database.url })
  watched = await startService({ databaseUrl: database.url })
  const { rows: tables } = await sql<{ name: string }>`
    select relname as name from pg_class where relnamespace = 'public'::regnamespace
      and relkind in ('r', 'p') and not relispartition`.execute(service.db)
  places = Object.fromEntries(tables.map(({ name }) => [name, distributionColumns[name]]))
  reading = await givenScene(service)
  scene = reading
})
afterAll(async () => {
  await watched.close()
  await service.close()
  await database.drop()
})

/** What the watched service sends that runs on more than one shard, except for what may. */
async function refusedOf(work: () => Promise<unknown>): Promise<string[]> {
  let statements: string[] = []
  const described = await columnsOf(watched, async () => {
    statements = await statementsOf(watched, work)
  })
  for (const [statement, found] of described) columns.set(statement, found)
  for (const statement of statements) sent.add(statement)
  return statements.flatMap((statement) => {
    const problems = judged.get(statement) ?? problemsOf(statement)
    judged.set(statement, problems)
    return problems
  })
}

/** By statement: most are sent by many operations. */
const judged = new Map<string, string[]>()

function problemsOf(statement: string): string[] {
  if (exceptions.some(({ statement: known }) => known.test(statement))) return []
  return violationsOf(statement, places).map((problem) => `${problem}: ${statement}`)
}

/** The valid call, and others that send other statements; all but the first may be refused. */
async function callsOf(id: OperationId): Promise<Call[]> {
  const call = await validCall(id, scene)
  const calls = [call]
  const examples = declarationOf(id).parameters.filter((parameter) => parameter.in === 'query')
  for (const { name, example } of examples)
    calls.push({ ...call, query: { ...call.query, [name]: String(example) } })
  if (rows[id].takesIdempotencyKey) {
    const headers = { ...call.headers, 'Idempotency-Key': 'once' }
    calls.push({ ...call, headers }, { ...call, headers })
  }
  const unknown = resourceNames(id).map((name) => [name, 'unknown'] as const)
  calls.push({ ...call, path: { ...call.path, ...Object.fromEntries(unknown) } })
  return calls
}

test.each(servedIds)('%s keeps to the shard of its workspace', async (id) => {
  const way = mainWayTo(id)
  scene = rows[id].method === 'get' ? reading : await givenScene(service)
  const calls = await callsOf(id)
  const refused = await refusedOf(async () => {
    for (const [place, call] of calls.entries()) {
      const { status } = await send(watched, id, way, call, credentialOf(scene, way))
      if (place === 0) expect(status).toBe(rows[id].status)
    }
  })
  expect(refused).toEqual([])
})

test('housekeeping and the audit of wallets reach every shard only where they must', async () => {
  const { db } = watched
  scene = reading
  const workspaceId = scene.workspace.id
  const old = { workspaceId, visitorId: 'old', tokenHash: Buffer.from('old') }
  const aThread = {
    seed: Buffer.from('seed'),
    kind: 'ROUTINE',
    productId: null,
    title: '',
  } as const
  await service.db.transaction().execute((trx) => insertThread(trx, old, aThread, [], new Date(0)))
  const refused = await refusedOf(async () => {
    await deleteExpired(db, service.now())
    await sweepReservations(db, service.now())
    await sweepBalanceAlerts(db, service.config.dashboardUrl, service.now())
    await sweepDigests(db, service.config, service.now())
    await deleteUnusedThreads(db, new Date(1))
    await deleteEndedReservations(db, service.now())
    await listUnreferenced(db, [`${scene.workspace.id}/unknown.png`])
    await brokenWallets(db)
  })
  expect(refused).toEqual([])
})

test('every exception is still needed', () => {
  const unused = exceptions.filter(({ statement }) => {
    const matching = [...sent].filter((text) => statement.test(text))
    return !matching.some((text) => violationsOf(text, places).length > 0)
  })
  expect(unused).toEqual([])
})

/** How many raw statements of a file nothing here sends, because they need more data or are alike. */
const unsent: Record<string, number> = {
  // On several nodes, or while the schema changes.
  'src/db/distribution.ts': 4,
  'src/db/migration_steps.ts': 1,
  'src/db/online.ts': 2,
  'src/db/sessions/held_lock.ts': 1,
  'src/db/shards/access.ts': 1,
  'src/db/shards/places.ts': 2,
  'src/queries/catalogue/search/catalogue_search.ts': 3,
  'src/queries/catalogue/product_export.ts': 2,
  'src/queries/catalogue/product_lists.ts': 1,
  'src/queries/catalogue/search/search_statements.ts': 2,
  'src/queries/site/site_counts.ts': 1,
  'src/queries/upkeep/retention.ts': 1,
  'src/queries/upkeep/whole_tables.ts': 1,
  'src/queries/upkeep/with_parts.ts': 1,
}

/** What the sender of webhooks asks, for one that is not there. */
async function sendWebhooks(db: TestService['db']): Promise<void> {
  const place = { workspaceId: scene.workspace.id, webhookId: 'unknown' }
  const now = service.now()
  await listBehind(db)
  await listDue(db, now)
  await claimDelivery(db, place, { now, leaseEnd: now })
  await db.transaction().execute(async (trx) => {
    await moveCursor(trx, place, undefined)
    await noteFailure(trx, place, now)
  })
}

/** What pages of shops ask, which are no operations, and what lists ask that are long or searched. */
async function askForPages(db: TestService['db']): Promise<void> {
  const { id: workspaceId } = scene.workspace
  const page = { page: 1, pageSize: 1 }
  await listFeedItems(db, workspaceId, { ...page, length: 1 })
  await listMappedProducts(db, { workspaceId, limit: 1, offset: 0 })
  await listNewestCards(db, workspaceId, page, 1)
  await listCards(db, workspaceId, {}, page)
  await listCollectionCards(db, workspaceId, 'none', page)
  await listShownCollections(db, workspaceId, page)
  await listShownTags(db, { workspaceId, limit: 1 })
  await findPage(db, 'accounts', { search: 'two words', ...page })
  const since = new Date(0)
  const filters = { since, until: undefined, actorType: undefined, resourceIds: [], operations: [] }
  await groupActivities(db, workspaceId, filters, 'actor', page)
}

/** What the operators' commands ask. */
async function askForOperators(db: TestService['db']): Promise<void> {
  const now = service.now()
  const file = `${scene.workspace.id}/unknown.png`
  await getConnectionLimits(db)
  await countServices(db)
  await getServerState(db)
  await listSlots(db)
  const { position } = await getReplay(db)
  await getLogDistance(db, { from: position, to: position })
  await getMigrationNames(db)
  await getMailQueue(db, now)
  await listQueues(db, now)
  await listCosts(db, now, 1)
  await listNotHeld(db, [file])
  await listPartitions(db)
  const [table] = await listTables(db)
  await db.transaction().execute(async (trx) => {
    await isHeld(trx, file)
    await listOwnStamps(trx)
    for await (const rows of readRows(trx, table!)) expect(rows).toBeDefined()
  })
}

/** What the schema and its connections ask of a database that is as it should be. */
async function askOfSchema(db: TestService['db']): Promise<void> {
  const schema = db as Kysely<unknown>
  await migrate(schema, { environment: 'development' })
  await listOlderBuilds(schema, '0001')
  const { signal } = new AbortController()
  const nothing = () => Promise.resolve()
  await db.transaction().execute((trx) => cancelledBy(signal, { db, trx }, nothing))
}

test('every raw statement returns the columns of the row type that it asserts', async () => {
  const { db } = watched
  scene = reading
  const rare = await columnsOf(watched, async () => {
    await recount(db, () => undefined)
    await getStoreStamp(db)
    await listGrown(db)
    await askForOperators(db)
    await dropUsageMonths(db, new Date(0))
    await findServedFile(db, scene.workspace.id, 'ab', service.now())
    await claimPicture(db, { now: service.now(), until: service.now() })
    await sendWebhooks(db)
    await askForPages(db)
    const today = service.now().toISOString().slice(0, 10)
    await countUnanswered(db, scene.workspace.id, {
      firstMoment: service.now(),
      endMoment: service.now(),
    })
    await readCatalogueVersion(db, scene.workspace.id)
    await findProductWindow(db, scene.workspace.id, 'none')
    await db.transaction().execute((trx) => findOverfull(trx, scene.workspace.id, ['coll_none']))
    const visitor = { workspaceId: scene.workspace.id, day: today, visitor: '00' }
    await db.transaction().execute((trx) => listAsked(trx, [visitor]))
    const ofSite = { workspaceId: scene.workspace.id, day: today, now: service.now() }
    await getSpendableCredits(db, ofSite)
    await db.transaction().execute(async (trx) => {
      await settleHeldFree(trx, scene.workspace.id, 'none', service.now())
      await releaseHeldReservation(trx, scene.workspace.id, 'none', service.now())
    })
    await askOfSchema(db)
  })
  const statements = ['src/queries', 'src/db'].flatMap(rawStatementsIn)
  const unseen = new Set(statements.filter(({ row }) => row.size > 0))
  const differences: string[] = []
  for (const [text, found] of [...columns, ...rare]) {
    const statement = statementSent(statements, text)
    if (!statement || statement.row.size === 0) continue
    unseen.delete(statement)
    differences.push(...differencesOf(statement, found))
  }
  expect(differences).toEqual([])
  const counts: Record<string, number> = {}
  for (const { place } of unseen) {
    const [file = ''] = place.split(':')
    counts[file] = (counts[file] ?? 0) + 1
  }
  expect(counts).toEqual(unsent)
})

test('tables with a workspace that stay whole are looked up without it', async () => {
  const { rows: tables } = await sql<{ name: string }>`
    select table_name as name from information_schema.columns
    where table_schema = 'public' and column_name = 'workspace_id'`.execute(service.db)
  const whole = tables.map(({ name }) => name).filter((name) => name in places && !places[name])
  expect(whole.sort()).toEqual([
    'change_set_queue',
    'checkout_workspaces',
    'customer_sessions',
    'held_files',
    'mail_days',
    'mailed_addresses',
    'media_removals',
    'media_uploads',
    'members',
    'picture_queue',
    'publishable_keys',
    'site_domains',
    'site_visitors',
    'sub_domains',
    'websites',
    'workspace_costs',
  ])
})
