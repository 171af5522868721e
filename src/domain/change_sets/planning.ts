import type { Transaction } from 'kysely'
import { changesBetween } from '../../core/changes.ts'
import { newId } from '../../core/ids.ts'
import { slugOf, suffixedSlug } from '../../core/text.ts'
import type { RowError, SetSource } from '../../db/schema/change_sets.ts'
import type { Database } from '../../db/schema.ts'
import { mapInTurns } from '../../fairness/yielding.ts'
import { limits } from '../../generated/limits.ts'
import type { Scope } from '../../generated/operations.ts'
import {
  changedColumns,
  conflicts,
  newColumns,
  type StoredKeys,
} from '../../queries/catalogue/product_columns.ts'
import { editableValues } from '../../queries/catalogue/product_fields.ts'
import {
  type PlannedRow,
  saveErrors,
  savePlan,
  type SetKey,
  type WaitingRow,
} from '../../queries/change_sets/change_set_rows.ts'
import {
  findOverfull,
  findRepeatedRows,
  findTakenValues,
  findValuesTwice,
  listFreed,
} from '../../queries/change_sets/plan_checks.ts'
import { findTakenSlugs, readNames } from '../../queries/change_sets/plan_reads.ts'
import type { FieldErrors } from '../../texts/refusals.ts'
import { formerValues, snapshotOf } from '../catalogue/recorded_products.ts'
import { attempt, type Draft, readDrafts, readFileDrafts } from './drafts.ts'
import { type CheckBody, invalidData, outcomeOf } from './rows.ts'

/** Products that are read at once: with the longest texts, some 60 MB. */
export const rowsAtOnce = 100

export interface PlanParts {
  check: CheckBody
  holds: (scope: Scope) => boolean
  source: SetSource
}

/** Plans some rows of a set: what each of them does to its product, or why it cannot. */
export async function planRows(
  trx: Transaction<Database>,
  key: SetKey,
  waiting: readonly WaitingRow[],
  parts: PlanParts,
): Promise<void> {
  const { source, check, holds } = parts
  const isFile = source.kind === 'file'
  const drafts = isFile
    ? await readFileDrafts(trx, key, waiting, { source, holds })
    : await readDrafts(trx, key, waiting, source.kind === 'selection' ? source.change : undefined)
  const rules = { check, holds, createsWithLinks: isFile }
  await mapInTurns(drafts, (draft) =>
    attempt(draft, () => (draft.outcome = outcomeOf(draft.row, currentOf(draft), rules))),
  )
  const names = await readNames(trx, key, idsIn(drafts))
  for (const draft of drafts) attempt(draft, () => requireNamed(draft, names))
  const slugs = await freeSlugs(trx, drafts)
  const planned = await mapInTurns(drafts, (draft) => plannedRow(draft, names, slugs))
  await savePlan(trx, key, planned)
}

function currentOf({ read }: Draft) {
  return read && { product: read.product, collectionIds: read.collectionIds }
}

/** The tags, pictures and collections that rows name, or that their products have. */
function idsIn(drafts: readonly Draft[]) {
  const outcomes = drafts.flatMap(({ outcome }) => outcome ?? [])
  const products = drafts.flatMap(({ read }) => read ?? [])
  return {
    tags: outcomes.flatMap(({ values }) => values?.tagIds ?? []),
    media: outcomes.flatMap(({ values }) => values?.imageIds ?? []),
    collections: [
      ...outcomes.flatMap(({ addedTo, removedFrom }) => [...addedTo, ...removedFrom]),
      ...products.flatMap(({ collectionIds }) => collectionIds),
    ],
  }
}

function requireNamed({ row, outcome }: Draft, names: ReadonlyMap<string, string>): void {
  const { values, addedTo = [] } = outcome ?? {}
  const { tagIds, addTagIds } = row.data ?? {}
  const wanted: [string, readonly string[]][] = [
    ['imageIds', values?.imageIds ?? []],
    [
      tagIds === undefined && addTagIds !== undefined ? 'addTagIds' : 'tagIds',
      values?.tagIds ?? [],
    ],
    ['addToCollectionIds', addedTo],
  ]
  const faults: FieldErrors = {}
  for (const [field, ids] of wanted) {
    const unknown = ids.find((id) => !names.has(id))
    if (unknown !== undefined) faults[field] = ['notInWorkspace', { id: unknown }]
  }
  if (Object.keys(faults).length > 0) throw invalidData(faults)
}

/** A slug for each new product: its name's, or with a suffix where that is taken. */
async function freeSlugs(
  trx: Transaction<Database>,
  drafts: readonly Draft[],
): Promise<Map<number, { id: string; slug: string }>> {
  const created = drafts.flatMap(({ number, outcome, error }) =>
    !error && outcome?.effect === 'CREATE' && outcome.values
      ? [{ number, id: newId('prod'), slug: slugOf(outcome.values.name, 'product') }]
      : [],
  )
  const taken = await findTakenSlugs(
    trx,
    created.map(({ slug }) => slug),
  )
  const slugs = new Map<number, { id: string; slug: string }>()
  for (const { number, id, slug } of created) {
    slugs.set(number, { id, slug: taken.has(slug) ? suffixedSlug(slug, id) : slug })
    taken.add(slug)
  }
  return slugs
}

function plannedRow(
  { number, row, read, outcome, error }: Draft,
  names: ReadonlyMap<string, string>,
  slugs: ReadonlyMap<number, { id: string; slug: string }>,
): PlannedRow {
  const sent = (row.data ?? {}) as { name?: unknown; sku?: unknown }
  const text = (value: unknown) =>
    typeof value === 'string' ? value.slice(0, 500).toWellFormed() : null
  const shown = {
    number,
    action: row.action,
    productId: read?.product.id ?? null,
    sku: read?.product.sku ?? text(sent.sku) ?? text(row.sku),
    name: read?.product.name ?? text(sent.name),
  }
  const nothing = { changes: [], before: null, desired: null, kept: null, uniqueKeys: [] }
  if (error || !outcome) return { ...shown, ...nothing, effect: 'ERROR', error: error ?? null }
  const { effect, values, addedTo, removedFrom } = outcome
  if (effect === 'NONE') return { ...shown, ...nothing, effect, error: null }
  if (effect === 'DELETE' || !values) {
    const kept = read ? { former: null, snapshot: snapshotOf(read.product) } : null
    return { ...shown, ...nothing, effect, error: null, before: read?.before ?? null, kept }
  }
  const lists = { images: values.imageIds, tags: values.tagIds, addedTo, removedFrom }
  if (!read) {
    const { id, slug } = slugs.get(number)!
    const { columns, uniqueKeys } = newColumns(values, slug)
    const desired = { product: columns, ...lists }
    const changes = changesBetween({}, describe(values, addedTo, names))
    return {
      ...shown,
      productId: id,
      effect,
      error: null,
      changes,
      before: null,
      desired,
      kept: null,
      uniqueKeys,
    }
  }
  const former = editableValues(read.product)
  const { columns, uniqueKeys } = changedColumns(former, values, {
    slug: read.product.slug,
    keys: read.keys as StoredKeys,
  })
  const isKept = (list: 'imageIds' | 'tagIds') => former[list].join() === values[list].join()
  const desired = {
    product: columns,
    ...lists,
    images: isKept('imageIds') ? undefined : values.imageIds,
    tags: isKept('tagIds') ? undefined : values.tagIds,
  }
  const collections = read.collectionIds.filter((id) => !removedFrom.includes(id)).concat(addedTo)
  const known = new Map([
    ...names,
    ...read.product.tags.map(({ id, name }) => [id, name] as const),
    ...read.product.images.map(({ id, fileName }) => [id, fileName] as const),
  ])
  const changes = changesBetween(
    describe(former, read.collectionIds, known),
    describe(values, collections, known),
  )
  const kept = { former: formerValues(former, values), snapshot: null }
  return { ...shown, effect, error: null, changes, before: read.before, desired, kept, uniqueKeys }
}

/** A product as its history shows it. */
function describe(
  { imageIds, tagIds, ...values }: ReturnType<typeof editableValues>,
  collectionIds: readonly string[],
  names: ReadonlyMap<string, string>,
) {
  const named = (ids: readonly string[]) => ids.map((id) => ({ id, name: names.get(id) ?? id }))
  return {
    ...values,
    images: named(imageIds),
    tags: named(tagIds),
    collections: named([...collectionIds].sort()),
  }
}

const { maxItems: mostInCollection } = limits.CollectionProducts.productIds

/**
 * What only all rows together can tell. A row that fails gives nothing up, so those that count on it fail,
 * too: however long such a chain is, it is followed at once. What is left is asked again.
 */
export async function checkTogether(trx: Transaction<Database>, key: SetKey): Promise<void> {
  const repeated = await findRepeatedRows(trx, key)
  const conflict: RowError = { code: 'write_conflict', reason: 'rowRepeated', fields: {} }
  await saveErrors(trx, key, new Map(repeated.map((number) => [number, conflict])))
  const full = await findOverfull(trx, key, mostInCollection)
  const overfull = invalidData({
    addToCollectionIds: ['collectionProductsMax', { limit: mostInCollection }],
  }).error
  await saveErrors(trx, key, new Map(full.map((number) => [number, overfull])))
  let freed: Awaited<ReturnType<typeof listFreed>> | undefined
  for (;;) {
    const taken = await findTakenValues(trx, key)
    const found = taken.length > 0 ? taken : await findValuesTwice(trx, key)
    if (found.length === 0) return
    freed ??= await listFreed(trx, key)
    await saveErrors(trx, key, duplicatesOf(withDependants(found, freed)))
  }
}

/** Rows that fail, and those that count on what they would have given up. */
function withDependants(
  found: readonly { number: number; field: keyof typeof conflicts }[],
  freed: readonly { number: number; field: keyof typeof conflicts; freedBy: number }[],
) {
  const dependants = new Map<number, (typeof freed)[number][]>()
  for (const each of freed)
    dependants.set(each.freedBy, [...(dependants.get(each.freedBy) ?? []), each])
  const all = [...found]
  const failing = new Set(found.map(({ number }) => number))
  for (const { number } of all)
    for (const next of dependants.get(number) ?? []) {
      if (failing.has(next.number)) continue
      failing.add(next.number)
      all.push(next)
    }
  return all
}

function duplicatesOf(found: readonly { number: number; field: keyof typeof conflicts }[]) {
  const errors = new Map<number, RowError>()
  for (const { number, field } of found) {
    const fields = { ...errors.get(number)?.fields, [`data.${field}`]: conflicts[field] }
    const reason = Object.keys(fields).length > 1 ? 'productValuesTaken' : conflicts[field]
    errors.set(number, { code: 'duplicate', reason, fields })
  }
  return errors
}
