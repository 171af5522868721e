import type { Transaction } from 'kysely'
import { fieldsInWords, invalidInput } from '../src/core/errors.ts'
import { paginationOf } from '../src/core/paging.ts'
import type { Database } from '../src/db/schema.ts'
import {
  type Answered,
  beginApply,
  beginUndo,
  cancelSet,
  makeSet,
  planAgain,
  planWhole,
  smallSet,
  untilFree,
  type Wanted,
} from '../src/domain/change_sets/change_sets.ts'
import { plannerOf, stepOf } from '../src/domain/change_sets/callers.ts'
import { errorOf } from '../src/domain/change_sets/rows.ts'
import type { AccountCaller, Handler, Input, Output } from '../src/operation.ts'
import { listRows, type SetKey } from '../src/queries/change_sets/change_set_rows.ts'
import { getSet, listSets, type StoredSet } from '../src/queries/change_sets/change_sets.ts'
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
): Promise<ChangeSet> {
  let isLeft = false
  const set = await untilFree(() =>
    caller.transaction(async (trx) => {
      const { key, answered } = await work(trx)
      isLeft = answered === 'background'
      return inLanguageOf(caller, await getSet(trx, key, caller.now))
    }),
  )
  if (isLeft) caller.kickChangeSets()
  return set
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

function wantedIn({ rows, select }: Input<'create_change_set'>['body']): Wanted {
  if (rows && !select) return { rows }
  if (select && !rows) return { select }
  throw invalidInput({ rows: 'rowsOrSelection' })
}

export const create_change_set: Handler<'create_change_set'> = async ({ path, body }, caller) => {
  const wanted = wantedIn(body)
  if ('rows' in wanted) await caller.countAs(Math.ceil(wanted.rows.length / 10))
  const step = await stepOf(caller, 'create_change_set')
  const { title = '' } = body
  return takeStep(caller, async (trx) => {
    const made = await makeSet(trx, path.workspaceId, { title, wanted, step }, caller.now)
    return plan(trx, made, caller)
  })
}

/** Plans a small set at once; a large one is left to the background. */
async function plan(
  trx: Transaction<Database>,
  { key, total }: { key: SetKey; total: number },
  caller: AccountCaller,
): Promise<{ key: SetKey; answered: Answered }> {
  if (total > smallSet) {
    await queueSet(trx, key, caller.now)
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
  await getSet(caller.db, key, caller.now)
  const { page, pageSize, only } = query
  const { rows, total } = await listRows(caller.db, key, only, query)
  const language = bestLanguage(caller.languages)
  return {
    rows: rows.map(({ error, effect: _effect, changes, ...row }) => ({
      ...row,
      changes: changes ?? [],
      errors: error ? errorsOf(errorOf(error), language) : {},
    })),
    pagination: paginationOf(page, pageSize, total),
  }
}

/** A refusal of a whole row stands under the row. */
function errorsOf(
  { reason, fieldErrors }: ReturnType<typeof errorOf>,
  language: Language,
): Record<string, string> {
  if (fieldErrors) return fieldsInWords(fieldErrors, language)
  return { row: inWords(language, reason) }
}

export const plan_change_set: Handler<'plan_change_set'> = async ({ path }, caller) => {
  const key = keyOf(path)
  const step = await stepOf(caller, 'plan_change_set')
  return takeStep(caller, async (trx) =>
    plan(trx, { key, total: await planAgain(trx, key, step, caller.now) }, caller),
  )
}

export const apply_change_set: Handler<'apply_change_set'> = async ({ path, body }, caller) => {
  const key = keyOf(path)
  const step = await stepOf(caller, 'apply_change_set', body?.skipErrors)
  return takeStep(caller, async (trx) => {
    const waits = await needsApproval(trx, path.workspaceId)
    const answered = await beginApply(trx, key, step, { needsApproval: waits, now: caller.now })
    return { key, answered }
  })
}

export const undo_change_set: Handler<'undo_change_set'> = async ({ path }, caller) => {
  const key = keyOf(path)
  const step = await stepOf(caller, 'undo_change_set')
  return takeStep(caller, async (trx) => ({
    key,
    answered: await beginUndo(trx, key, step, caller.now),
  }))
}

export const cancel_change_set: Handler<'cancel_change_set'> = ({ path }, caller) =>
  takeStep(caller, async (trx) => {
    await cancelSet(trx, keyOf(path), caller.now)
    return { key: keyOf(path), answered: 'done' }
  })
