import type { Transaction } from 'kysely'
import { errorBody, invalidInput } from '../../core/errors.ts'
import type { RowEffect, SetStep } from '../../db/schema/change_sets.ts'
import type { Database } from '../../db/schema.ts'
import type { components } from '../../generated/types.ts'
import { needsApproval } from '../../queries/change_sets/approval.ts'
import { listAllRows, type ListedRow } from '../../queries/change_sets/change_set_rows.ts'
import { deleteSet } from '../../queries/change_sets/change_sets.ts'
import { lockRead } from '../../queries/change_sets/plan_reads.ts'
import type { Language } from '../../texts/languages.ts'
import type { FieldErrors } from '../../texts/refusals.ts'
import { beginApply, planWhole, type Planner } from './change_sets.ts'
import { makeSet } from './making.ts'
import { errorOf, type ProductRow, targetOf } from './rows.ts'

type Schemas = components['schemas']
type Result = Schemas['ProductRowResult']

const outcomes: Record<RowEffect, Result['outcome']> = {
  CREATE: 'CREATED',
  UPDATE: 'UPDATED',
  DELETE: 'DELETED',
  NONE: 'UNCHANGED',
  ERROR: 'FAILED',
}

const noCounts = { created: 0, updated: 0, unchanged: 0, deleted: 0, failed: 0 }

/** Plans and applies rows at once, as a change set that can be undone. */
export async function writeBatch(
  trx: Transaction<Database>,
  workspaceId: string,
  { rows, atomic }: Schemas['ProductBatch'],
  parts: { step: SetStep; planner: Planner; language: Language; now: Date },
): Promise<Schemas['ProductBatchResult']> {
  const { step, planner, language, now } = parts
  // Nothing changes between the plan and its application.
  await lockTargets(trx, workspaceId, rows)
  const wanted = { title: '', wanted: { rows }, step }
  const { key } = await makeSet(trx, workspaceId, wanted, now)
  const { creates, updates, deletes } = await planWhole(trx, key, planner, now)
  const listed = await listAllRows(trx, key)
  if (atomic) requireAll(listed)
  const writes = creates + updates + deletes > 0
  if (!writes) await deleteSet(trx, key)
  else {
    const waits = await needsApproval(trx, workspaceId)
    const answered = await beginApply(trx, key, step, { needsApproval: waits, now })
    if (answered === 'waiting') return { results: [], counts: noCounts, changeSetId: key.id }
  }
  const results = listed.map((row) => resultOf(row, language))
  const count = (outcome: Result['outcome']) =>
    results.filter((result) => result.outcome === outcome).length
  const counts = {
    created: count('CREATED'),
    updated: count('UPDATED'),
    unchanged: count('UNCHANGED'),
    deleted: count('DELETED'),
    failed: count('FAILED'),
  }
  return { results, counts, changeSetId: writes ? key.id : null }
}

function resultOf({ row, effect, productId, error }: ListedRow, language: Language): Result {
  return {
    row,
    outcome: outcomes[effect ?? 'ERROR'],
    id: productId,
    error: error && errorBody(errorOf(error), language),
  }
}

async function lockTargets(
  trx: Transaction<Database>,
  workspaceId: string,
  rows: readonly ProductRow[],
): Promise<void> {
  const targets = rows.flatMap((row) => targetOf(row) ?? [])
  await lockRead(trx, workspaceId, {
    ids: targets.flatMap((target) => ('id' in target ? [target.id] : [])),
    skus: targets.flatMap((target) => ('sku' in target ? [target.sku] : [])),
  })
}

/** Refuses all rows if one of them fails, naming the fields of each. */
function requireAll(rows: readonly ListedRow[]): void {
  const faults: FieldErrors = {}
  for (const { row, error } of rows) {
    if (!error) continue
    const fields = Object.entries(error.fields)
    if (fields.length === 0) faults[`rows.${row}`] = error.reason
    for (const [path, reason] of fields) faults[`rows.${row}.${path}`] = reason
  }
  if (Object.keys(faults).length > 0) throw invalidInput(faults)
}
