import type { Transaction } from 'kysely'
import { ApiError } from '../../core/errors.ts'
import type { SetStep } from '../../db/schema/change_sets.ts'
import type { Database } from '../../db/schema.ts'
import { inUtc } from '../../queries/catalogue/product_snapshots.ts'
import {
  deleteProductsOf,
  findMissing,
  insertProducts,
  moveInCollections,
  releaseKeys,
  updateProducts,
  writeLinks,
} from '../../queries/change_sets/apply_rows.ts'
import { movesInCollections, type SetKey } from '../../queries/change_sets/change_set_rows.ts'
import { findFormerTaken, findTakenValues } from '../../queries/change_sets/plan_checks.ts'
import { insertActivities } from '../../queries/change_sets/set_activities.ts'
import {
  findChangedSinceApplied,
  findChangedSincePlan,
  lockProducts,
  type NamedProduct,
  recording,
} from '../../queries/change_sets/set_products.ts'
import {
  restoreProducts,
  revertCollections,
  revertLinks,
  revertProducts,
} from '../../queries/change_sets/undo_rows.ts'
import type { FieldErrors } from '../../texts/refusals.ts'

/** Writes all rows of a locked set that can be applied, or none of them. */
export async function applyRows(
  trx: Transaction<Database>,
  key: SetKey,
  step: SetStep,
  now: Date,
): Promise<void> {
  await inUtc.execute(trx)
  await requireScopes(trx, key, step)
  await lockProducts(trx, key)
  refuseChanged(await findChangedSincePlan(trx, key), 'changedSincePlan')
  await refuseMissing(trx, key)
  await recording(
    trx,
    key,
    async () => {
      const left = await deleteProductsOf(trx, key, 'DELETE', now)
      await releaseKeys(trx, key)
      await updateProducts(trx, key, now)
      await insertProducts(trx, key, now)
      await writeLinks(trx, key)
      return [...new Set([...left, ...(await moveInCollections(trx, key, now))])]
    },
    { isApplied: true, now },
  )
  await insertActivities(trx, key, step, { isUndo: false, now })
}

/** Puts everything back as it was before the set was applied. */
export async function undoRows(
  trx: Transaction<Database>,
  key: SetKey,
  step: SetStep,
  { appliedAt, now }: { appliedAt: string; now: Date },
): Promise<void> {
  await inUtc.execute(trx)
  await requireScopes(trx, key, step)
  await lockProducts(trx, key)
  refuseChanged(await findChangedSinceApplied(trx, key, appliedAt), 'changedSinceApplied')
  refuseChanged(await findFormerTaken(trx, key), 'formerValuesTaken')
  await recording(
    trx,
    key,
    async () => {
      const left = await deleteProductsOf(trx, key, 'CREATE', now)
      await releaseKeys(trx, key)
      await revertProducts(trx, key, now)
      await restoreProducts(trx, key, now)
      await revertLinks(trx, key)
      return [...new Set([...left, ...(await revertCollections(trx, key, now))])]
    },
    { isApplied: false, now },
  )
  await insertActivities(trx, key, step, { isUndo: true, now })
}

/** Who applies a plan of somebody else needs the scopes of what it writes. */
async function requireScopes(
  trx: Transaction<Database>,
  key: SetKey,
  { actor: { scopes } }: SetStep,
): Promise<void> {
  const scope = 'collections:write'
  if (scopes === null || scopes.includes(scope)) return
  if (await movesInCollections(trx, key))
    throw new ApiError('insufficient_scope', ['scopeMissing', { scope }])
}

function refuseChanged(
  products: readonly NamedProduct[],
  reason: 'changedSincePlan' | 'changedSinceApplied' | 'formerValuesTaken',
): void {
  if (products.length === 0) return
  const named = products.map(({ id, name }) => [id, { words: name }])
  throw new ApiError('write_conflict', reason, Object.fromEntries(named) as FieldErrors)
}

/** What rows need may have been deleted or taken since the plan. */
async function refuseMissing(trx: Transaction<Database>, key: SetKey): Promise<void> {
  const missing = await findMissing(trx, key)
  const taken = await findTakenValues(trx, key)
  if (missing.length + taken.length === 0) return
  const fields: FieldErrors = {}
  for (const id of missing.slice(0, 20)) fields[id] = ['notInWorkspace', { id }]
  for (const { number, field } of taken.slice(0, 20))
    fields[`rows.${number}.${field}`] = 'valueTakenSince'
  throw new ApiError('write_conflict', 'changedSincePlan', fields)
}
