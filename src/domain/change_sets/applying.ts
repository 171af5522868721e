import type { Transaction } from 'kysely'
import { ApiError } from '../../core/errors.ts'
import { identityKeyOf } from '../../core/text.ts'
import type { SetStep } from '../../db/schema/change_sets.ts'
import type { Database } from '../../db/schema.ts'
import { type GrowingTable, renewStatistics, stepTables } from '../../db/statistics.ts'
import type { Scope } from '../../generated/operations.ts'
import { findOverfull, maxCollectionProducts } from '../../queries/catalogue/collections.ts'
import { inUtc } from '../../queries/catalogue/product_snapshots.ts'
import {
  deleteProductsOf,
  findMissing,
  insertProducts,
  moveInCollections,
  releaseKeys,
  touchCollections,
  updateProducts,
  writeLinks,
} from '../../queries/change_sets/apply_rows.ts'
import {
  listSlices,
  movesInCollections,
  type SetKey,
  type SetSlice,
} from '../../queries/change_sets/change_set_rows.ts'
import {
  findFormerTaken,
  findTakenValues,
  type FormerTaken,
} from '../../queries/change_sets/plan_checks.ts'
import {
  listNamed,
  listNeeded,
  type Made,
  makeNamed,
  type Recorded,
  removeMade,
} from '../../queries/change_sets/named.ts'
import { insertActivities } from '../../queries/change_sets/set_activities.ts'
import {
  type Beside,
  findChangedSinceApplied,
  findChangedSincePlan,
  lockProducts,
  mostNamed,
  type NamedProduct,
  recording,
} from '../../queries/change_sets/set_products.ts'
import {
  type ChosenSlugs,
  chooseSlugs,
  claimSlugs,
  noteSlugs,
} from '../../queries/change_sets/slugs.ts'
import {
  findLostLinks,
  restoreProducts,
  revertCollections,
  revertLinks,
  revertProducts,
} from '../../queries/change_sets/undo_rows.ts'
import type { FieldErrors, Reason } from '../../texts/refusals.ts'

/** When a step is taken, and whether it may take longer than a call. */
export interface Taking {
  now: Date
  isLong: boolean
}

/** Writes all rows of a locked set that can be applied, or none of them. */
export async function applyRows(
  trx: Transaction<Database>,
  key: SetKey,
  step: SetStep,
  { now, isLong }: Taking,
): Promise<void> {
  await inUtc.execute(trx)
  const needed = await listNeeded(trx, key)
  await requireScopes(trx, key, step, needed)
  await lockProducts(trx, key)
  const bySlice = await slicing(trx, key, isLong)
  await refuseChanged('changedSincePlan', bySlice, (slice) => findChangedSincePlan(trx, slice))
  await refuseMade(trx, key, needed)
  await recording(
    trx,
    key,
    async () => {
      const made = await makeNamed(trx, key.workspaceId, needed, now)
      if (isLong && needed.length > 0) await renewStatistics(trx, ['tags', 'collections'])
      await refuseMissing(trx, key)
      const slugs = await slugsOf(trx, key, 'CREATE', { bySlice, isLong })
      const left = await bySlice((slice) => deleteProductsOf(trx, slice, 'DELETE', now))
      await bySlice((slice) => releaseKeys(trx, slice))
      await bySlice((slice) => updateProducts(trx, slice, now))
      if (slugs.all.size > 0)
        await bySlice((slice) => insertProducts(trx, slice, slugs, now), ['products'])
      await noteSlugs(trx, key, slugs)
      await bySlice((slice) => writeLinks(trx, slice), linkTables)
      const moved = unique(
        await bySlice((slice) => moveInCollections(trx, slice), ['collection_products']),
      )
      await touchCollections(trx, key, moved, now)
      await refuseOverfull(trx, key, moved, 'changedSincePlan')
      await bySlice((slice) => insertActivities(trx, slice, step, { isUndo: false, now }))
      return besideOf(made, [...left.flat(), ...moved], isLong ? slugs : undefined)
    },
    { isApplied: true, now },
  )
}

type BySlice = <T>(
  work: (slice: SetSlice) => Promise<T>,
  grown?: readonly GrowingTable[],
) => Promise<T[]>

const linkTables = ['product_images', 'product_tags'] as const

/**
 * Does something with each slice of a set in turn. A long step tells the planner how its tables have grown: after
 * one slice, two, four and so on, and after the last.
 */
async function slicing(trx: Transaction<Database>, key: SetKey, isLong: boolean): Promise<BySlice> {
  if (isLong) await renewStatistics(trx, stepTables)
  const slices = await listSlices(trx, key)
  return async (work, grown = []) => {
    const results: Awaited<ReturnType<typeof work>>[] = []
    for (const slice of slices) {
      results.push(await work(slice))
      const done = results.length
      const hasDoubled = (done & (done - 1)) === 0
      if (isLong && grown.length > 0 && (hasDoubled || done === slices.length))
        await renewStatistics(trx, grown)
    }
    return results
  }
}

/** The slugs of what a step inserts. A short one claims them at once, before it writes any product. */
async function slugsOf(
  trx: Transaction<Database>,
  key: SetKey,
  effect: 'CREATE' | 'DELETE',
  { bySlice, isLong }: { bySlice: BySlice; isLong: boolean },
): Promise<ChosenSlugs> {
  const slugs: ChosenSlugs = { all: new Map(), others: new Map() }
  await bySlice((slice) => chooseSlugs(trx, slice, effect, slugs))
  if (!isLong) await claimSlugs(trx, key, slugs)
  return slugs
}

const unique = (ids: readonly (readonly string[])[]) => [...new Set(ids.flat())]

/** What is made or removed stands in the feed once. */
function besideOf(
  recorded: Recorded,
  collectionIds: readonly string[],
  slugs: ChosenSlugs | undefined,
): Beside {
  const named = new Set(recorded.entries.map(({ id }) => id))
  const others = unique([collectionIds]).filter((id) => !named.has(id))
  return { ...recorded, collectionIds: others, slugs }
}

/** Puts everything back as it was before the set was applied. */
export async function undoRows(
  trx: Transaction<Database>,
  key: SetKey,
  step: SetStep,
  { appliedAt, now, isLong }: Taking & { appliedAt: string },
): Promise<void> {
  await inUtc.execute(trx)
  await requireScopes(trx, key, step, await listNeeded(trx, key))
  await lockProducts(trx, key)
  const bySlice = await slicing(trx, key, isLong)
  const changedIn = (slice: SetSlice) => findChangedSinceApplied(trx, slice, appliedAt)
  await refuseChanged('changedSinceApplied', bySlice, changedIn)
  refuseTaken(await findFormerTaken(trx, key))
  await recording(
    trx,
    key,
    async () => {
      const slugs = await slugsOf(trx, key, 'DELETE', { bySlice, isLong })
      const left = await bySlice((slice) => deleteProductsOf(trx, slice, 'CREATE', now))
      await bySlice((slice) => releaseKeys(trx, slice))
      await bySlice((slice) => revertProducts(trx, slice, now))
      await bySlice((slice) => restoreProducts(trx, slice, slugs, now), ['products'])
      await bySlice((slice) => revertLinks(trx, slice), linkTables)
      refuseLost(await findLostLinks(trx, key))
      const reverted = unique(
        await bySlice((slice) => revertCollections(trx, slice), ['collection_products']),
      )
      await touchCollections(trx, key, reverted, now)
      await refuseOverfull(trx, key, reverted, tooManyInCollection)
      const removed = await removeMade(trx, key, appliedAt)
      await bySlice((slice) => insertActivities(trx, slice, step, { isUndo: true, now }))
      return besideOf(removed, [...left.flat(), ...reverted], isLong ? slugs : undefined)
    },
    { isApplied: false, now },
  )
}

/** Who applies a plan of somebody else needs the scopes of what it writes. */
async function requireScopes(
  trx: Transaction<Database>,
  key: SetKey,
  { actor: { scopes } }: SetStep,
  needed: readonly Made[],
): Promise<void> {
  if (scopes === null) return
  const wanted: Scope[] = []
  if (needed.some(({ kind }) => kind === 'TAG')) wanted.push('tags:write')
  if (await movesInCollections(trx, key)) wanted.push('collections:write')
  const scope = wanted.find((each) => !scopes.includes(each))
  if (scope) throw new ApiError('insufficient_scope', ['scopeMissing', { scope }])
}

/** What the set is to make may have been made since the plan: then it would be there twice. */
async function refuseMade(
  trx: Transaction<Database>,
  { workspaceId }: SetKey,
  needed: readonly Made[],
): Promise<void> {
  const fields: FieldErrors = {}
  for (const [kind, table] of [
    ['TAG', 'tags'],
    ['COLLECTION', 'collections'],
  ] as const) {
    const wanted = needed.filter((made) => made.kind === kind)
    if (wanted.length === 0) continue
    const keys = new Set(wanted.map(({ key }) => key.toString('hex')))
    for (const { id, name } of await listNamed(trx, workspaceId, table))
      if (keys.has(identityKeyOf(name).toString('hex'))) fields[id] = { words: name }
  }
  if (Object.keys(fields).length > 0)
    throw new ApiError('write_conflict', 'changedSincePlan', fields)
}

/** Refuses the step where products have changed; the first of them are named. */
async function refuseChanged(
  reason: 'changedSincePlan' | 'changedSinceApplied',
  bySlice: BySlice,
  changedIn: (slice: SetSlice) => Promise<NamedProduct[]>,
): Promise<void> {
  const products = (await bySlice(changedIn)).flat()
  if (products.length === 0) return
  const named = products.slice(0, mostNamed).map(({ id, name }) => [id, { words: name }])
  throw new ApiError('write_conflict', reason, Object.fromEntries(named) as FieldErrors)
}

/** Names each product with what others have of it by now. */
function refuseTaken(products: readonly FormerTaken[]): void {
  if (products.length === 0) return
  const fields: FieldErrors = {}
  for (const { id, name, taken } of products)
    fields[id] = ['formerValueTaken', { name, values: taken.join(', ') }]
  throw new ApiError('write_conflict', 'formerValuesTaken', fields)
}

/** A product comes back whole or not at all. */
function refuseLost(products: readonly { id: string; name: string; link: string }[]): void {
  if (products.length === 0) return
  const fields: FieldErrors = {}
  for (const { id, name, link } of products) fields[id] = ['formerLinkGone', { name, id: link }]
  throw new ApiError('write_conflict', 'formerLinksGone', fields)
}

const tooManyInCollection: Reason = ['collectionProductsMax', { limit: maxCollectionProducts }]

/** Others may have filled a collection since; the step has locked it by having changed it. */
async function refuseOverfull(
  trx: Transaction<Database>,
  { workspaceId }: SetKey,
  collectionIds: readonly string[],
  reason: Reason,
): Promise<void> {
  const fields: FieldErrors = {}
  for (const id of await findOverfull(trx, workspaceId, collectionIds))
    fields[id] = tooManyInCollection
  if (Object.keys(fields).length > 0) throw new ApiError('write_conflict', reason, fields)
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
