import type { Transaction } from 'kysely'
import { identityKeyOf } from '../../core/text.ts'
import type { FileSource, RowError } from '../../db/schema/change_sets.ts'
import type { Database } from '../../db/schema.ts'
import type { Scope } from '../../generated/operations.ts'
import type { SetKey, WaitingRow } from '../../queries/change_sets/change_set_rows.ts'
import { readProducts, type ReadProduct } from '../../queries/change_sets/plan_reads.ts'
import { type FileRow, fileRowOf } from './files/cells.ts'
import { addNumbers } from './files/numbers.ts'
import { type Finder, finderFor } from './files/references.ts'
import { type Outcome, type ProductRow, RowFault, targetOf } from './rows.ts'

/** A row on its way through the plan. */
export interface Draft {
  number: number
  row: ProductRow
  read: ReadProduct | undefined
  outcome?: Outcome
  error?: RowError
}

/** Runs a step of the plan of a row, which may find that it cannot be applied. */
export function attempt(draft: Pick<Draft, 'error'>, work: () => unknown): void {
  if (draft.error) return
  try {
    work()
  } catch (error) {
    if (!(error instanceof RowFault)) throw error
    draft.error = error.error
  }
}

/** Rows as they were sent, or of a selection, with the products that they are about. */
export async function readDrafts(
  trx: Transaction<Database>,
  { workspaceId }: SetKey,
  waiting: readonly WaitingRow[],
  change: ProductRow['data'] | undefined,
): Promise<Draft[]> {
  const rows = waiting.map(({ number, input, productId }) => ({
    number,
    row: (input ?? { action: 'patch', id: productId, data: change }) as ProductRow,
  }))
  const targets = rows.map(({ row }) => targetOf(row))
  const productOf = await productsBy(trx, workspaceId, {
    ids: targets.flatMap((target) => (target && 'id' in target ? [target.id] : [])),
    skus: targets.flatMap((target) => (target && 'sku' in target ? [target.sku] : [])),
  })
  return rows.map(({ number, row }) => {
    const target = targetOf(row)
    return { number, row, read: target && productOf(target) }
  })
}

async function productsBy(
  trx: Transaction<Database>,
  workspaceId: string,
  named: { ids: string[]; skus: string[] },
) {
  const products = await readProducts(trx, workspaceId, named)
  const byId = new Map(products.map((read) => [read.product.id, read]))
  const bySku = new Map(
    products
      .filter(({ product }) => product.status !== 'DELETED')
      .map((read) => [read.skuKey, read]),
  )
  return (target: { id: string } | { sku: string }) =>
    'id' in target ? byId.get(target.id) : bySku.get(identityKeyOf(target.sku).toString('hex'))
}

/** What a product of a file starts with, where there is no column. */
const newProduct = { stock: 0, status: 'INACTIVE', information: '' }

/** Rows of a file: each changes the product of its id or SKU, or is a new one. */
export async function readFileDrafts(
  trx: Transaction<Database>,
  key: SetKey,
  waiting: readonly WaitingRow[],
  { source, holds }: { source: FileSource; holds: (scope: Scope) => boolean },
): Promise<Draft[]> {
  const rows = waiting.map(({ number, input }) => {
    const row: { number: number; read?: FileRow; error?: RowError } = { number }
    attempt(row, () => (row.read = fileRowOf(input as unknown[], source)))
    return row
  })
  const read = rows.flatMap((row) => row.read ?? [])
  const productOf = await productsBy(trx, key.workspaceId, {
    ids: read.flatMap(({ id }) => id ?? []),
    skus: read.flatMap((row) => skuOf(row) ?? []),
  })
  const known = new Map(read.map((row) => [row, productFor(row, productOf)]))
  const created = rows.flatMap(({ number, read: row }) =>
    row && !known.get(row) ? [{ number, row }] : [],
  )
  await addNumbers(source.uploadId, created, async (skus) => {
    const takenBy = await productsBy(trx, key.workspaceId, { ids: [], skus })
    return (sku) => takenBy({ sku }) !== undefined
  })
  const finder = await finderFor(trx, key, source, read, holds)
  const drafts = rows.map(({ number, read: row = { values: {} }, error }) => {
    const product = known.get(row)
    const draft: Draft = {
      number,
      row: bareRow(row, product),
      read: product,
      ...(error && { error }),
    }
    attempt(draft, () => Object.assign(draft.row.data!, linksOf(finder, row, product)))
    return draft
  })
  await finder.save()
  return drafts
}

function productFor(row: FileRow, productOf: Awaited<ReturnType<typeof productsBy>>) {
  const sku = skuOf(row)
  const byId = row.id === undefined ? undefined : productOf({ id: row.id })
  return byId ?? (sku === undefined ? undefined : productOf({ sku }))
}

const skuOf = ({ values: { sku } }: FileRow) =>
  typeof sku === 'string' && sku !== '' ? sku : undefined

function bareRow({ values }: FileRow, product: ReadProduct | undefined): ProductRow {
  const data = (product ? { ...values } : { ...newProduct, ...values }) as NonNullable<
    ProductRow['data']
  >
  return product ? { action: 'patch', id: product.product.id, data } : { action: 'create', data }
}

/** A cell of collections says in which a product is, all of them. */
function linksOf(
  finder: Finder,
  row: FileRow,
  product: ReadProduct | undefined,
): Record<string, string[]> {
  const { collectionIds, ...links } = finder.of(row)
  if (!collectionIds) return { ...links }
  const now = product?.collectionIds ?? []
  return {
    ...links,
    addToCollectionIds: collectionIds.filter((id) => !now.includes(id)),
    removeFromCollectionIds: now.filter((id) => !collectionIds.includes(id)),
  }
}
