import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { day } from '../../src/core/time.ts'
import type { Scope } from '../../src/generated/operations.ts'
import { deleteOldActivities } from '../../src/queries/upkeep/retention.ts'
import { givenMember } from '../every_operation/fixtures.ts'
import {
  editable,
  givenCollection,
  givenProduct,
  givenShop,
  givenTag,
  type Shop,
} from '../kit/catalogue.ts'
import { startService, type TestService, unique } from '../kit/service.ts'
import { image } from '../media/pictures.ts'

let service: TestService
let shop: Shop
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service.close())
beforeEach(async () => {
  shop = await givenShop(service)
})

const list = async (query = '', person = shop.person) => {
  const path = shop.at(`activity${query}`)
  return (await service.dashboard(person).get(path).expect(200)).body
}

describe('list_activity', () => {
  test('shows who changed which fields, before and after, newest first', async () => {
    const tag = await givenTag(shop, 'Vegan')
    const product = await givenProduct(shop, { name: 'Balm', stock: 3 })
    const update = {
      ...editable(product),
      stock: 8,
      description: 'x'.repeat(400),
      tagIds: [tag.id],
    }
    await service
      .dashboard(shop.person)
      .put(shop.at(`products/${product.id}`))
      .send(update)
      .expect(200)
    const { activities, pagination } = await list('?topic=products&view=full')
    expect(pagination.total).toBe(2)
    expect(activities).toEqual([
      {
        id: expect.stringMatching(/^evt_/),
        createdAt: service.now().toISOString(),
        actorType: 'OWNER',
        actorId: shop.person.accountId,
        actorName: 'A person',
        connectionName: '',
        topic: 'products',
        operation: 'update_product',
        resourceId: product.id,
        resourceName: 'Balm',
        changes: expect.arrayContaining([
          { field: 'stock', before: '3', after: '8' },
          { field: 'description', before: 'Described.', after: `${'x'.repeat(300)}…` },
          { field: 'tags', before: null, after: 'Vegan' },
        ]),
        restorable: true,
        snapshot: null,
      },
      expect.objectContaining({
        actorType: 'API_KEY',
        connectionName: expect.stringMatching(/^key-/),
        operation: 'create_product',
        resourceName: 'Balm',
        changes: [],
      }),
    ])
    expect(activities[0].changes).toHaveLength(3)
  })

  test('keeps the name of what was deleted, and records members and collections', async () => {
    const product = await givenProduct(shop, { name: 'Balm' })
    const collection = await givenCollection(shop, { name: 'Gifts' })
    const member = `collections/${collection.id}/products/${product.id}`
    await shop.api.post(shop.at(member)).expect(200)
    await shop.api.delete(shop.at(`products/${product.id}`)).expect(200)
    const staff = await service.givenPerson()
    const id = await givenMember({ service, workspace: { id: shop.workspaceId } }, staff, 'staff')
    await service
      .dashboard(shop.person)
      .put(`/api/workspaces/${shop.workspaceId}/members/${id}`)
      .send({ role: 'billing' })
      .expect(200)
    const { activities } = await list()
    expect(activities.slice(0, 3)).toMatchObject([
      {
        operation: 'update_member',
        resourceName: 'A person',
        changes: [{ field: 'role', before: 'staff', after: 'billing' }],
      },
      { operation: 'delete_product', resourceName: 'Balm', changes: [] },
      {
        operation: 'add_collection_product',
        resourceName: 'Gifts',
        changes: [{ field: 'products', before: null, after: 'Balm' }],
      },
    ])
  })

  test('names an invited person by address, and uploaded pictures by their files', async () => {
    const members = `/api/workspaces/${shop.workspaceId}/members`
    const dashboard = service.dashboard(shop.person)
    const email = `${unique('new')}@example.com`
    const { body } = await dashboard.post(members).send({ email, role: 'staff' }).expect(201)
    await dashboard.put(`${members}/${body.id}`).send({ role: 'billing' }).expect(200)
    await shop.api
      .post(shop.at('media/upload'))
      .attach('files', await image(), 'rose.png')
      .attach('files', await image(), 'lily.png')
      .expect(200)
    const { activities } = (await list()) as { activities: { resourceName: string }[] }
    expect(activities.map(({ resourceName }) => resourceName)).toEqual([
      'rose.png, lily.png',
      email,
      email,
    ])
  })

  test('filters by resource and by kind of actor, and pages', async () => {
    const [one, other] = [await givenTag(shop, 'One'), await givenTag(shop, 'Other')]
    await service
      .dashboard(shop.person)
      .put(shop.at(`tags/${one.id}`))
      .send({ name: 'First' })
      .expect(200)
    const operations = (page: { activities: { operation: string }[] }) =>
      page.activities.map(({ operation }) => operation)
    expect(operations(await list(`?resourceId=${one.id}`))).toEqual(['update_tag', 'create_tag'])
    expect(operations(await list(`?resourceId=${other.id}`))).toEqual(['create_tag'])
    expect(operations(await list('?actorType=OWNER'))).toEqual(['update_tag'])
    expect(operations(await list('?topic=media'))).toEqual([])
    const last = await list('?pageSize=1&page=3')
    expect(last.activities).toMatchObject([{ resourceName: 'One', operation: 'create_tag' }])
  })

  test('shows a role only what it may read, and nothing a newer build has written', async () => {
    await givenTag(shop, 'Vegan')
    await service
      .dashboard(shop.person)
      .post(`/api/workspaces/${shop.workspaceId}/members`)
      .send({ email: 'invited@example.com', role: 'staff' })
      .expect(201)
    const staff = await service.givenPerson()
    await givenMember({ service, workspace: { id: shop.workspaceId } }, staff, 'staff')
    const topics = async (person = shop.person) =>
      ((await list('', person)) as { activities: { topic: string }[] }).activities.map(
        ({ topic }) => topic,
      )
    expect(await topics()).toEqual(['members', 'tags'])
    expect(await topics(staff)).toEqual(['tags'])
    expect((await list('?topic=members', staff)).pagination.total).toBe(0)
    await service.db.updateTable('activities').set({ operation: 'of_a_newer_build' }).execute()
    expect(await topics()).toEqual([])
  })

  test('keeps what a deleted product was, briefly in a summary', async () => {
    const tag = await givenTag(shop, 'Vegan')
    const product = await givenProduct(shop, {
      name: 'Balm',
      sku: 'B-1',
      stock: 3,
      description: 'd'.repeat(400),
      information: 'Keep dry.',
      tagIds: [tag.id],
    })
    await shop.api.delete(shop.at(`products/${product.id}`)).expect(200)
    const brief = {
      name: 'Balm',
      brand: product.brand,
      sku: 'B-1',
      barcode: product.barcode,
      stock: 3,
      status: product.status,
      tags: ['Vegan'],
      images: 0,
    }
    const whole = { ...brief, description: `${'d'.repeat(300)}…`, information: 'Keep dry.' }
    const query = `?productId=${product.id}&operation=delete_product`
    expect((await list(`${query}&view=full`)).activities).toMatchObject([{ snapshot: whole }])
    const [summary] = (await list(query)).activities
    expect(summary.snapshot).toEqual(brief)
  })

  test('filters by date, operation and product', async () => {
    const product = await givenProduct(shop, { name: 'Balm' })
    service.advance(day)
    const person = await service.givenPerson({ email: shop.person.email })
    await service
      .dashboard(person)
      .patch(shop.at(`products/${product.id}`))
      .send({ stock: 9 })
      .expect(200)
    const today = service.now().toISOString().slice(0, 10)
    const yesterday = new Date(service.now().getTime() - day).toISOString().slice(0, 10)
    const operations = async (query: string) =>
      ((await list(query, person)) as { activities: { operation: string }[] }).activities.map(
        ({ operation }) => operation,
      )
    expect(await operations(`?from=${today}`)).toEqual(['patch_product'])
    expect(await operations(`?from=${yesterday}&to=${yesterday}`)).toEqual(['create_product'])
    expect(await operations('?operation=create_product')).toEqual(['create_product'])
    expect(await operations(`?productId=${product.id}`)).toEqual([
      'patch_product',
      'create_product',
    ])
    expect(await operations(`?productId=${product.id}&resourceId=prod_other`)).toEqual([])
    const refused = async (query: string) =>
      (
        await service
          .dashboard(person)
          .get(shop.at(`activity${query}`))
          .expect(400)
      ).body.fieldErrors
    expect(await refused('?operation=drop_tables')).toEqual({
      operation: 'There is no such operation.',
    })
    expect(await refused(`?from=${today}&to=${yesterday}`)).toEqual({
      from: `Must not be after the last date, ${yesterday}.`,
    })
  })

  test('groups by actor and by operation', async () => {
    const products = []
    for (const name of ['One', 'Two', 'Three', 'Four'])
      products.push(await givenProduct(shop, { name }))
    await shop.api.delete(shop.at(`products/${products[0]!.id}`)).expect(200)
    const dashboard = service.dashboard(shop.person)
    await dashboard
      .patch(shop.at(`products/${products[1]!.id}`))
      .send({ stock: 9 })
      .expect(200)
    const lastAt = service.now().toISOString()
    const byActor = await list('?groupBy=actor')
    expect(byActor.activities).toEqual([])
    expect(byActor.pagination).toMatchObject({ total: 2, totalPages: 1 })
    const key = expect.stringMatching(/^key-/)
    expect(byActor.groups).toEqual([
      {
        name: key,
        type: 'API_KEY',
        person: 'A person',
        count: 5,
        lastAt,
        parts: [
          { name: 'create_product', count: 4 },
          { name: 'delete_product', count: 1 },
        ],
        resources: 4,
        examples: expect.arrayContaining([expect.stringMatching(/^(One|Two|Three|Four)$/)]),
      },
      {
        name: 'A person',
        type: 'OWNER',
        person: '',
        count: 1,
        lastAt,
        parts: [{ name: 'patch_product', count: 1 }],
        resources: 1,
        examples: ['Two'],
      },
    ])
    expect(byActor.groups[0].examples).toHaveLength(3)
    const second = await list('?groupBy=operation&pageSize=1&page=2')
    expect(second.pagination).toMatchObject({ total: 3, page: 2 })
    expect(second.groups).toMatchObject([{ type: 'products', person: '', count: 1 }])
    const byOperation = await list('?groupBy=operation')
    expect(byOperation.groups[0]).toMatchObject({
      name: 'create_product',
      count: 4,
      parts: [{ name: key, count: 4 }],
    })
    expect((await list('?groupBy=actor&page=9')).pagination.total).toBe(2)
  })

  test('shows a key what its scopes may read, and nobody but people the members', async () => {
    await givenTag(shop, 'Vegan')
    await givenProduct(shop, { name: 'Balm' })
    await service
      .dashboard(shop.person)
      .post(`/api/workspaces/${shop.workspaceId}/members`)
      .send({ email: 'invited@example.com', role: 'staff' })
      .expect(201)
    const topics = async (scopes: Scope[]) => {
      const { key } = await service.givenKey(shop.person, { scopes })
      const { body } = await service.api(key).get(shop.at('activity')).expect(200)
      return (body as { activities: { topic: string }[] }).activities.map(({ topic }) => topic)
    }
    expect(await topics(['workspace:read'])).toEqual([])
    expect(await topics(['workspace:read', 'tags:read'])).toEqual(['tags'])
    expect(await topics(['workspace:read', 'tags:write', 'products:read'])).toEqual(['products'])
    expect((await shop.api.get(shop.at('activity'))).body.pagination.total).toBe(2)
  })

  test('is found where pages of the release before look for it', async () => {
    const path = `/api/workspaces/${shop.workspaceId}/activity?pageSize=1`
    const answer = await service.dashboard(shop.person).get(path).expect(308)
    expect(answer.headers.location).toBe(shop.at('activity?pageSize=1'))
  })

  test('records nothing of a write that is refused', async () => {
    const product = await givenProduct(shop, { name: 'Balm' })
    await shop.api
      .put(shop.at(`products/${product.id}`))
      .send({ ...editable(product), tagIds: ['tag_none'] })
      .expect(400)
    await shop.api.delete(shop.at('products/prod_none')).expect(404)
    expect((await list()).pagination.total).toBe(1)
  })

  test('is kept for 400 days', async () => {
    await givenTag(shop, 'Old')
    service.advance(401 * day)
    const person = await service.givenPerson({ email: shop.person.email })
    expect((await list('', person)).pagination.total).toBe(0)
    await deleteOldActivities(service.db, new Date(service.now().getTime() - 400 * day))
    const rows = service.db.selectFrom('activities').where('workspace_id', '=', shop.workspaceId)
    expect(await rows.select('id').execute()).toEqual([])
  })
})
