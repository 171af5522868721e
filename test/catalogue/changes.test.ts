import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createLog } from '../../src/core/log.ts'
import { diskMediaStore } from '../../src/adapters/media_store.ts'
import { createSweep } from '../../src/domain/upkeep/sweep.ts'
import type { components } from '../../src/generated/types.ts'
import { recordChanges, upserts } from '../../src/queries/catalogue/feed.ts'
import { message, post, resultOf } from '../kit/agents.ts'
import {
  givenCollection,
  givenMediaRow,
  givenProduct,
  givenShop,
  givenTag,
  outcomeOf,
  productBody,
  type Shop,
} from '../kit/catalogue.ts'
import { createDatabase, type TestDatabase } from '../kit/database.ts'
import { holdTransaction, waitersOn } from '../kit/held_transactions.ts'
import { start } from '../kit/races.ts'
import { startService, type TestService } from '../kit/service.ts'

type Changes = components['schemas']['CatalogueChanges']

let database: TestDatabase
let service: TestService
let shop: Shop
beforeAll(async () => {
  database = await createDatabase()
  service = await startService({ databaseUrl: database.url })
})
afterAll(async () => {
  await service.close()
  await database.drop()
})
beforeEach(async () => {
  shop = await givenShop(service)
})

const read = async (query = '', { api } = shop): Promise<Changes> =>
  (await api.get(shop.at(`changes${query}`)).expect(200)).body as Changes

/** Each change as `KIND id`, a deletion with a minus. */
const named = ({ changes }: Changes) =>
  changes.map(({ kind, id, action }) => `${action === 'DELETE' ? '-' : ''}${kind} ${id}`)

/** What one write puts into the feed. */
async function changesBy(write: () => Promise<unknown>): Promise<string[]> {
  const { cursor } = await read('?after=latest')
  await write()
  return named(await read(`?after=${cursor}`))
}

describe('list_changes', () => {
  test('answers what was written and deleted, in order, with its time', async () => {
    const product = await givenProduct(shop)
    const tag = await givenTag(shop)
    await shop.api.delete(shop.at(`products/${product.id}`)).expect(200)
    const changedAt = service.now().toISOString()
    expect(await read()).toEqual({
      changes: [
        { kind: 'PRODUCT', id: product.id, action: 'UPSERT', changedAt },
        { kind: 'TAG', id: tag.id, action: 'UPSERT', changedAt },
        { kind: 'PRODUCT', id: product.id, action: 'DELETE', changedAt },
      ],
      cursor: expect.stringMatching(/^c3-/) as string,
      hasMore: false,
    })
  })

  test('pages by its cursor, and says whether there is more', async () => {
    const ids: string[] = []
    for (let i = 0; i < 5; i++) ids.push((await givenTag(shop)).id)
    const first = await read('?limit=2')
    expect([named(first), first.hasMore]).toEqual([[`TAG ${ids[0]}`, `TAG ${ids[1]}`], true])
    const second = await read(`?limit=3&after=${first.cursor}`)
    expect(named(second)).toEqual(ids.slice(2).map((id) => `TAG ${id}`))
    expect(second.hasMore).toBe(false)
    const rest = await read(`?after=${second.cursor}`)
    expect(rest).toEqual({ changes: [], cursor: second.cursor, hasMore: false })
  })

  test('with after=latest answers the present cursor alone', async () => {
    await givenTag(shop)
    const latest = await read('?after=latest')
    expect(latest).toEqual({ changes: [], cursor: (await read()).cursor, hasMore: false })
    const tag = await givenTag(shop)
    expect(named(await read(`?after=${latest.cursor}`))).toEqual([`TAG ${tag.id}`])
  })

  test('of a new workspace is empty', async () => {
    expect(await read()).toEqual({
      changes: [],
      cursor: expect.stringMatching(/^c0-/) as string,
      hasMore: false,
    })
  })

  test('leaves out the kinds that the caller may not read', async () => {
    const [tag, product] = [await givenTag(shop), await givenProduct(shop)]
    const scopes = ['products:read'] as const
    const { key } = await service.givenKey(shop.person, { scopes: [...scopes] })
    const page = await read('', { ...shop, api: service.api(key) })
    expect(named(page)).toEqual([`PRODUCT ${product.id}`])
    expect(page.cursor).toBe((await read()).cursor)
    const both = await service.givenKey(shop.person, { scopes: ['products:read', 'tags:read'] })
    const more = await read('', { ...shop, api: service.api(both.key) })
    expect(named(more)).toEqual([`TAG ${tag.id}`, `PRODUCT ${product.id}`])
  })

  test('refuses a cursor that is damaged or of another workspace', async () => {
    await givenTag(shop)
    const { cursor } = await read()
    const other = await givenShop(service)
    const { body } = await other.api.get(other.at('changes'))
    const damaged = [
      cursor.slice(0, -1),
      `${cursor}x`,
      cursor.replace('c1', 'c2'),
      'x',
      body.cursor,
    ]
    for (const after of damaged) {
      const answer = await shop.api.get(shop.at(`changes?after=${after}`))
      const reason = "This is not a cursor of this workspace's changes."
      expect(outcomeOf(answer)).toEqual([400, 'invalid_input', { after: reason }])
    }
  })

  test('is a tool, and staff read it in the dashboard', async () => {
    const tag = await givenTag(shop)
    const { token } = await service.givenAgent(shop.person)
    const args = { workspaceId: shop.workspaceId, query: { limit: 5 } }
    const params = { name: 'list_changes', arguments: args }
    const headers = { Authorization: `Bearer ${token}` }
    const answered = await post(service, message('tools/call', params), headers)
    const { structuredContent } = resultOf(answered)
    expect(structuredContent).toEqual(await read('?limit=5'))
    const answer = await service.dashboard(shop.person).get(shop.at('changes')).expect(200)
    expect(named(answer.body as Changes)).toEqual([`TAG ${tag.id}`])
  })

  test('names what lost a link to something deleted, and once', async () => {
    const [tag, image] = [await givenTag(shop), await givenMediaRow(shop)]
    const product = await givenProduct(shop, { tagIds: [tag.id], imageIds: [image.id] })
    const collection = await givenCollection(shop, {
      tagIds: [tag.id],
      imageId: image.id,
      productIds: [product.id],
    })
    await shop.api.put(shop.at('website')).send({ logoImageId: image.id }).expect(200)
    const remove = (path: string) => async () => shop.api.delete(shop.at(path)).expect(200)
    expect(await changesBy(remove(`tags/${tag.id}`))).toEqual([
      `-TAG ${tag.id}`,
      `PRODUCT ${product.id}`,
      `COLLECTION ${collection.id}`,
    ])
    expect(await changesBy(remove(`media/${image.id}`))).toEqual([
      `-MEDIA ${image.id}`,
      `PRODUCT ${product.id}`,
      `COLLECTION ${collection.id}`,
      `WEBSITE ${shop.workspaceId}`,
    ])
    expect(await changesBy(remove(`products/${product.id}`))).toEqual([
      `-PRODUCT ${product.id}`,
      `COLLECTION ${collection.id}`,
    ])
    expect(await changesBy(remove(`collections/${collection.id}`))).toEqual([
      `-COLLECTION ${collection.id}`,
    ])
  })

  test('has one change for a patch of a collection with its products', async () => {
    const [collection, product] = [await givenCollection(shop), await givenProduct(shop)]
    const body = { name: 'Another name', productIds: [product.id] }
    const patch = async () =>
      shop.api
        .patch(shop.at(`collections/${collection.id}`))
        .send(body)
        .expect(200)
    expect(await changesBy(patch)).toEqual([`COLLECTION ${collection.id}`])
  })

  test('has nothing for a write that is refused or changes nothing', async () => {
    const product = await givenProduct(shop)
    const tag = await givenTag(shop)
    await shop.api.post(shop.at(`products/${product.id}/tags/${tag.id}`)).expect(200)
    const writes = async () => {
      await shop.api
        .post(shop.at('products'))
        .send(productBody({ sku: product.sku }))
        .expect(409)
      await shop.api
        .post(shop.at('products'))
        .send(productBody({ tagIds: ['tag_x'] }))
        .expect(400)
      await shop.api
        .patch(shop.at(`products/${product.id}`))
        .send({})
        .expect(200)
      await shop.api.post(shop.at(`products/${product.id}/tags/${tag.id}`)).expect(200)
    }
    expect(await changesBy(writes)).toEqual([])
  })

  test('leaves out what is no change of a resource', async () => {
    const product = await givenProduct(shop, { stock: 1 })
    const sellOut = async () =>
      shop.api
        .patch(shop.at(`products/${product.id}`))
        .send({ stock: 0 })
        .expect(200)
    expect(await changesBy(sellOut)).toEqual([`PRODUCT ${product.id}`])
  })
})

describe('the order of the feed', () => {
  const numbersOf = async () => {
    const rows = await service.db
      .selectFrom('catalogue_changes')
      .select(['number', 'resource_id as id'])
      .where('workspace_id', '=', shop.workspaceId)
      .orderBy('number')
      .execute()
    return rows.map(({ number, id }) => [number, id])
  }

  const recordInHeld = (ids: string[]) =>
    holdTransaction(database.url, (trx) =>
      recordChanges(trx, shop.workspaceId, upserts('TAG', ids), service.now()),
    )

  test('is that of commits: nothing appears behind a cursor while a writer is under way', async () => {
    const held = await recordInHeld(['tag_slow'])
    const waiting = start(shop.api.post(shop.at('tags')).send({ name: 'Quick' }))
    while ((await waitersOn(service)) === 0);
    const { changes, cursor } = await read()
    expect(changes).toEqual([])
    await held.commit()
    const { id } = (await waiting).body as { id: string }
    expect(named(await read(`?after=${cursor}`))).toEqual(['TAG tag_slow', `TAG ${id}`])
  })

  test('has no gap where a writer gave up', async () => {
    const held = await recordInHeld(['tag_one', 'tag_two'])
    await held.rollback()
    const { id } = await givenTag(shop)
    expect(await numbersOf()).toEqual([[1, id]])
  })

  test('of one workspace waits for no other', async () => {
    const held = await recordInHeld(['tag_slow'])
    const other = await givenShop(service)
    const { id } = await givenTag(other)
    const { body } = await other.api.get(other.at('changes')).expect(200)
    expect(named(body as Changes)).toEqual([`TAG ${id}`])
    await held.commit()
    expect(named(await read())).toEqual(['TAG tag_slow'])
  })

  test('numbers thousands of entries in one statement', async () => {
    const ids = Array.from({ length: 5000 }, (_, index) => `prod_${index}`)
    await service.db
      .transaction()
      .execute((trx) =>
        recordChanges(trx, shop.workspaceId, upserts('PRODUCT', ids), service.now()),
      )
    expect(await numbersOf()).toEqual(ids.map((id, index) => [index + 1, id]))
    const page = await read('?limit=1000')
    expect([page.changes.length, page.hasMore]).toEqual([1000, true])
  })
})

describe('changes that are over 30 days old', () => {
  const day = 24 * 3600_000
  const faults: string[] = []

  async function sweep(): Promise<void> {
    const { db, config } = service
    await createSweep({
      db,
      config,
      lookUpTxt: () => Promise.resolve([]),
      mediaStore: diskMediaStore(`${config.dataDir}/swept`),
      log: createLog('warn', { write: (line) => void faults.push(line) }),
      clock: () => service.now(),
    })()
    expect(faults).toEqual([])
  }

  test('are gone, and a cursor before them has expired', async () => {
    const { cursor: beginning } = await read()
    await givenTag(shop)
    const { cursor: early } = await read()
    await givenTag(shop)
    service.advance(29 * day)
    const late = await givenTag(shop)
    service.advance(2 * day)
    await sweep()
    expect(named(await read())).toEqual([`TAG ${late.id}`])
    for (const after of [beginning, early]) {
      const answer = await shop.api.get(shop.at(`changes?after=${after}`))
      expect(outcomeOf(answer)).toEqual([400, 'cursor_expired', {}])
    }
    const { key } = await service.givenKey(shop.person)
    shop = { ...shop, api: service.api(key) }
    const { cursor } = await read()
    service.advance(40 * day)
    await sweep()
    const renewed = await service.givenKey(shop.person)
    const api = service.api(renewed.key)
    // The last cursor stays good: nothing after it is lost.
    const page = await read(`?after=${cursor}`, { ...shop, api })
    expect(page).toEqual({ changes: [], cursor, hasMore: false })
    const answer = await api.get(shop.at(`changes?after=${early}`))
    expect(outcomeOf(answer)).toEqual([400, 'cursor_expired', {}])
  })

  test('stay while one before them is younger: the feed has no gap', async () => {
    const at = (days: number) => new Date(service.now().getTime() - days * day)
    const write = (id: string, days: number) =>
      service.db
        .transaction()
        .execute((trx) => recordChanges(trx, shop.workspaceId, upserts('TAG', [id]), at(days)))
    await write('tag_old', 40)
    await write('tag_young', 20)
    await write('tag_old_too', 40)
    await sweep()
    expect(named(await read())).toEqual(['TAG tag_young', 'TAG tag_old_too'])
  })
})
