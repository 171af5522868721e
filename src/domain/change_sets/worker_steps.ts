import type { Kysely, Transaction } from 'kysely'
import { ApiError } from '../../core/errors.ts'
import { isBrokenOff, takesNoWrites, translateDatabaseError } from '../../db/constraints.ts'
import { cancelledBy } from '../../db/sessions/cancelling.ts'
import type { Log } from '../../core/log.ts'
import type { Database } from '../../db/schema.ts'
import {
  deleteSomeRows,
  listWaitingRows,
  type SetKey,
} from '../../queries/change_sets/change_set_rows.ts'
import { getProgress, getSet, lockSet, updateSet } from '../../queries/change_sets/change_sets.ts'
import { deleteMakes } from '../../queries/change_sets/named.ts'
import {
  type ClaimedSet,
  clearAttempts,
  renewLease,
  takeBackAttempt,
  unqueueClaimed,
  unqueueSet,
} from '../../queries/change_sets/queue.ts'
import { mayStillWrite } from '../../queries/change_sets/set_access.ts'
import type { Reason } from '../../texts/refusals.ts'
import {
  finishApply,
  finishPlan,
  finishUndo,
  holdsFor,
  planNext,
  reselect,
  untilFree,
} from './change_sets.ts'
import { type Fetching, fetchPictures, urlsOf } from './files/pictures.ts'
import { rowsAtOnce } from './planning.ts'
import type { CheckBody } from './rows.ts'

export interface WorkerParts extends Pick<
  Fetching,
  'db' | 'mediaStore' | 'download' | 'clock' | 'config'
> {
  /** For the transactions of steps, whose statements may take longer than those of calls. */
  background: Kysely<Database>
  /** For cancelling statements: the pool may be full of the transactions that are to end. */
  probe: Kysely<Database>
  log: Log
  checkBody: CheckBody
}

/** A worker on change sets, for the functions that carry a set on. */
export interface SetWorker extends WorkerParts {
  /** Aborted when the process is to end. */
  ending: AbortSignal
  /** Attempts that were no fault of their steps, to be taken back when the database is there again. */
  free: SetKey[]
}

/** How long a set waits after its process was killed; renewed while the process lives. */
export const leaseMilliseconds = 15_000
/** How many times some rows are planned, or deleted, before another workspace has its turn. */
const partsOfTurn = 10
/** How often a step is begun in vain before it is given up. */
const mostAttempts = 5
/** How long the pictures of a set are fetched before another has its turn. */
const fetchMilliseconds = 10_000

/** What a set is again if its step cannot be finished. */
const former = { PLANNING: 'FAILED', APPLYING: 'PLANNED', UNDOING: 'APPLIED' } as const
type Unfinished = keyof typeof former

const isUnfinished = (state: string | undefined): state is Unfinished =>
  state !== undefined && state in former

const givenUp: Reason = ['changeSetGivenUp', { count: mostAttempts }]

interface Attempt {
  key: SetKey
  /** How many there were since the step last got on, with this one. */
  number: number
  /** Whether its transaction is under way. */
  hasBegun: boolean
}

export function leaseFrom(now: Date): Date {
  return new Date(now.getTime() + leaseMilliseconds)
}

/** Takes the next step of a set that this process has claimed, or a part of it. */
export async function carryOn(worker: SetWorker, claimed: ClaimedSet): Promise<void> {
  const { workspaceId, id, attempts } = claimed
  const key = { workspaceId, id }
  const attempt: Attempt = { key, number: attempts, hasBegun: false }
  let state: string | undefined
  try {
    state = await findState(worker, key)
    // Where rows of a cancelled one cannot be deleted, the sweep tries it when they are old.
    if (state === 'CANCELLED' && attempts <= mostAttempts) await goOnInTurn(worker, attempt, state)
    else if (!isUnfinished(state)) await unqueueClaimed(worker.db, claimed)
    else if (attempts > mostAttempts) await giveUp(worker, key, state, givenUp)
    else if (state === 'PLANNING') await goOnInTurn(worker, attempt, state)
    else await finish(worker, attempt, state)
  } catch (error) {
    await afterFailure(worker, attempt, state, error)
  }
}

/** Plans for a while, or deletes rows; what is left goes to the end of the line. */
async function goOnInTurn(
  worker: SetWorker,
  attempt: Attempt,
  state: 'PLANNING' | 'CANCELLED',
): Promise<void> {
  const { db, clock, ending } = worker
  const { key } = attempt
  for (let turn = 0; turn < partsOfTurn && !ending.aborted; turn++) {
    if (state === 'PLANNING' && !(await fetchSome(worker, key))) break
    const takePart = state === 'PLANNING' ? planSome : dropSome
    if (!(await takePart(worker, attempt))) return
    attempt.number = 0
  }
  await clearAttempts(db, key)
  await renewLease(db, key, clock())
}

/** Deletes some more rows of a cancelled set; false when there is nothing left to do. */
function dropSome(worker: SetWorker, attempt: Attempt): Promise<boolean> {
  const { key } = attempt
  return take(worker, attempt, async (trx, { state }) => {
    if (state !== 'CANCELLED') return false
    if (await deleteSomeRows(trx, key)) {
      await clearAttempts(trx, key)
      return true
    }
    await deleteMakes(trx, key)
    await unqueueSet(trx, key)
    return false
  })
}

/**
 * Fetches the pictures that the next rows of a file name, while no connection waits; false if some are
 * left, because others want their turn or the set is not to be planned any more.
 */
async function fetchSome(worker: SetWorker, key: SetKey): Promise<boolean> {
  const { db, clock, ending } = worker
  const { workspaceId } = key
  const { source, step, done } = await getProgress(db, key)
  if (source.kind !== 'file' || !source.hasUrls || !step) return true
  if (!holdsFor(step.actor)('media:write')) return true
  const column = source.columns.findIndex(({ field }) => field === 'images')
  const waiting = await listWaitingRows(db, key, { from: done, count: rowsAtOnce })
  const cells = waiting.map(({ input }) => (input as unknown[])[column])
  const fetching: Fetching = {
    ...worker,
    accountId: step.actor.accountId,
    signal: ending,
    transaction: (work) => db.transaction().execute(work),
    reauthorise: async () => {
      if (!(await mayStillWrite(db, workspaceId, step.actor, clock())))
        throw new ApiError('not_owner', 'accessLost')
    },
  }
  const upload = { workspaceId, uploadId: source.uploadId }
  const endsAt = performance.now() + fetchMilliseconds
  return fetchPictures(fetching, upload, urlsOf(cells, source.format), async () => {
    if (ending.aborted || performance.now() > endsAt) return false
    return (await getSet(db, key, clock())).state === 'PLANNING'
  })
}

/** Takes a part of a step, on its locked set. What breaks it off once it has begun may be its own fault. */
async function take<T>(
  { probe, background, clock, ending }: SetWorker,
  attempt: Attempt,
  work: (trx: Transaction<Database>, set: LockedSet, now: Date) => Promise<T>,
): Promise<T> {
  attempt.hasBegun = false
  const result = await background.transaction().execute((trx) =>
    cancelledBy(ending, { db: probe, trx }, async () => {
      attempt.hasBegun = true
      const now = clock()
      return work(trx, await lockSet(trx, attempt.key, now), now)
    }),
  )
  attempt.hasBegun = false
  return result
}

type LockedSet = Awaited<ReturnType<typeof lockSet>>

/** Plans some more rows; false when there is nothing left to do. */
function planSome(worker: SetWorker, attempt: Attempt): Promise<boolean> {
  const { key } = attempt
  return take(worker, attempt, async (trx, set, now) => {
    if (set.state !== 'PLANNING' || !set.step) return false
    const { done, total } = set.progress
    if (set.step.reselects) {
      await reselect(trx, key, set)
      await clearAttempts(trx, key)
      return true
    }
    if (done >= total) {
      await finishPlan(trx, key, now)
      await unqueueSet(trx, key)
      return false
    }
    const planner = { check: worker.checkBody, holds: holdsFor(set.step.actor) }
    const next = await planNext(trx, key, set, planner)
    await updateSet(trx, key, { done: next })
    await clearAttempts(trx, key)
    return true
  })
}

const finishStep = { APPLYING: finishApply, UNDOING: finishUndo }

async function finish(
  worker: SetWorker,
  attempt: Attempt,
  state: keyof typeof finishStep,
): Promise<void> {
  const { key } = attempt
  await untilFree(() =>
    take(worker, attempt, async (trx, { step, state: current, appliedAt }, now) => {
      if (!step || current !== state) return
      if (!(await mayStillWrite(trx, key.workspaceId, step.actor, now)))
        throw new ApiError('not_owner', 'accessLost')
      await finishStep[state](trx, key, step, { now, isLong: true, appliedAt: appliedAt ?? '' })
      await unqueueSet(trx, key)
    }),
  )
}

async function afterFailure(
  worker: SetWorker,
  { key, number, hasBegun }: Attempt,
  state: string | undefined,
  error: unknown,
): Promise<void> {
  const { db, clock, log, ending, free } = worker
  if (ending.aborted) {
    // Another process may go on at once.
    await takeBackAttempt(db, key)
    return renewLease(db, key, clock())
  }
  const cause = translateDatabaseError(error)
  const isRefused = cause instanceof ApiError && cause.status < 500
  if (!isRefused) log.error({ err: error, changeSetId: key.id }, 'A step of a change set failed.')
  if (cause instanceof ApiError && cause.code === 'unavailable') {
    // The lease ends, and it is tried again: in vain each time where the step itself takes too long. Without a
    // state it was not even looked at.
    const isFree = state === undefined || takesNoWrites(error) || (!hasBegun && !isBrokenOff(error))
    if (isFree) free.push(key)
    else if (isUnfinished(state) && number >= mostAttempts)
      await giveUp(worker, key, state, givenUp)
    return
  }
  if (!isUnfinished(state)) throw error
  await giveUp(worker, key, state, isRefused ? cause.reason : 'changeSetFailed')
}

/** A set that could not be finished is as before the step, and says why, unless others went on with it. */
async function giveUp(
  { db, clock }: SetWorker,
  key: SetKey,
  state: Unfinished,
  failure: Reason,
): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const set = await lockSet(trx, key, clock())
    if (set.state !== state) return
    // What it is again was done to its end, but for a plan.
    const done = state === 'PLANNING' ? {} : ({ done: 'all' } as const)
    await updateSet(trx, key, { state: former[state], ...done, failure, step: null })
    await unqueueSet(trx, key)
  })
}

/** Undefined where the set is gone. */
async function findState({ db, clock }: SetWorker, key: SetKey): Promise<string | undefined> {
  try {
    return (await getSet(db, key, clock())).state
  } catch (error) {
    if (error instanceof ApiError && error.code === 'not_found') return undefined
    throw error
  }
}

/** Takes back the attempts that an outage of the database has spent. */
export async function takeBackFree({ db, free }: SetWorker): Promise<void> {
  for (let key = free.pop(); key; key = free.pop()) {
    const taken = key
    await takeBackAttempt(db, taken).catch((error: unknown) => {
      free.push(taken)
      throw error
    })
  }
}
