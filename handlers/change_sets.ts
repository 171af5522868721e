import type { Transaction } from 'kysely'
import { fieldsInWords, invalidInput } from '../src/core/errors.ts'
import { paginationOf } from '../src/core/paging.ts'
import type { SetSource } from '../src/db/schema/change_sets.ts'
import type { Database } from '../src/db/schema.ts'
import { changesFor } from '../src/domain/catalogue/recorded_products.ts'
import {
  type Answered,
  beginApply,
  beginUndo,
  cancelSet,
  planAgain,
  planWhole,
  untilFree,
} from '../src/domain/change_sets/change_sets.ts'
import { plannerOf, stepOf } from '../src/domain/change_sets/callers.ts'
import { columnOf } from '../src/domain/change_sets/files/columns.ts'
import { fetchPictures } from '../src/domain/change_sets/files/pictures.ts'
import { storeUpload, wantedFile } from '../src/domain/change_sets/files/uploads.ts'
import {
  countSelected,
  makeSet,
  smallSet,
  type WantedChange,
} from '../src/domain/change_sets/making.ts'
import { errorOf } from '../src/domain/change_sets/rows.ts'
import type { AccountCaller, Handler, Input, Output } from '../src/operation.ts'
import { listRows, type SetKey } from '../src/queries/change_sets/change_set_rows.ts'
import {
  dropsRows,
  getProgress,
  getSet,
  listSets,
  lockIdleSet,
  type StoredSet,
} from '../src/queries/change_sets/change_sets.ts'
import { queueSet } from '../src/queries/change_sets/queue.ts'
import { needsApproval } from '../src/queries/change_sets/approval.ts'
import { bestLanguage, type Language } from '../src/texts/languages.ts'
import { inWords } from '../src/texts/refusals.ts'

type ChangeSet = Output<'get_change_set'>

function inLanguageOf(caller: AccountCaller, { failure, ...set }: StoredSet): ChangeSet {
  const language = bestLanguage(caller.languages)
  return { ...set, failure: failure === null ? null : inWords(language, failure) }
}

const keyOf = ({ workspaceId, id }: SetKey): SetKey => ({ workspaceId, id })

/** Takes a step of a set; what goes on in the background is started after the commit. */
async function takeStep(
  caller: AccountCaller,
  work: (trx: Transaction<Database>) => Promise<{ key: SetKey; answered: Answered }>,
  seen?: SetKey,
): Promise<ChangeSet> {
  let isLeft = false
  const set = await untilFree(() =>
    caller.transaction(async (trx) => {
      if (seen && caller.isConditional) await requireSeen(trx, caller, seen)
      const { key, answered } = await work(trx)
      isLeft = answered === 'background'
      return inLanguageOf(caller, await getSet(trx, key, caller.now))
    }),
  )
  if (isLeft) caller.kickChangeSets()
  return set
}

/** A step of a set is about the set that the caller has seen. */
async function requireSeen(
  trx: Transaction<Database>,
  caller: AccountCaller,
  key: SetKey,
): Promise<void> {
  await lockIdleSet(trx, key, caller.now)
  caller.requireCurrent(inLanguageOf(caller, await getSet(trx, key, caller.now)))
}

export const list_change_sets: Handler<'list_change_sets'> = async ({ path, query }, caller) => {
  const { page, pageSize, waiting } = query
  const { workspaceId } = path
  const { sets, total } = await listSets(caller.db, workspaceId, waiting, query, caller.now)
  return {
    changeSets: sets.map((set) => inLanguageOf(caller, set)),
    pagination: paginationOf(page, pageSize, total),
  }
}

export const get_change_set: Handler<'get_change_set'> = async ({ path }, caller) =>
  inLanguageOf(caller, await getSet(caller.db, keyOf(path), caller.now))

async function wantedIn(
  workspaceId: string,
  body: Input<'create_change_set'>['body'],
  caller: AccountCaller,
): Promise<WantedChange> {
  const { rows, select, uploadId, mapping, make } = body
  const isOne = [rows, select, uploadId].filter((way) => way !== undefined).length === 1
  if (!isOne || (uploadId === undefined && (mapping ?? make)))
    throw invalidInput({ rows: 'rowsOrSelection' })
  if (rows) return { rows }
  if (select) return { select }
  const file = await wantedFile(caller, workspaceId, { ...body, uploadId: uploadId! })
  return { file }
}

/** Whether a plan has to wait for more pictures than a call can. */
async function waitsForPictures(
  caller: AccountCaller,
  workspaceId: string,
  wanted: WantedChange,
): Promise<boolean> {
  if (!('file' in wanted) || !caller.holds('media:write')) return false
  const { source, urls, hasManyUrls } = wanted.file
  if (hasManyUrls) return true
  await fetchPictures(caller, { workspaceId, uploadId: source.uploadId }, urls)
  return false
}

export const upload_change_set_file: Handler<'upload_change_set_file'> = async (
  { path, body },
  caller,
) => {
  const [file] = await caller.files()
  return storeUpload(caller, path.workspaceId, file!, body.format)
}

export const create_change_set: Handler<'create_change_set'> = async ({ path, body }, caller) => {
  const { workspaceId } = path
  const wanted = await wantedIn(workspaceId, body, caller)
  if ('file' in wanted) await caller.countAs(Math.ceil(wanted.file.rows / 1000))
  if ('rows' in wanted) await caller.countAs(Math.ceil(wanted.rows.length / 10))
  if ('select' in wanted) await countSelection(caller, workspaceId, wanted.select)
  const waits = await waitsForPictures(caller, workspaceId, wanted)
  const step = await stepOf(caller, 'create_change_set')
  const { title = '' } = body
  return takeStep(caller, async (trx) => {
    const made = await makeSet(trx, workspaceId, { title, wanted, step }, caller.now)
    return plan(trx, made, caller, waits)
  })
}

/** A few words select all products, and a plan keeps each as it was: it counts by these, as rows do. */
async function countSelection(
  caller: AccountCaller,
  workspaceId: string,
  selection: Parameters<typeof countSelected>[2],
): Promise<void> {
  const selected = await countSelected(caller.db, workspaceId, selection)
  await caller.countAs(Math.ceil(Math.min(selected, smallSet) / 10))
}

/** Plans a small set at once; a large one is left to the background. */
async function plan(
  trx: Transaction<Database>,
  { key, total }: { key: SetKey; total: number },
  caller: AccountCaller,
  waits: boolean,
): Promise<{ key: SetKey; answered: Answered }> {
  if (total > smallSet || waits) {
    await queueSet(trx, key, waits ? 'pictures' : 'plan', caller.now)
    return { key, answered: 'background' }
  }
  await planWhole(trx, key, plannerOf(caller), caller.now)
  return { key, answered: 'done' }
}

export const list_change_set_rows: Handler<'list_change_set_rows'> = async (
  { path, query },
  caller,
) => {
  const key = keyOf(path)
  const progress = await getProgress(caller.db, key)
  const { source } = progress
  const { page, pageSize, only } = query
  const { rows, total } = dropsRows(progress)
    ? { rows: [], total: 0 }
    : await listRows(caller.db, key, only, query)
  const language = bestLanguage(caller.languages)
  return {
    rows: rows.map(({ error, effect: _effect, changes, ...row }) => ({
      ...row,
      changes: changesFor(caller, changes ?? []),
      errors: error ? errorsOf(errorOf(error), source, language) : {},
    })),
    pagination: paginationOf(page, pageSize, total),
  }
}

/** By the columns of a file, where there is one. A refusal of a whole row stands under the row. */
function errorsOf(
  { reason, fieldErrors }: ReturnType<typeof errorOf>,
  source: SetSource,
  language: Language,
): Record<string, string> {
  if (!fieldErrors) return { row: inWords(language, reason) }
  const worded = fieldsInWords(fieldErrors, language)
  if (source.kind !== 'file') return worded
  const entries = Object.entries(worded)
  return Object.fromEntries(entries.map(([field, words]) => [columnOf(source, field), words]))
}

export const plan_change_set: Handler<'plan_change_set'> = async ({ path }, caller) => {
  const key = keyOf(path)
  const step = await stepOf(caller, 'plan_change_set')
  // Pictures that could not be had are asked for again, which may take long.
  const { source } = await getProgress(caller.db, key)
  const waits = source.kind === 'file' && source.hasUrls
  return takeStep(
    caller,
    async (trx) =>
      plan(trx, { key, total: await planAgain(trx, key, step, caller.now) }, caller, waits),
    key,
  )
}

export const apply_change_set: Handler<'apply_change_set'> = async ({ path, body }, caller) => {
  const key = keyOf(path)
  const step = await stepOf(caller, 'apply_change_set', body?.skipErrors)
  return takeStep(
    caller,
    async (trx) => {
      const waits = await needsApproval(trx, path.workspaceId)
      const answered = await beginApply(trx, key, step, { needsApproval: waits, now: caller.now })
      return { key, answered }
    },
    key,
  )
}

export const undo_change_set: Handler<'undo_change_set'> = async ({ path }, caller) => {
  const key = keyOf(path)
  const step = await stepOf(caller, 'undo_change_set')
  return takeStep(
    caller,
    async (trx) => {
      const waits = await needsApproval(trx, path.workspaceId)
      const answered = await beginUndo(trx, key, step, { needsApproval: waits, now: caller.now })
      return { key, answered }
    },
    key,
  )
}

export const cancel_change_set: Handler<'cancel_change_set'> = ({ path }, caller) =>
  takeStep(
    caller,
    async (trx) => {
      const key = keyOf(path)
      return { key, answered: await cancelSet(trx, key, caller.now) }
    },
    keyOf(path),
  )
