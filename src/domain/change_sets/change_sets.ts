import type { Transaction } from 'kysely'
import { ApiError } from '../../core/errors.ts'
import { day } from '../../core/time.ts'
import type { SetActor, SetStep } from '../../db/schema/change_sets.ts'
import type { Database } from '../../db/schema.ts'
import type { Scope } from '../../generated/operations.ts'
import type { components } from '../../generated/types.ts'
import { inUtc } from '../../queries/catalogue/product_snapshots.ts'
import { recordChanges, upserts } from '../../queries/catalogue/feed.ts'
import {
  countEffects,
  deleteRows,
  deleteSomeRows,
  listWaitingRows,
  type SetKey,
} from '../../queries/change_sets/change_set_rows.ts'
import {
  lockIdleSet,
  type LockedSet,
  lockSet,
  updateSet,
} from '../../queries/change_sets/change_sets.ts'
import { deleteMakes, deleteRefused } from '../../queries/change_sets/named.ts'
import { queueSet, unqueueSet } from '../../queries/change_sets/queue.ts'
import { applyRows, type Taking, undoRows } from './applying.ts'
import { requireSelectable, selectRows, smallSet } from './making.ts'
import { checkTogether, planRows, rowsAtOnce } from './planning.ts'
import type { CheckBody } from './rows.ts'

type Schemas = components['schemas']
type State = Schemas['ChangeSetState']

/** How long a set can be undone, in days. */
const undoDays = 30

/** What plans the rows of a set needs of its surroundings. */
export interface Planner {
  check: CheckBody
  holds: (scope: Scope) => boolean
}

export const holdsFor =
  ({ scopes }: SetActor) =>
  (scope: Scope): boolean =>
    scopes === null || scopes.includes(scope)

/** Selects the rows of a set again, after those of its former plan are deleted in parts. */
export async function reselect(
  trx: Transaction<Database>,
  key: SetKey,
  { source, step }: Pick<LockedSet, 'source' | 'step'>,
): Promise<void> {
  if (await deleteSomeRows(trx, key)) return
  if (source.kind !== 'selection' || !step)
    throw new ApiError('change_set_state', 'changeSetFailed')
  const { actor, operation, skipErrors } = step
  const total = await selectRows(trx, key, source)
  await updateSet(trx, key, { total, step: { actor, operation, skipErrors } })
}

/** Plans the next rows of a set; how many are planned by then. */
export async function planNext(
  trx: Transaction<Database>,
  key: SetKey,
  { source, progress }: Pick<LockedSet, 'source' | 'progress'>,
  planner: Planner,
): Promise<number> {
  await inUtc.execute(trx)
  const waiting = await listWaitingRows(trx, key, { from: progress.done, count: rowsAtOnce })
  if (waiting.length === 0) throw new ApiError('change_set_state', 'changeSetFailed')
  await planRows(trx, key, waiting, { ...planner, source })
  return progress.done + waiting.length
}

/** Ends the planning of a set whose rows are all planned. */
export async function finishPlan(
  trx: Transaction<Database>,
  key: SetKey,
  now: Date,
): Promise<Schemas['ChangeSetCounts']> {
  await checkTogether(trx, key)
  const counts = await countEffects(trx, key)
  const { rows } = counts
  await updateSet(trx, key, {
    state: 'PLANNED',
    counts,
    done: rows,
    total: rows,
    plannedAt: now,
    failure: null,
    step: null,
  })
  return counts
}

/** Plans a small set from its first row to its last. */
export async function planWhole(
  trx: Transaction<Database>,
  key: SetKey,
  planner: Planner,
  now: Date,
): Promise<Schemas['ChangeSetCounts']> {
  const set = await lockSet(trx, key, now)
  let { done } = set.progress
  while (done < set.progress.total)
    done = await planNext(trx, key, { ...set, progress: { ...set.progress, done } }, planner)
  return finishPlan(trx, key, now)
}

/** Refuses a step that the state of a set does not allow. */
function requireState({ state }: { state: State }, ...allowed: State[]): void {
  if (!allowed.includes(state))
    throw new ApiError('change_set_state', ['changeSetState', { state }])
}

/** Begins the planning of a set anew; how many rows it has, or had where they are selected again later. */
export async function planAgain(
  trx: Transaction<Database>,
  key: SetKey,
  step: SetStep,
  now: Date,
): Promise<number> {
  const set = await lockIdleSet(trx, key, now)
  const isPerson = step.actor.scopes === null
  // What a person looks at must not become another plan meanwhile.
  requireState(set, 'PLANNED', 'EXPIRED', 'FAILED', ...(isPerson ? (['WAITING'] as const) : []))
  let { total } = set.progress
  let planning = step
  if (set.source.kind === 'selection') {
    if (total > smallSet) {
      // Its former rows may take longer to delete than a call has: the background does that first.
      await requireSelectable(trx, key.workspaceId, set.source)
      planning = { ...step, reselects: true }
    } else {
      await deleteRows(trx, key)
      total = await selectRows(trx, key, set.source)
    }
  }
  if (set.source.kind === 'file') {
    await deleteMakes(trx, key)
    await deleteRefused(trx, key.workspaceId, set.source.uploadId)
  }
  await updateSet(trx, key, { state: 'PLANNING', done: 0, total, step: planning })
  return total
}

export type Answered = 'done' | 'background' | 'waiting'

/**
 * Begins to apply a planned set. A small one is applied in this transaction, a large one in the
 * background; one of an agent may have to wait for the word of a person.
 */
export async function beginApply(
  trx: Transaction<Database>,
  key: SetKey,
  step: SetStep,
  { needsApproval, now }: { needsApproval: boolean; now: Date },
): Promise<Answered> {
  const set = await lockIdleSet(trx, key, now)
  const isPerson = step.actor.scopes === null
  requireState(set, ...(isPerson ? (['PLANNED', 'WAITING'] as const) : (['PLANNED'] as const)))
  const { errors, rows } = set.counts
  if (errors > 0 && !step.skipErrors)
    throw new ApiError('change_set_has_errors', ['changeSetHasErrors', { count: errors }])
  if (needsApproval && step.actor.type === 'AGENT') {
    await updateSet(trx, key, { state: 'WAITING' })
    await recordChanges(trx, key.workspaceId, upserts('CHANGE_SET_WAITING', [key.id]), now)
    return 'waiting'
  }
  if (rows > smallSet) {
    await updateSet(trx, key, { state: 'APPLYING', done: 0, step, failure: null })
    await queueSet(trx, key, 'write', now)
    return 'background'
  }
  await finishApply(trx, key, step, { now, isLong: false })
  return 'done'
}

export async function finishApply(
  trx: Transaction<Database>,
  key: SetKey,
  step: SetStep,
  taking: Taking,
): Promise<void> {
  await applyRows(trx, key, step, taking)
  await updateSet(trx, key, {
    state: 'APPLIED',
    done: 'all',
    applied: { by: step.actor, at: taking.now },
    step: null,
    failure: null,
  })
}

export async function beginUndo(
  trx: Transaction<Database>,
  key: SetKey,
  step: SetStep,
  { needsApproval, now }: { needsApproval: boolean; now: Date },
): Promise<Answered> {
  const set = await lockIdleSet(trx, key, now)
  requireState(set, 'APPLIED')
  if (needsApproval && step.actor.type === 'AGENT')
    throw new ApiError('change_set_state', 'undoNeedsPerson')
  if (Date.parse(set.appliedAt ?? '') < now.getTime() - undoDays * day)
    throw new ApiError('change_set_state', ['undoTooLate', { count: undoDays }])
  if (set.counts.rows > smallSet) {
    await updateSet(trx, key, { state: 'UNDOING', done: 0, step, failure: null })
    await queueSet(trx, key, 'write', now)
    return 'background'
  }
  await finishUndo(trx, key, step, { appliedAt: set.appliedAt ?? '', now, isLong: false })
  return 'done'
}

export async function finishUndo(
  trx: Transaction<Database>,
  key: SetKey,
  step: SetStep,
  taking: Taking & { appliedAt: string },
): Promise<void> {
  await undoRows(trx, key, step, taking)
  await updateSet(trx, key, {
    state: 'UNDONE',
    done: 'all',
    undone: { by: step.actor, at: taking.now },
    step: null,
    failure: null,
  })
}

/**
 * Gives up what is not written: also a set that waits to be applied, or to be tried again. Nothing comes of its
 * rows any more; many may take longer to delete than a call has, and are left to the background.
 */
export async function cancelSet(
  trx: Transaction<Database>,
  key: SetKey,
  now: Date,
): Promise<Answered> {
  const set = await lockIdleSet(trx, key, now)
  requireState(set, 'PLANNING', 'PLANNED', 'WAITING', 'APPLYING', 'EXPIRED', 'FAILED')
  await updateSet(trx, key, { state: 'CANCELLED', step: null })
  if (set.progress.total > smallSet) {
    await queueSet(trx, key, 'plan', now)
    return 'background'
  }
  await unqueueSet(trx, key)
  await deleteRows(trx, key)
  await deleteMakes(trx, key)
  return 'done'
}

const attempts = 5

const metInDeadlock = '40P01'
/** SQLSTATEs of a transaction that met another at a value: an index, or the end of a deadlock, has decided. */
const outrun = ['23505', metInDeadlock]

/**
 * Runs a transaction again if another one took a value at the same moment. One that plans anew is run again
 * also if its plan was out of date when it was applied.
 */
export async function untilFree<T>(
  run: () => Promise<T>,
  { plansAnew = false, codes = outrun } = {},
): Promise<T> {
  for (let attempt = 0; attempt < attempts; attempt++) {
    try {
      return await run()
    } catch (error) {
      const isTaken = codes.includes((error as { code?: string }).code ?? '')
      const isStale = error instanceof ApiError && error.reason === 'changedSincePlan'
      if (!isTaken && !(plansAnew && isStale)) throw error
    }
  }
  throw new ApiError('write_conflict', 'concurrentWrite')
}

/** Runs a transaction again that PostgreSQL has ended for the sake of another. Its indexes decide as ever. */
export const afterDeadlock = <T>(run: () => Promise<T>): Promise<T> =>
  untilFree(run, { codes: [metInDeadlock] })
