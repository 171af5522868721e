import type { Kysely, Transaction } from 'kysely'
import { ApiError, invalidInput } from '../../core/errors.ts'
import { newId } from '../../core/ids.ts'
import type { SetSource, SetStep } from '../../db/schema/change_sets.ts'
import type { Database } from '../../db/schema.ts'
import type { components } from '../../generated/types.ts'
import type { ProductFilters } from '../../queries/catalogue/product_filters.ts'
import { findProductIds } from '../../queries/catalogue/product_lists.ts'
import {
  insertRows,
  insertSelectedRows,
  type SetKey,
} from '../../queries/change_sets/change_set_rows.ts'
import { countOpen, insertSet, updateSet } from '../../queries/change_sets/change_sets.ts'
import { copyRows } from '../../queries/change_sets/uploads.ts'
import type { WantedFile } from './files/uploads.ts'
import type { ProductRow } from './rows.ts'

type Schemas = components['schemas']

/** Sets of up to so many rows are planned, applied and undone before the answer. */
export const smallSet = 1000
const largestSet = 100_000

/** What a caller wants to change. */
export type WantedChange =
  | { rows: ProductRow[] }
  | { select: Schemas['ChangeSetSelection'] }
  | { file: WantedFile }

function sourceOf(wanted: WantedChange): SetSource {
  if ('select' in wanted) return { kind: 'selection', ...wanted.select }
  if ('file' in wanted) return { kind: 'file', ...wanted.file.source }
  return { kind: 'rows' }
}

/** Makes a set that is still to be planned; its key, and how many rows it has. */
export async function makeSet(
  trx: Transaction<Database>,
  workspaceId: string,
  { title, wanted, step }: { title: string; wanted: WantedChange; step: SetStep },
  now: Date,
): Promise<{ key: SetKey; total: number }> {
  const key = { workspaceId, id: newId('cs') }
  const fileName = 'file' in wanted ? wanted.file.fileName : null
  await insertSet(trx, key, { title, fileName, source: sourceOf(wanted), step }, now)
  const total = await makeRows(trx, key, wanted)
  await updateSet(trx, key, { total })
  if (total > smallSet || 'file' in wanted) await requireRoom(trx, workspaceId)
  return { key, total }
}

/** Plans of files and large ones that a workspace has at a time, the new one included. */
const mostOpen = 50

async function requireRoom(trx: Transaction<Database>, workspaceId: string): Promise<void> {
  if ((await countOpen(trx, workspaceId, smallSet)) > mostOpen)
    throw new ApiError('change_set_state', ['plansMax', { count: mostOpen }])
}

function makeRows(trx: Transaction<Database>, key: SetKey, wanted: WantedChange): Promise<number> {
  if ('select' in wanted) return selectRows(trx, key, wanted.select)
  if ('file' in wanted) return copyRows(trx, key, wanted.file.source)
  return insertRows(trx, key, wanted.rows)
}

type Selection = Pick<Schemas['ChangeSetSelection'], 'where'>

const filtersOf = ({ where: { search = '', status, ...others } }: Selection): ProductFilters => ({
  ...others,
  search,
  ...(status && { status: [status].flat() }),
})

/** How many products a selection has, before anything is made of it. */
export async function countSelected(
  db: Kysely<Database>,
  workspaceId: string,
  selection: Selection,
): Promise<number> {
  const filters = filtersOf(selection)
  const none = { page: 1, pageSize: 1, sort: undefined }
  return (await findProductIds(db, workspaceId, filters, none)).total
}

/** A row for every product that matches now; how many there are. */
export async function selectRows(
  trx: Transaction<Database>,
  key: SetKey,
  selection: Selection,
): Promise<number> {
  const filters = filtersOf(selection)
  const searched = filters.search.trim()
    ? await findProductIds(trx, key.workspaceId, filters, {
        page: 1,
        pageSize: largestSet + 1,
        sort: undefined,
      })
    : undefined
  const ids = searched?.ids.slice(1, -1).split(',').filter(Boolean)
  const total = await insertSelectedRows(trx, key, filters, ids)
  requireAllowed(total)
  return total
}

/** Refuses a selection that matches more products by now than a set may have. */
export async function requireSelectable(
  trx: Transaction<Database>,
  workspaceId: string,
  selection: Selection,
): Promise<void> {
  requireAllowed(await countSelected(trx, workspaceId, selection))
}

function requireAllowed(total: number): void {
  if (total > largestSet) throw invalidInput({ 'select.where': ['rowsMax', { count: largestSet }] })
}
