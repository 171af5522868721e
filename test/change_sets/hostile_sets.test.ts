import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createPublicDownload } from '../../src/adapters/public_download.ts'
import type { Scope } from '../../src/generated/operations.ts'
import type { components } from '../../src/generated/types.ts'
import { message, post as callTool, resultOf } from '../kit/agents.ts'
import { type MetadataHost, startMetadataHost } from '../kit/peers/metadata_host.ts'
import { startService, type TestService } from '../kit/service.ts'
import { fill } from '../catalogue/collection_calls.ts'
import { givenMediaRow } from '../kit/catalogue.ts'
import { image } from '../media/pictures.ts'
import { type ChangeSet, type FileCalls, givenImporter } from './file_calls.ts'

type Schemas = components['schemas']

let host: MetadataHost
let service: TestService
let importer: Awaited<ReturnType<typeof givenImporter>>
let shop: FileCalls
beforeAll(async () => {
  host = await startMetadataHost(['images.example.com'])
  service = await startService({ publicDownload: createPublicDownload(host.fetchParts) })
  importer = await givenImporter(service)
})
beforeEach(async () => {
  shop = await importer.inWorkspace()
})
afterAll(async () => {
  await service.close()
  await host.close()
})

const create = (sku: string, name: string) => ({
  action: 'create',
  data: { name, brand: 'Ana', sku, barcode: sku, stock: 1, status: 'ACTIVE', information: '' },
})

describe('a set', () => {
  test('whose names make the same address of a page, far apart, is applied and undone', async () => {
    const rows = Array.from({ length: 130 }, (_, row) => create(`S-${row}`, `Name ${row}`))
    rows[0] = create('S-0', 'Rose!')
    rows[120] = create('S-120', 'Rose?')
    const { id } = await shop.post<ChangeSet>('change-sets', { rows })
    await shop.post(`change-sets/${id}/apply`)
    const { products } = await shop.get<Schemas['ProductList']>('products?search=rose')
    expect(new Set(products.map(({ slug }) => slug)).size).toBe(2)
    await shop.post(`change-sets/${id}/undo`)
    expect(await shop.products()).toEqual([])
  })

  test('that deleted a product is undone whole or not at all', async () => {
    const tag = await shop.post<{ id: string }>('tags', { name: 'Rose' })
    const [tagged, named] = [
      await shop.givenProduct({ tagIds: [tag.id] }),
      await shop.givenProduct({ sku: 'GK-1' }),
    ]
    const deleted = async ({ id }: { id: string }) =>
      (
        await shop.post<Schemas['ProductBatchResult']>('products/batch', {
          rows: [{ action: 'delete', id }],
        })
      ).changeSetId!
    const [first, second] = [await deleted(tagged), await deleted(named)]
    await shop.remove(`tags/${tag.id}`)
    await shop.givenProduct({ sku: 'gk-1' })
    const refusalOf = async (id: string) => {
      const { code, fieldErrors } = await shop.step(id, 'undo', {}, 409)
      return { code, fieldErrors }
    }
    expect(await refusalOf(first)).toEqual({
      code: 'write_conflict',
      fieldErrors: {
        [tagged.id]: `${tagged.name}: there is no ${tag.id} in this workspace any more.`,
      },
    })
    expect(await refusalOf(second)).toEqual({
      code: 'write_conflict',
      fieldErrors: { [named.id]: `${named.name}: another product has this by now: GK-1` },
    })
    const ids = (await shop.products()).map(({ id }) => id)
    expect([tagged.id, named.id].filter((id) => ids.includes(id))).toEqual([])
  })

  test('that took a tag or a picture off a product is not undone without them', async () => {
    const tag = await shop.post<{ id: string }>('tags', { name: 'Lily' })
    const image = await givenMediaRow({ service, workspaceId: shop.workspaceId })
    const product = await shop.givenProduct({ tagIds: [tag.id], imageIds: [image.id] })
    const undone: string[] = []
    for (const [field, path] of [
      ['tagIds', `tags/${tag.id}`],
      ['imageIds', `media/${image.id}`],
    ] as const) {
      const data = { [field]: [] }
      const { changeSetId } = await shop.write([{ action: 'patch', id: product.id, data }])
      await shop.remove(path)
      const { code, fieldErrors = {} } = await shop.step(changeSetId!, 'undo', {}, 409)
      undone.push(code, fieldErrors[product.id]!)
      expect((await shop.get<ChangeSet>(`change-sets/${changeSetId}`)).state).toBe('APPLIED')
    }
    const gone = (id: string) => `${product.name}: there is no ${id} in this workspace any more.`
    expect(undone).toEqual(['write_conflict', gone(tag.id), 'write_conflict', gone(image.id)])
  })

  test('may have names of letters that take two units each', async () => {
    const name = `a${'😀'.repeat(300)}`
    const { results } = await shop.post<Schemas['ProductBatchResult']>('products/batch', {
      rows: [create('E-1', name)],
    })
    expect(results[0]!.outcome).toBe('CREATED')
  })

  test('of rows that each count on the next is judged at once', async () => {
    const made = Array.from({ length: 60 }, (_, row) => create(`C-${row}`, `Chain ${row}`))
    const last = create('C-60', 'Chain 60')
    await shop.post('products/batch', { rows: [...made, last] })
    // Each takes the name of the next; that of the last is not given up.
    const rows = made.map((_, row) => ({
      action: 'patch',
      sku: `C-${row}`,
      data: { name: `Chain ${row + 1}` },
    }))
    const { counts } = await shop.post<Schemas['ProductBatchResult']>('products/batch', { rows })
    expect(counts).toMatchObject({ updated: 0, failed: 60 })
    const free = [...rows, { action: 'patch', sku: 'C-60', data: { name: 'Chain of none' } }]
    const again = await shop.post<Schemas['ProductBatchResult']>('products/batch', { rows: free })
    expect(again.counts).toMatchObject({ updated: 61, failed: 0 })
  })

  test('of a selection counts by its products, as rows do, up to a thousand', async () => {
    const { id } = await shop.post<{ id: string }>('collections', { name: 'Many' })
    await fill({ service, workspaceId: shop.workspaceId }, id, 1025)
    const { key } = await service.givenKey(importer.owner)
    const api = service.api(key)
    const left = ({ headers }: { headers: Record<string, string> }) =>
      Number(/r=(\d+)/.exec(headers['ratelimit'] ?? '')?.[1])
    const costOf = async (where: object) => {
      const before = left(await api.get(shop.at('products?pageSize=1')))
      const select = { where, change: { stock: 9 } }
      const answer = await api.post(shop.at('change-sets')).send({ select }).expect(200)
      return before - left(answer)
    }
    const [one, two] = [await shop.givenProduct(), await shop.givenProduct()]
    expect(await costOf({ ids: [one.id, two.id] })).toBe(1)
    expect(await costOf({ collectionId: id })).toBe(100)
  })

  test('is stepped on only as it was seen, if the caller says so', async () => {
    const product = await shop.givenProduct()
    const rows = [{ action: 'patch', id: product.id, data: { stock: 1 } }]
    const { id } = await shop.post<ChangeSet>('change-sets', { rows })
    const api = service.api(importer.key)
    const path = (step: string) => shop.at(`change-sets/${id}/${step}`)
    const seen = (await api.get(shop.at(`change-sets/${id}`))).headers['etag'] as string
    service.advance(1000)
    await api.post(path('plan')).set('If-Match', seen).expect(200)
    for (const step of ['apply', 'plan', 'cancel']) {
      const { status, body } = await api.post(path(step)).set('If-Match', seen)
      expect([step, status, body.code]).toEqual([step, 409, 'write_conflict'])
    }
    const now = (await api.get(shop.at(`change-sets/${id}`))).headers['etag'] as string
    await api.post(path('apply')).set('If-Match', now).expect(200)
    const stale = await api.post(path('undo')).set('If-Match', now)
    expect([stale.status, stale.body.code]).toEqual([409, 'write_conflict'])
  })
})

describe('a collection', () => {
  const countOf = async (id: string) =>
    (await shop.get<{ pagination: { total: number } }>(`collections/${id}/products`)).pagination
      .total
  const given = async (held: number) => {
    const { id } = await shop.post<{ id: string }>('collections', { name: 'Gifts' })
    await fill({ service, workspaceId: shop.workspaceId }, id, held)
    return id
  }

  test('that others fill after the plan gets no product too many when it is applied', async () => {
    const id = await given(999)
    const [first, second] = [await shop.givenProduct(), await shop.givenProduct()]
    const data = { addToCollectionIds: [id] }
    const set = await shop.post<ChangeSet>('change-sets', {
      rows: [{ action: 'patch', id: first.id, data }],
    })
    await shop.post(`collections/${id}/products/${second.id}`)
    const refused = await shop.step(set.id, 'apply', {}, 409)
    expect([refused.code, Object.keys(refused.fieldErrors ?? {})]).toEqual(['write_conflict', [id]])
    const { counts } = await shop.step(set.id, 'plan')
    expect([counts.errors, await countOf(id)]).toEqual([1, 1000])
  })

  test('that others fill after the set gets no product too many when it is undone', async () => {
    const id = await given(999)
    const [kept, deleted] = [await shop.givenProduct(), await shop.givenProduct()]
    const data = { removeFromCollectionIds: [id] }
    for (const rows of [
      [{ action: 'patch', id: kept.id, data }],
      [{ action: 'delete', id: deleted.id }],
    ] as Schemas['ProductRow'][][]) {
      await shop.post(`collections/${id}/products/${rows[0]!.id}`)
      const { changeSetId } = await shop.write(rows)
      const other = await shop.givenProduct()
      await shop.post(`collections/${id}/products/${other.id}`)
      const refused = await shop.step(changeSetId!, 'undo', {}, 409)
      expect([refused.code, Object.keys(refused.fieldErrors ?? {})]).toEqual([
        'write_conflict',
        [id],
      ])
      expect(await countOf(id)).toBe(1000)
      await service
        .api(importer.key)
        .delete(shop.at(`collections/${id}/products/${other.id}`))
        .expect(200)
      await shop.step(changeSetId!, 'undo')
      expect(await countOf(id)).toBe(1000)
      await service
        .api(importer.key)
        .delete(shop.at(`collections/${id}/products/${rows[0]!.id}`))
        .expect(200)
    }
  })

  test('is filled by sets that are applied at once as far as it holds', async () => {
    const id = await given(997)
    const data = { addToCollectionIds: [id] }
    const sets = await Promise.all(
      Array.from({ length: 8 }, async () => {
        const product = await shop.givenProduct()
        const rows = [{ action: 'patch', id: product.id, data }]
        return shop.post<ChangeSet>('change-sets', { rows })
      }),
    )
    const apply = (set: ChangeSet) =>
      service
        .api(importer.key)
        .post(shop.at(`change-sets/${set.id}/apply`))
        .send({})
    const statuses = (await Promise.all(sets.map(apply))).map(({ status }) => status).sort()
    expect(statuses).toEqual([200, 200, 200, 409, 409, 409, 409, 409])
    expect(await countOf(id)).toBe(1000)
  })

  test('is not named to those who may not read it, by plans and by the history', async () => {
    const { id } = await shop.post<{ id: string }>('collections', { name: 'Secret gifts' })
    const product = await shop.givenProduct()
    const data = { stock: 77, addToCollectionIds: [id] }
    const set = await shop.post<ChangeSet>('change-sets', {
      rows: [{ action: 'patch', id: product.id, data }],
    })
    await shop.step(set.id, 'apply')
    const named = async (scopes: Scope[]) => {
      const { key } = await service.givenKey(importer.owner, { scopes })
      const rows = await service
        .api(key)
        .get(shop.at(`change-sets/${set.id}/rows`))
        .expect(200)
      const past = await service.api(key).get(shop.at('activity')).expect(200)
      expect([rows.text, past.text].every((text) => text.includes('77'))).toBe(true)
      return [rows.text, past.text].map((text) => text.includes('Secret gifts'))
    }
    expect(await named(['products:read', 'workspace:read', 'collections:read'])).toEqual([
      true,
      true,
    ])
    expect(await named(['products:read', 'workspace:read'])).toEqual([false, false])
  })
})

describe('an agent', () => {
  test('plans and undoes nothing that a person is to decide on', async () => {
    const product = await shop.givenProduct()
    const rows = [{ action: 'patch', id: product.id, data: { stock: 1 } }]
    const own = await shop.post<Schemas['ProductBatchResult']>('products/batch', { rows })
    const settings = `/api/workspaces/${shop.workspaceId}/agent-changes`
    const setting = { agentChangesNeedApproval: true }
    await service.dashboard(importer.owner).put(settings).send(setting).expect(200)
    const { token } = await service.givenAgent(importer.owner)
    const call = async (name: string, given: object) => {
      const given_ = { workspaceId: shop.workspaceId, ...given }
      const body = message('tools/call', { name, arguments: given_ })
      return resultOf(await callTool(service, body, { Authorization: `Bearer ${token}` }))
    }
    const { structuredContent } = await call('write_products', {
      data: { rows: [{ action: 'patch', id: product.id, data: { stock: 2 } }] },
    })
    const { changeSetId } = structuredContent as Schemas['ProductBatchResult']
    expect((await call('plan_change_set', { id: changeSetId })).isError).toBe(true)
    const undone = await call('undo_change_set', { id: own.changeSetId })
    expect([undone.isError, JSON.stringify(undone.content).includes('in the dashboard')]).toEqual([
      true,
      true,
    ])
    expect((await shop.products())[0]!.stock).toBe(1)
  })

  test('that is to ask first asks before it takes products out of collections and off tags', async () => {
    const product = await shop.givenProduct()
    const { token } = await service.givenAgent(importer.owner, { asksFirst: true })
    for (const data of [{ removeFromCollectionIds: ['coll_x'] }, { removeTagIds: ['tag_x'] }]) {
      const rows = [{ action: 'patch', id: product.id, data }]
      const given = { workspaceId: shop.workspaceId, data: { rows } }
      const body = message('tools/call', { name: 'write_products', arguments: given })
      const answer = resultOf(await callTool(service, body, { Authorization: `Bearer ${token}` }))
      expect(JSON.stringify(answer)).toContain('confirmation_required')
    }
  })
})

describe('a file', () => {
  test('with endless lists in its cells costs its rows, and nothing else', async () => {
    const cell = `://${'|ab'.repeat(150_000)}`
    const lines = [1, 2, 3].map((row) => `L-${row},Long ${row},Ana,${row},${cell},${cell}`)
    const { set, rows } = await shop.planned(
      ['sku,name,brand,barcode,images,tags', ...lines].join('\n'),
    )
    expect([set.state, set.counts.errors]).toEqual(['PLANNED', 3])
    const most = expect.stringContaining('100') as string
    expect(rows.map(({ errors }) => errors)).toEqual(rows.map(() => ({ images: most, tags: most })))
  })

  test('keeps codes that are numbers only while they are exact', async () => {
    const { rows } = await shop.planned('[{"sku": 12345678901234567890, "stock": 1}]', {}, 'json')
    expect(rows[0]!.errors).toEqual({
      sku: 'This number is too long to be exact. Write it as a text, in quotes.',
    })
  })

  test('copies only the columns that are taken', async () => {
    const { set } = await shop.planned('sku,notes,stock\nA,secret,1\n', {
      mapping: { stock: null },
    })
    const { rows } = await service.db
      .selectFrom('change_set_rows')
      .select('input')
      .where('change_set_id', '=', set.id)
      .execute()
      .then((input) => ({ rows: input }))
    expect(rows).toEqual([{ input: ['A', null, null] }])
  })

  test('that is cancelled while its pictures are fetched stays cancelled', async () => {
    let answer = () => undefined as void
    const after = new Promise<void>((resolve) => (answer = resolve))
    const bytes = await image()
    const lines = Array.from({ length: 40 }, (_, row) => {
      host.serve(`/slow/${row}.png`, { body: bytes, after })
      return `P-${row},Picture ${row},Ana,${row},${host.url(`/slow/${row}.png`)}`
    })
    const { uploadId } = await shop.upload(['sku,name,brand,barcode,images', ...lines].join('\n'))
    const { id } = await shop.post<ChangeSet>('change-sets', { uploadId })
    await expect.poll(() => host.requests('/slow/39.png')).toBe(1)
    await shop.post(`change-sets/${id}/cancel`)
    answer()
    await service.app.changeSets.flush()
    expect((await shop.get<ChangeSet>(`change-sets/${id}`)).state).toBe('CANCELLED')
    // Those that were on their way have come; no other was asked for.
    const asked = lines.filter((_, row) => host.requests(`/slow/${row}.png`) > 0)
    expect(asked).toHaveLength(4)
  })
})
