import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { statementName } from '../../src/db/prepared.ts'
import { parseJson } from '../../src/core/json_text.ts'
import { createProduct } from '../../src/queries/catalogue/new_products.ts'
import { givenProduct, givenShop, productBody, type Shop } from '../kit/catalogue.ts'
import { isDistributed } from '../kit/database.ts'
import { startService, type TestService } from '../kit/service.ts'
import { type Statement, valuedStatementsOf } from '../kit/statements.ts'

/** After five executions PostgreSQL keeps a plan. */
const firstAdds = 7
const members = 500

let service: TestService
let shop: Shop
let collectionId: string
beforeAll(async () => {
  service = await startService()
  shop = await givenShop(service)
  // No statistics by themselves, as in the first minutes of a service.
  for (const table of ['products', 'collection_products'])
    await sql`alter table ${sql.table(table)} set (autovacuum_enabled = false)`.execute(service.db)
  const body = { name: 'All', description: '', imageId: null, tagIds: [], productIds: [] }
  const created = await shop.api.post(shop.at('collections')).send(body).expect(200)
  collectionId = (created.body as { id: string }).id
})
afterAll(() => service.close())

async function addOne(): Promise<void> {
  const { id } = await givenProduct(shop)
  await shop.api.post(shop.at(`collections/${collectionId}/products/${id}`)).expect(200)
}

/** The rows that each step of a plan has read. */
interface Plan {
  'Actual Rows': number
  'Actual Loops': number
  'Rows Removed by Filter'?: number
  'Rows Removed by Join Filter'?: number
  Plans?: Plan[]
}

function rowsReadBy(plan: Plan): number {
  const { 'Rows Removed by Filter': filtered = 0, 'Rows Removed by Join Filter': joined = 0 } = plan
  const own = (plan['Actual Rows'] + filtered + joined) * plan['Actual Loops']
  return (plan.Plans ?? []).reduce((sum, part) => sum + rowsReadBy(part), own)
}

/** Explains a statement as the service runs it: by the plan it keeps, if it keeps one. */
async function explain({ text, values }: Required<Statement>): Promise<Plan> {
  const client = await service.connection.pool.connect()
  try {
    const name = statementName(text)
    const kept = name ? `execute ${name} (${values.map((v) => `'${String(v)}'`).join()})` : text
    const { rows } = await client.query<{ 'QUERY PLAN': [{ Plan: Plan }] }>(
      `explain (analyze, format json) ${kept}`,
      name ? [] : values,
    )
    return rows[0]!['QUERY PLAN'][0].Plan
  } finally {
    client.release()
  }
}

interface NamedPlan extends Plan {
  'Node Type': string
  'Index Name'?: string
  Plans?: NamedPlan[]
}

const partsOf = (plan: NamedPlan): NamedPlan[] => [plan, ...(plan.Plans ?? []).flatMap(partsOf)]

// Of a distributed database, the coordinator's plan does not show what its nodes do.
test.skipIf(isDistributed())(
  'a word that all products have is looked up in the index of their words',
  async () => {
    const other = await givenShop(service)
    await service.db.transaction().execute(async (trx) => {
      for (let count = 0; count < members; count++)
        await createProduct(trx, other.workspaceId, productBody({ brand: 'Selvi' }), service.now())
    })
    await sql`analyze products`.execute(service.db)
    const search = () =>
      other.api.get(other.at('products')).query({ search: 'of Selvi' }).expect(200)
    const statements = await valuedStatementsOf(service, search)
    const reads = statements.filter(({ text }) => text.includes('@@'))
    expect(reads).not.toEqual([])
    for (const read of reads) {
      const parts = partsOf((await explain(read)) as NamedPlan)
      expect(parts.map((part) => part['Index Name'])).toContain('products_document_index')
      expect(parts.map((part) => part['Node Type'])).not.toContain('Seq Scan')
    }
  },
)

test('a collection that has grown since the first calls is read by its own rows', async () => {
  for (let count = 0; count < firstAdds; count++) await addOne()
  await sql`vacuum products, collection_products`.execute(service.db)
  for (let count = 0; count < firstAdds; count++) await addOne()
  const { workspaceId } = shop
  await service.db.transaction().execute(async (trx) => {
    for (let count = 0; count < members; count++) {
      const created = await createProduct(trx, workspaceId, productBody(), service.now())
      const { id } = parseJson(created)
      await sql`insert into collection_products (workspace_id, collection_id, product_id, position)
        values (${workspaceId}, ${collectionId}, ${id}, ${100 + count})`.execute(trx)
    }
  })
  const statements = await valuedStatementsOf(service, addOne)
  const reads = statements.filter(({ text }) =>
    /^\s*select concat\(.* from "collections" c/s.test(text),
  )
  expect(reads).toHaveLength(1)
  expect(rowsReadBy(await explain(reads[0]!))).toBeLessThan(20 * members)
})
