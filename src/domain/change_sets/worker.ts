import type { Kysely } from 'kysely'
import { ApiError } from '../../core/errors.ts'
import { isBrokenOff, translateDatabaseError } from '../../db/constraints.ts'
import type { Log } from '../../core/log.ts'
import type { SetStep } from '../../db/schema/change_sets.ts'
import type { Database } from '../../db/schema.ts'
import { type Rounds, startRounds } from '../../fairness/rounds.ts'
import { listWaitingRows, type SetKey } from '../../queries/change_sets/change_set_rows.ts'
import {
  getProgress,
  getSet,
  type LockedSet,
  lockSet,
  updateSet,
} from '../../queries/change_sets/change_sets.ts'
import {
  claimSet,
  type ClaimedSet,
  clearAttempts,
  renewLease,
  takeBackAttempt,
  unqueueSet,
} from '../../queries/change_sets/queue.ts'
import { mayStillWrite } from '../../queries/change_sets/set_access.ts'
import type { Reason } from '../../texts/refusals.ts'
import type { Taking } from './applying.ts'
import {
  finishApply,
  finishPlan,
  finishUndo,
  holdsFor,
  planNext,
  untilFree,
} from './change_sets.ts'
import { type Fetching, fetchPictures, urlsOf } from './files/pictures.ts'
import { rowsAtOnce } from './planning.ts'
import type { CheckBody } from './rows.ts'

interface WorkerParts extends Pick<
  Fetching,
  'db' | 'mediaStore' | 'download' | 'clock' | 'config'
> {
  /** For the transactions of steps, whose statements may take longer than those of calls. */
  background: Kysely<Database>
  log: Log
  checkBody: CheckBody
}

const lookMilliseconds = 5_000
/** How long a set waits after its process was killed; renewed while the process lives. */
const leaseMilliseconds = 15_000
/** How many times some rows are planned before another workspace has its turn. */
const planTurns = 10
/** How often a step is begun in vain before it is given up. */
const mostAttempts = 5
/** Workspaces whose last turn is remembered. */
const mostRemembered = 100
/** How long the pictures of a set are fetched before another has its turn. */
const fetchMilliseconds = 10_000

/**
 * Carries on the steps of large sets: in a process one plan, one plan with pictures and one write at a
 * time, and workspaces take turns. Plans advance by some rows in a transaction, so that a killed process
 * loses no more than these; applying and undoing are one transaction each. The lease on a set keeps other
 * processes off it, and lets them take over. A step that takes too long again and again, or ends its process,
 * is given up; one that an outage of the database broke off is not the worse for it.
 */
export function startChangeSetWorker(parts: WorkerParts): Rounds {
  const { db, background, log, clock, checkBody } = parts
  let stopped = false
  const leaseFrom = (now: Date) => new Date(now.getTime() + leaseMilliseconds)

  const ending = new AbortController()

  /**
   * Fetches the pictures that the next rows of a file name, while no connection waits; false if some are
   * left, because others want their turn or the set is not to be planned any more.
   */
  async function fetchSome(key: SetKey): Promise<boolean> {
    const { workspaceId } = key
    const { source, step, done } = await getProgress(db, key)
    if (source.kind !== 'file' || !source.hasUrls || !step) return true
    if (!holdsFor(step.actor)('media:write')) return true
    const column = source.columns.findIndex(({ field }) => field === 'images')
    const waiting = await listWaitingRows(db, key, { from: done, count: rowsAtOnce })
    const cells = waiting.map(({ input }) => (input as unknown[])[column])
    const fetching: Fetching = {
      ...parts,
      accountId: step.actor.accountId,
      signal: ending.signal,
      transaction: (work) => db.transaction().execute(work),
      reauthorise: async () => {
        if (!(await mayStillWrite(db, workspaceId, step.actor, clock())))
          throw new ApiError('not_owner', 'accessLost')
      },
    }
    const upload = { workspaceId, uploadId: source.uploadId }
    const endsAt = performance.now() + fetchMilliseconds
    return fetchPictures(fetching, upload, urlsOf(cells, source.format), async () => {
      if (stopped || performance.now() > endsAt) return false
      return (await getSet(db, key, clock())).state === 'PLANNING'
    })
  }

  /** Plans some more rows; false when there is nothing left to do. */
  async function planSome(key: SetKey): Promise<boolean> {
    return background.transaction().execute(async (trx) => {
      const now = clock()
      const set = await lockSet(trx, key, now)
      if (set.state !== 'PLANNING' || !set.step) return false
      const { done, total } = set.progress
      if (done >= total) {
        await finishPlan(trx, key, now)
        await unqueueSet(trx, key)
        return false
      }
      const planner = { check: checkBody, holds: holdsFor(set.step.actor) }
      const next = await planNext(trx, key, set, planner)
      await updateSet(trx, key, { done: next })
      await clearAttempts(trx, key)
      return true
    })
  }

  async function finish(
    key: SetKey,
    state: 'APPLYING' | 'UNDOING',
    write: (set: LockedSet, step: SetStep) => Write,
  ): Promise<void> {
    await untilFree(() =>
      background.transaction().execute(async (trx) => {
        const now = clock()
        const set = await lockSet(trx, key, now)
        if (!set.step || set.state !== state) return
        if (!(await mayStillWrite(trx, key.workspaceId, set.step.actor, now)))
          throw new ApiError('not_owner', 'accessLost')
        await write(set, set.step)(trx, { now, signal: ending.signal })
        await unqueueSet(trx, key)
      }),
    )
  }

  /** A set that could not be finished is as before the step, and says why, unless others went on with it. */
  async function giveUp(key: SetKey, state: Unfinished, failure: Reason): Promise<void> {
    await db.transaction().execute(async (trx) => {
      const set = await lockSet(trx, key, clock())
      if (set.state !== state) return
      await updateSet(trx, key, { state: former[state], failure, step: null })
      await unqueueSet(trx, key)
    })
  }

  async function keepingLease(key: SetKey, work: () => Promise<void>): Promise<void> {
    const renew = () => void renewLease(db, key, leaseFrom(clock())).catch(() => undefined)
    const renewing = setInterval(renew, leaseMilliseconds / 3)
    await work().finally(() => clearInterval(renewing))
  }

  /** Plans for a while; what is left goes to the end of the line. */
  async function planInTurn(key: SetKey): Promise<void> {
    for (let turn = 0; turn < planTurns && !stopped; turn++) {
      if (!(await fetchSome(key))) break
      if (!(await planSome(key))) return
    }
    await clearAttempts(db, key)
    await renewLease(db, key, clock())
  }

  /** Attempts that were no fault of their steps, to be taken back when the database is there again. */
  const free: SetKey[] = []

  async function takeBackFree(): Promise<void> {
    for (let key = free.pop(); key; key = free.pop()) {
      const taken = key
      await takeBackAttempt(db, taken).catch((error: unknown) => {
        free.push(taken)
        throw error
      })
    }
  }

  async function carryOn({ attempts, ...key }: ClaimedSet): Promise<void> {
    let state: string | undefined
    try {
      state = await findState(key)
      if (!isUnfinished(state)) await unqueueSet(db, key)
      else if (attempts > mostAttempts) await giveUp(key, state, givenUp)
      else if (state === 'PLANNING') await planInTurn(key)
      else if (state === 'APPLYING')
        await finish(
          key,
          state,
          (_set, step) => (trx, taking) => finishApply(trx, key, step, taking),
        )
      else
        await finish(
          key,
          state,
          ({ appliedAt }, step) =>
            (trx, taking) =>
              finishUndo(trx, key, step, { ...taking, appliedAt: appliedAt ?? '' }),
        )
    } catch (error) {
      await afterFailure({ ...key, attempts }, state, error)
    }
  }

  async function afterFailure(
    { attempts, ...key }: ClaimedSet,
    state: string | undefined,
    error: unknown,
  ): Promise<void> {
    if (stopped) {
      // Another process may go on at once.
      await takeBackAttempt(db, key)
      return renewLease(db, key, clock())
    }
    const cause = translateDatabaseError(error)
    const isRefused = cause instanceof ApiError && cause.status < 500
    if (!isRefused) log.error({ err: error, changeSetId: key.id }, 'A step of a change set failed.')
    if (cause instanceof ApiError && cause.code === 'unavailable') {
      // The lease ends, and it is tried again: in vain each time where the step itself takes too long.
      if (!isBrokenOff(error)) free.push(key)
      else if (isUnfinished(state) && attempts >= mostAttempts) await giveUp(key, state, givenUp)
      return
    }
    if (!isUnfinished(state)) throw error
    await giveUp(key, state, isRefused ? cause.reason : 'changeSetFailed')
  }

  /** Undefined where the set is gone. */
  async function findState(key: SetKey): Promise<string | undefined> {
    try {
      return (await getSet(db, key, clock())).state
    } catch (error) {
      if (error instanceof ApiError && error.code === 'not_found') return undefined
      throw error
    }
  }

  const lines = (['plan', 'pictures', 'write'] as const).map((line) => {
    let lately: string[] = []
    return startRounds({
      everyMilliseconds: lookMilliseconds,
      onFailure: (err) => log.error({ err }, 'Change sets could not be read.'),
      async look() {
        await takeBackFree()
        const now = clock()
        const key = await claimSet(db, line, { now, until: leaseFrom(now), lately })
        if (!key) return false
        lately = [...lately.filter((id) => id !== key.workspaceId), key.workspaceId]
        lately = lately.slice(-mostRemembered)
        await keepingLease(key, () => carryOn(key))
        return true
      },
    })
  })

  return {
    kick() {
      for (const line of lines) line.kick()
    },
    async flush() {
      await Promise.all(lines.map((line) => line.flush()))
    },
    async stop() {
      stopped = true
      ending.abort()
      await Promise.all(lines.map((line) => line.stop()))
    },
  }
}

/** What a set is again if its step cannot be finished. */
const former = { PLANNING: 'FAILED', APPLYING: 'PLANNED', UNDOING: 'APPLIED' } as const
type Unfinished = keyof typeof former

const isUnfinished = (state: string | undefined): state is Unfinished =>
  state !== undefined && state in former

const givenUp: Reason = ['changeSetGivenUp', { count: mostAttempts }]

type Write = (trx: Parameters<typeof finishApply>[0], taking: Taking) => Promise<void>
