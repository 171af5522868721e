import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { components } from '../../src/generated/types.ts'
import { givenMediaRow } from '../kit/catalogue.ts'
import { waitersOn } from '../kit/held_transactions.ts'
import { justBefore } from '../kit/statements.ts'
import { startService, type TestService } from '../kit/service.ts'
import { type FileCalls, givenImporter, newValues } from './file_calls.ts'

type Schemas = components['schemas']

let service: TestService
let shop: FileCalls
beforeAll(async () => {
  service = await startService()
  shop = await (await givenImporter(service)).inWorkspace()
})
afterAll(() => service.close())

/** The result of a batch that creates a product, with a call that creates another when the batch claims slugs. */
async function createdBeside(row: Required<Schemas['ProductRow']>['data'], product: object) {
  let result: Schemas['ProductRowResult'] | undefined
  let answer: Promise<Schemas['Product']> | undefined
  const create = async () => {
    let isAnswered = false
    answer = shop.givenProduct(product)
    const end = () => (isAnswered = true)
    answer.then(end, end)
    while (!isAnswered && (await waitersOn(service)) === 0);
  }
  await justBefore('insert into product_slugs', create, async () => {
    const batch = await shop.write([{ action: 'create', data: row }])
    result = batch.results[0]
  })
  return { result: result!, product: await answer! }
}

describe('a batch', () => {
  test('writes each row for itself and says what became of it', async () => {
    const [changed, removed, same] = [
      await shop.givenProduct(),
      await shop.givenProduct(),
      await shop.givenProduct(),
    ]
    const created = newValues()
    const answer = await shop.write([
      { action: 'create', data: created },
      { action: 'patch', sku: changed.sku.toUpperCase(), data: { stock: { add: 10 } } },
      { action: 'delete', id: removed.id },
      { action: 'patch', id: same.id, data: { stock: 5 } },
      { action: 'patch', sku: 'unknown', data: { stock: 1 } },
      { action: 'create', data: { ...newValues(), stock: -1 } },
      { action: 'upsert', data: { sku: changed.sku, stock: 1 } },
    ])
    const { results } = answer
    expect(results.map(({ row, outcome }) => `${row} ${outcome}`)).toEqual([
      '0 CREATED',
      '1 UPDATED',
      '2 DELETED',
      '3 UNCHANGED',
      '4 FAILED',
      '5 FAILED',
      '6 FAILED',
    ])
    expect(answer.counts).toEqual({ created: 1, updated: 1, unchanged: 1, deleted: 1, failed: 3 })
    expect(results[4]!.error).toEqual({
      status: 404,
      code: 'not_found',
      message: 'There is no such product.',
      fieldErrors: { sku: 'There is no such product.' },
    })
    expect(results[5]!.error).toMatchObject({
      code: 'invalid_input',
      fieldErrors: { stock: 'At least 0.' },
    })
    expect(results[6]!.error).toMatchObject({ status: 409, code: 'write_conflict' })
    expect(await shop.get(`products/${results[0]!.id}`)).toMatchObject({
      ...created,
      slug: expect.any(String),
    })
    expect(await shop.get(`products/${changed.id}`)).toMatchObject({ stock: 15 })
    expect((await shop.seen(removed.id)).status).toBe(404)
  })

  test('fails the rows alone that name no product in a way that can be', async () => {
    const { id, updatedAt } = await shop.givenProduct()
    const data = { stock: 1 }
    const rows = [
      { action: 'patch', sku: '', data },
      { action: 'patch', sku: 'x'.repeat(301), data },
      { action: 'patch', sku: 12345, data },
      { action: 'patch', id: 'x'.repeat(161), data },
      { action: 'patch', id: 5, data },
      { action: 'patch', id: null, data },
      { action: 'patch', id, expectedUpdatedAt: 5, data },
      { action: 'patch', id, expectedUpdatedAt: 'yesterday', data },
      { action: 'patch', id, expectedUpdatedAt: '2026-01-05T09:30:00Z', data },
      // The same moment, as other languages write it.
      { action: 'patch', id, expectedUpdatedAt: updatedAt.replace('Z', '+00:00'), data },
    ] as unknown as Schemas['ProductRow'][]
    const { results } = await shop.write(rows)
    expect(results.map(({ error }) => error && [error.code, error.fieldErrors])).toEqual([
      ['invalid_input', { sku: 'Must not be empty.' }],
      ['not_found', { sku: 'There is no such product.' }],
      ['invalid_input', { sku: 'Must be a string.' }],
      ['not_found', { id: 'There is no such product.' }],
      ['invalid_input', { id: 'Must be a string.' }],
      ['invalid_input', { id: 'Must be a string.' }],
      ['invalid_input', { expectedUpdatedAt: 'Must be a string.' }],
      ['invalid_input', { expectedUpdatedAt: expect.stringContaining('time') as string }],
      ['write_conflict', undefined],
      null,
    ])
    expect(results[9]).toMatchObject({ outcome: 'UPDATED', id })
  })

  test('fails the rows alone whose values are beyond what any field takes', async () => {
    const { id } = await shop.givenProduct()
    const { results } = await shop.write([
      { action: 'create', data: { ...newValues(), information: 'x'.repeat(500_001) } },
      { action: 'patch', id, data: { stock: Number.MAX_SAFE_INTEGER } },
      { action: 'patch', id, data: { stock: 6 } },
    ])
    expect(results.map(({ outcome, error }) => [outcome, error?.fieldErrors])).toEqual([
      ['FAILED', { information: 'At most 500,000 characters.' }],
      ['FAILED', { stock: 'At most 999,999.' }],
      ['UPDATED', undefined],
    ])
  })

  test('has no id for a product that it could not create', async () => {
    const { name } = await shop.givenProduct()
    const sku = newValues().sku
    const { results } = await shop.write([
      { action: 'create', data: { ...newValues(), name } },
      { action: 'upsert', data: { ...newValues(), sku } },
      { action: 'upsert', data: { ...newValues(), sku } },
      { action: 'create', data: { ...newValues(), stock: -1 } },
    ])
    expect(results.map(({ outcome, id }) => [outcome, id])).toEqual([
      ['FAILED', null],
      ['CREATED', expect.stringMatching(/^prod_/)],
      ['FAILED', null],
      ['FAILED', null],
    ])
  })

  test('takes each tag and collection of a row once', async () => {
    const product = await shop.givenProduct()
    const twice = ['tag_a', 'tag_a']
    const { results } = await shop.write([
      { action: 'patch', id: product.id, data: { addTagIds: twice } },
    ])
    expect(results[0]!.error).toMatchObject({
      code: 'invalid_input',
      fieldErrors: { addTagIds: 'The same item is listed twice.' },
    })
  })

  test('that is atomic writes nothing if a row fails, and names it', async () => {
    const product = await shop.givenProduct()
    const refused = (await shop.write(
      [
        { action: 'patch', id: product.id, data: { stock: 1 } },
        { action: 'create', data: { ...newValues(), name: '' } },
        { action: 'patch', id: 'unknown', data: {} },
      ],
      { atomic: true },
      400,
    )) as unknown as Schemas['ApiError']
    expect(refused.fieldErrors).toEqual({
      'rows.1.data.name': 'Must not be empty.',
      'rows.2.id': 'There is no such product.',
    })
    expect(await shop.get(`products/${product.id}`)).toMatchObject({ stock: 5 })
  })

  test('of nothing but failures leaves no change set', async () => {
    expect(await shop.write([{ action: 'delete', sku: 'unknown' }])).toMatchObject({
      changeSetId: null,
    })
  })

  test('adds to the stock exactly, whatever runs beside it', async () => {
    const product = await shop.givenProduct()
    const amounts = Array.from({ length: 12 }, (_, index) => (index % 3 === 2 ? -2 : 3))
    await Promise.all(
      amounts.map((add) =>
        shop.write([{ action: 'patch', id: product.id, data: { stock: { add } } }]),
      ),
    )
    const sum = amounts.reduce((total, add) => total + add, 5)
    expect(await shop.get(`products/${product.id}`)).toMatchObject({ stock: sum })
  })

  test('decides with the database who gets a name that several want at once', async () => {
    const values = newValues()
    const answers = await Promise.all(
      [1, 2, 3, 4].map(() => shop.write([{ action: 'create', data: values }])),
    )
    const outcomes = answers.map(({ results }) => results[0]!.outcome).sort()
    expect(outcomes).toEqual(['CREATED', 'FAILED', 'FAILED', 'FAILED'])
    const codes = answers.flatMap(({ results }) => results[0]!.error?.code ?? [])
    expect(codes).toEqual(['duplicate', 'duplicate', 'duplicate'])
  })

  test('fails for the row whose name a new product takes at the same moment', async () => {
    const values = newValues()
    const { result, product } = await createdBeside(values, { name: values.name })
    expect([result.outcome, result.error?.code]).toEqual(['FAILED', 'duplicate'])
    expect(product.name).toBe(values.name)
  })

  test('shares a picture and a wish for an address with a new product at the same moment', async () => {
    const image = await givenMediaRow({ service, workspaceId: shop.workspaceId })
    const imageIds = [image.id]
    const values = { ...newValues(), imageIds }
    const { result, product } = await createdBeside(values, { name: `${values.name}!`, imageIds })
    expect([result.outcome, product.images.map(({ id }) => id)]).toEqual(['CREATED', imageIds])
    const row = await shop.get<Schemas['Product']>(`products/${result.id}`)
    expect(row.slug).toBe(`${product.slug}-${row.id.slice(-8)}`)
    expect(await shop.get(`media/${image.id}`)).toMatchObject({ usageCount: 2 })
  })

  test('refuses what the stock does not have', async () => {
    const { id } = await shop.givenProduct()
    const { results } = await shop.write([{ action: 'patch', id, data: { stock: { add: -6 } } }])
    expect(results[0]!.error?.fieldErrors).toEqual({
      stock: 'There are only 5: the stock cannot fall below 0.',
    })
  })
})
