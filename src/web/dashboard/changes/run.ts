import { useEffect, useState } from 'preact/hooks'
import { api, ask, Failure, type Schemas } from '../../api.ts'
import { keep, keptKey, readKept } from '../../kit/forms/drafts.ts'
import { toast, toastFailure } from '../../kit/shell/toasts.tsx'
import { asFailure } from '../../kit/shell/use_load.ts'
import { isUnderWay, outcomeText, setPath, writesOf } from './change_set.ts'

type ChangeSet = Schemas['ChangeSet']
type Row = Schemas['ChangeSetRow']

/** What is kept over a reload. */
interface Kept {
  /** Sent with the call that makes the set, so that it can be sent again without making another. */
  key: string
  /** Until the set is made. */
  body?: Schemas['ChangeSetCreate']
  id?: string
  aim: 'apply' | 'undo'
}

/** A change of many products that this tab has begun. */
export interface Run extends Kept {
  set?: ChangeSet
  /** The first rows that could not be applied. */
  refused?: Row[]
  /** Why it stands still; it can be carried on. */
  failure?: Failure
  isOver: boolean
}

const pollMilliseconds = 1000
/** How often a plan is made again because products changed before it was applied. */
const maxPlans = 3
const namedRows = 5

/** One for each workspace. They go on while other pages are shown. */
const runs = new Map<string, Run>()
const watchers = new Set<() => void>()

const keyOf = (workspaceId: string) => keptKey(`change:${workspaceId}`)

function update(workspaceId: string, run: Run, change: Partial<Run>): void {
  Object.assign(run, change)
  if (runs.get(workspaceId) !== run) return
  const { key, body, id, aim, isOver } = run
  const kept: Kept = { key, aim, ...(id === undefined ? { ...(body && { body }) } : { id }) }
  keep(keyOf(workspaceId), isOver ? undefined : kept)
  for (const redraw of watchers) redraw()
}

/** The run of the workspace; one that a reload has interrupted goes on. */
export function useRun(workspaceId: string): Run | undefined {
  const [, setCount] = useState(0)
  useEffect(() => {
    const redraw = () => setCount((count) => count + 1)
    watchers.add(redraw)
    const kept = runs.has(workspaceId) ? undefined : readKept<Kept>(keyOf(workspaceId))
    if (kept) start(workspaceId, kept)
    return () => {
      watchers.delete(redraw)
    }
  }, [workspaceId])
  return runs.get(workspaceId)
}

/** Plans and applies a change of many products; rows that cannot be applied are left out. */
export function beginRun(workspaceId: string, body: Schemas['ChangeSetCreate']): void {
  start(workspaceId, { key: crypto.randomUUID(), body, aim: 'apply' })
}

export function undoRun(workspaceId: string, { key, id }: Run): void {
  start(workspaceId, { key, aim: 'undo', ...(id !== undefined && { id }) })
}

/** Goes on after a failure. */
export function carryOn(workspaceId: string, { key, body, id, aim }: Run): void {
  start(workspaceId, { key, aim, ...(body && { body }), ...(id !== undefined && { id }) })
}

export function putAway(workspaceId: string): void {
  runs.delete(workspaceId)
  keep(keyOf(workspaceId), undefined)
  for (const redraw of watchers) redraw()
}

function start(workspaceId: string, kept: Kept): void {
  const run: Run = { ...kept, isOver: false }
  runs.set(workspaceId, run)
  update(workspaceId, run, {})
  drive(workspaceId, run).catch((error: unknown) => {
    update(workspaceId, run, { failure: asFailure(error) })
    // No page shows it now.
    if (watchers.size === 0) toastFailure(error)
  })
}

type RunStep = 'apply' | 'undo' | 'plan' | 'cancel'

/** The next step to the aim; undefined if there is none. */
function nextStep({ aim }: Run, set: ChangeSet): RunStep | undefined {
  if (aim === 'undo') return set.state === 'APPLIED' && set.failure === null ? 'undo' : undefined
  if (set.state !== 'PLANNED') return undefined
  if (set.failure !== null) return 'plan'
  // A plan that writes nothing would only stand in the way.
  return writesOf(set) > 0 ? 'apply' : 'cancel'
}

async function drive(workspaceId: string, run: Run): Promise<void> {
  let set = await make(workspaceId, run)
  for (let plans = 1; ;) {
    update(workspaceId, run, { set, id: set.id })
    if (isUnderWay(set)) {
      await new Promise((resolve) => setTimeout(resolve, pollMilliseconds))
      set = await read(workspaceId, set.id)
      continue
    }
    const step = nextStep(run, set)
    if (step === undefined || (step === 'plan' && plans >= maxPlans)) break
    if (step === 'plan') plans += 1
    try {
      set = await take(workspaceId, set.id, step)
    } catch (error) {
      const code = error instanceof Failure ? error.code : undefined
      if (++plans > maxPlans) throw error
      // Somebody changed one of the products since they were planned.
      if (code === 'write_conflict' && step === 'apply')
        set = await take(workspaceId, set.id, 'plan')
      // The same step, sent before a reload, was taken in the meantime.
      else if (code === 'change_set_state') set = await read(workspaceId, set.id)
      else throw error
    }
  }
  const refused = set.counts.errors === 0 ? [] : await readRefused(workspaceId, set.id)
  update(workspaceId, run, { set, refused, isOver: true })
  toast(outcomeText(set, run.aim))
}

function make(workspaceId: string, { id, body, key }: Run): Promise<ChangeSet> {
  if (id !== undefined || !body) return read(workspaceId, id ?? '')
  const params = { path: { workspaceId }, header: { 'Idempotency-Key': key } }
  return patiently(() =>
    ask(api.POST('/v1/workspaces/{workspaceId}/change-sets', { params, body })),
  )
}

const read = (workspaceId: string, id: string): Promise<ChangeSet> =>
  patiently(() => ask(api.GET(setPath, { params: { path: { workspaceId, id } } })))

function take(workspaceId: string, id: string, step: RunStep): Promise<ChangeSet> {
  const params = { path: { workspaceId, id } }
  return patiently(() =>
    step === 'apply'
      ? ask(api.POST(`${setPath}/apply`, { params, body: { skipErrors: true } }))
      : ask(api.POST(`${setPath}/${step}`, { params, body: {} })),
  )
}

async function readRefused(workspaceId: string, id: string): Promise<Row[]> {
  const query = { only: 'errors' as const, pageSize: namedRows }
  const params = { path: { workspaceId, id }, query }
  return (await ask(api.GET(`${setPath}/rows`, { params }))).rows
}

/** Sends a call again at the limit, and while the same call from before a reload still runs. */
async function patiently<T>(call: () => Promise<T>): Promise<T> {
  for (;;)
    try {
      return await call()
    } catch (error) {
      const passes =
        error instanceof Failure &&
        (error.code === 'rate_limited' || error.code === 'idempotency_in_progress')
      if (!passes) throw error
      const seconds = error.retryAfter ?? 1
      await new Promise((resolve) => setTimeout(resolve, seconds * 1000))
    }
}
