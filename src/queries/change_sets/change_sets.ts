import { type Kysely, type RawBuilder, sql, type Transaction } from 'kysely'
import { ApiError, notFound } from '../../core/errors.ts'
import { type PageRequest, stretchOf } from '../../core/paging.ts'
import { columnsIn, isoTime, jsonObject, type ReadFields } from '../../db/read_fields.ts'
import type { SetActor, SetSource, SetStep } from '../../db/schema/change_sets.ts'
import type { Database } from '../../db/schema.ts'
import type { components } from '../../generated/types.ts'
import type { Reason } from '../../texts/refusals.ts'
import { deleteRows, type SetKey } from './change_set_rows.ts'

/* Raw SQL: a wait for a lock is cut short by settings of the transaction. */

type Schemas = components['schemas']
type State = Schemas['ChangeSetState']

/** A set as the API answers it, except that its failure is not worded yet. */
export type StoredSet = Omit<Schemas['ChangeSet'], 'failure'> & { failure: Reason | null }

const own = columnsIn('change_sets', 's')
const optionalTime = (time: RawBuilder<string | null>) =>
  sql<string | null>`case when ${time} is not null then ${isoTime(time as RawBuilder<string>)} end`

/** How long a plan can be applied, in days. */
const planDays = 7

/** Plans expire by time alone, so the stored state need not change. */
const stateAt = (now: Date) => sql<State>`case
  when s.state in ('PLANNED', 'WAITING') and s.planned_at < ${now}::timestamptz - ${`${planDays} days`}::interval
  then 'EXPIRED' else s.state end`

const setFields = (now: Date): ReadFields<StoredSet> => ({
  id: own('id'),
  workspaceId: own('workspace_id'),
  title: own('title'),
  state: stateAt(now),
  fileName: own('file_name'),
  counts: own('counts'),
  progress: sql`json_build_object('done', s.done, 'total', s.total)`,
  createdBy: own('created_by'),
  createdAt: isoTime(own('created_at')),
  plannedAt: optionalTime(own('planned_at')),
  appliedBy: own('applied_by'),
  appliedAt: optionalTime(own('applied_at')),
  undoneBy: own('undone_by'),
  undoneAt: optionalTime(own('undone_at')),
  failure: own('failure'),
})

const oneSet = ({ workspaceId, id }: SetKey) =>
  sql<boolean>`s.workspace_id = ${workspaceId} and s.id = ${id}`

export async function getSet(db: Kysely<Database>, key: SetKey, now: Date): Promise<StoredSet> {
  const row = await db
    .selectFrom('change_sets as s')
    .select(jsonObject(setFields(now)).as('set'))
    .where(oneSet(key))
    .executeTakeFirst()
  if (!row) throw notFound('changeSet')
  return row.set
}

/** A set that the transaction has locked. */
export interface LockedSet extends StoredSet {
  source: SetSource
  step: SetStep | null
}

/** Locks a set, which serializes its steps. */
export async function lockSet(
  trx: Transaction<Database>,
  key: SetKey,
  now: Date,
): Promise<LockedSet> {
  const set = await findLocked(trx, key, now, 'wait')
  if (!set) throw notFound('changeSet')
  return set
}

/**
 * Locks a set for a call. A set that is being written is refused at once: its transaction may take longer
 * than a call may. One that is being planned is free again after some rows, which is waited for a little.
 */
export async function lockIdleSet(
  trx: Transaction<Database>,
  key: SetKey,
  now: Date,
): Promise<LockedSet> {
  const idle = await findLocked(trx, key, now, 'skip')
  if (idle) return idle
  const { state } = await getSet(trx, key, now)
  if (state === 'APPLYING' || state === 'UNDOING') throw busy()
  return waitBriefly(trx, () => lockSet(trx, key, now))
}

const busy = () => new ApiError('change_set_state', 'changeSetBusy')

const lockTimeout = '55P03'

/** Runs a statement that waits for a lock. The setting ends with it: later ones may wait as long as ever. */
async function waitBriefly<T>(trx: Transaction<Database>, lock: () => Promise<T>): Promise<T> {
  // A distributed database tells the setting to its nodes, where the lock is. Others know no such thing.
  await sql`set local citus.propagate_set_commands = 'local'`.execute(trx)
  await sql`set local lock_timeout = '2s'`.execute(trx)
  try {
    const locked = await lock()
    await sql`set local lock_timeout to default`.execute(trx)
    return locked
  } catch (error) {
    if ((error as { code?: string }).code === lockTimeout) throw busy()
    throw error
  }
}

async function findLocked(
  trx: Transaction<Database>,
  key: SetKey,
  now: Date,
  ifLocked: 'wait' | 'skip',
): Promise<LockedSet | undefined> {
  const row = await trx
    .selectFrom('change_sets as s')
    .select([jsonObject(setFields(now)).as('set'), 's.source', 's.step'])
    .where(oneSet(key))
    .forUpdate()
    .$if(ifLocked === 'skip', (query) => query.skipLocked())
    .executeTakeFirst()
  return row && { ...row.set, source: row.source, step: row.step }
}

/** A page of sets, newest first, and how many there are. */
export async function listSets(
  db: Kysely<Database>,
  workspaceId: string,
  waiting: boolean | undefined,
  { page, pageSize }: PageRequest,
  now: Date,
): Promise<{ sets: StoredSet[]; total: number }> {
  const all = db.selectFrom('change_sets as s').where('s.workspace_id', '=', workspaceId)
  const found =
    waiting === undefined
      ? all
      : all.where(sql<boolean>`(${stateAt(now)} = 'WAITING') = ${waiting}`)
  const { total } = await found
    .select(({ fn }) => fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow()
  const stretch = stretchOf(page, pageSize, total)
  if (!stretch) return { sets: [], total }
  const { limit, offset, reversed } = stretch
  const direction = reversed ? 'asc' : 'desc'
  const rows = await found
    .select(jsonObject(setFields(now)).as('set'))
    .orderBy('s.created_at', direction)
    .orderBy('s.id', direction)
    .limit(limit)
    .offset(offset)
    .execute()
  const sets = rows.map(({ set }) => set)
  return { sets: reversed ? sets.reverse() : sets, total }
}

/** The part of an actor that is shown. */
const shownActor = ({ type, name }: SetActor): Schemas['ChangeSetActor'] => ({ type, name })

const noCounts: Schemas['ChangeSetCounts'] = {
  rows: 0,
  creates: 0,
  updates: 0,
  deletes: 0,
  unchanged: 0,
  errors: 0,
}

export async function insertSet(
  trx: Transaction<Database>,
  { workspaceId, id }: SetKey,
  set: { title: string; fileName: string | null; source: SetSource; step: SetStep },
  now: Date,
): Promise<void> {
  await trx
    .insertInto('change_sets')
    .values({
      workspace_id: workspaceId,
      id,
      title: set.title,
      state: 'PLANNING',
      source: JSON.stringify(set.source),
      file_name: set.fileName,
      counts: JSON.stringify(noCounts),
      done: 0,
      total: 0,
      created_by: JSON.stringify(shownActor(set.step.actor)),
      created_at: now,
      step: JSON.stringify(set.step),
    })
    .execute()
}

export interface Progress {
  source: SetSource
  state: State
  step: SetStep | null
  done: number
}

/** The source of a set's rows, how many are done, and in which step. */
export async function getProgress(db: Kysely<Database>, key: SetKey): Promise<Progress> {
  const set = await db
    .selectFrom('change_sets as s')
    .select(['s.source', 's.state', 's.step', 's.done'])
    .where(oneSet(key))
    .executeTakeFirst()
  if (!set) throw notFound('changeSet')
  return set
}

/** Whether the rows of a set are on their way out: nothing comes of them, and no client is shown them. */
export const dropsRows = ({ state, step }: Pick<Progress, 'state' | 'step'>): boolean =>
  state === 'CANCELLED' || step?.reselects === true

/** How many open plans a workspace has that come from a file or have more rows than this. */
export async function countOpen(
  db: Kysely<Database>,
  workspaceId: string,
  rows: number,
): Promise<number> {
  const { count } = await db
    .selectFrom('change_sets as s')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('s.workspace_id', '=', workspaceId)
    .where('s.applied_at', 'is', null)
    .where('s.state', '<>', 'CANCELLED')
    .where((eb) => eb.or([eb('s.total', '>', rows), eb('s.file_name', 'is not', null)]))
    .executeTakeFirstOrThrow()
  return count
}

/** Deletes a set that has written nothing. */
export async function deleteSet(trx: Transaction<Database>, key: SetKey): Promise<void> {
  await deleteRows(trx, key)
  await trx.deleteFrom('change_sets as s').where(oneSet(key)).execute()
}

/** The columns of a set that a step changes. */
export interface SetChange {
  state?: State
  counts?: Schemas['ChangeSetCounts']
  /** How many rows the step has done; all of them when it has ended. */
  done?: number | 'all'
  total?: number
  plannedAt?: Date
  applied?: { by: SetActor; at: Date }
  undone?: { by: SetActor; at: Date }
  failure?: Reason | null
  step?: SetStep | null
}

export async function updateSet(
  trx: Kysely<Database>,
  { workspaceId, id }: SetKey,
  change: SetChange,
): Promise<void> {
  const { state, counts, done, total, plannedAt, applied, undone, failure, step } = change
  await trx
    .updateTable('change_sets')
    .set({
      ...(state && { state }),
      ...(counts && { counts: JSON.stringify(counts) }),
      ...(done !== undefined && { done: done === 'all' ? sql.ref<number>('total') : done }),
      ...(total !== undefined && { total }),
      ...(plannedAt && { planned_at: plannedAt }),
      ...(applied && {
        applied_by: JSON.stringify(shownActor(applied.by)),
        applied_at: applied.at,
      }),
      ...(undone && { undone_by: JSON.stringify(shownActor(undone.by)), undone_at: undone.at }),
      ...(failure !== undefined && { failure: failure === null ? null : JSON.stringify(failure) }),
      ...(step !== undefined && { step: step === null ? null : JSON.stringify(step) }),
    })
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .execute()
}
