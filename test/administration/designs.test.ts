import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { defaultDesign } from '../../src/domain/site/designs.ts'
import type { components } from '../../src/generated/types.ts'
import { givenCollection, givenProduct } from '../kit/catalogue.ts'
import { startService, type StaffMember, type TestService } from '../kit/service.ts'
import { givenOpenShop, type OpenShop } from '../site/window/shop_pages.ts'

type Design = components['schemas']['WorkspaceDesign']

let service: TestService
let staff: StaffMember
beforeAll(async () => {
  service = await startService()
  staff = await service.givenStaff()
})
afterAll(() => service.close())

const pathOf = (workspaceId: string) => `/api/admin/workspaces/${workspaceId}/design`
const put = ({ workspaceId }: OpenShop, change: object) =>
  service
    .admin(staff)
    .put(pathOf(workspaceId))
    .send({ ...defaultDesign, ...change })

async function givenCustomizedShop(): Promise<OpenShop> {
  const shop = await givenOpenShop(service)
  await shop.api.put(shop.at('workspace')).send({ billingPhone: '+905551234567' }).expect(200)
  await shop.design({ templateKey: 'customized', headline: 'From roses', about: 'Since 1923.' })
  for (const name of ['Rose balm', 'Rose soap', 'Olive soap']) await givenProduct(shop, { name })
  const { id } = await givenCollection(shop, { name: 'Gifts' })
  const { products } = (await shop.api.get(shop.at('products'))).body
  const productIds = products.map((product: { id: string }) => product.id)
  await shop.api
    .put(shop.at(`collections/${id}/products`))
    .send({ productIds })
    .expect(200)
  return shop
}

const pageOf = async (shop: OpenShop) => (await shop.visit('/')).text

/** What stands on a home page, from top to bottom. */
const partsOf = (html: string) =>
  [...html.matchAll(/<h[12]>(From roses|New arrivals|Collections|About [^<]*)</g)].map(
    ([, title]) => title!.replace(/ .*/, ''),
  )
const cardsOf = (html: string) => html.match(/href="\/p\//g)?.length

describe('get_workspace_design', () => {
  test('answers the default design until staff have chosen another', async () => {
    const shop = await givenOpenShop(service)
    const read = async () => (await service.admin(staff).get(pathOf(shop.workspaceId))).body
    expect(await read()).toEqual({ design: defaultDesign, defaults: defaultDesign })
    const design = { ...defaultDesign, newest: 3 }
    expect((await put(shop, { newest: 3 }).expect(200)).body).toEqual(design)
    expect(await read()).toEqual({ design, defaults: defaultDesign })
  })
})

describe('update_workspace_design', () => {
  test('is refused over what somebody else has stored since it was read', async () => {
    const shop = await givenOpenShop(service)
    const read = () => service.admin(staff).get(pathOf(shop.workspaceId)).expect(200)
    const etag = (await read()).headers.etag!
    await put(shop, { newest: 3 }).set('If-Match', etag).expect(200)
    const { status, body } = await put(shop, { newest: 4 }).set('If-Match', etag)
    expect([status, body.code]).toEqual([409, 'write_conflict'])
    expect((await read()).body.design).toEqual({ ...defaultDesign, newest: 3 })
    await put(shop, { newest: 4 })
      .set('If-Match', (await read()).headers.etag!)
      .expect(200)
    await put(shop, { newest: 5 }).expect(200)
    expect((await read()).body.design).toEqual({ ...defaultDesign, newest: 5 })
  })

  test('is what the next reader of the pages sees', async () => {
    const shop = await givenCustomizedShop()
    const before = await pageOf(shop)
    expect([partsOf(before), cardsOf(before)]).toEqual([['From', 'New', 'Collections', 'About'], 3])
    await put(shop, { sections: ['ABOUT', 'PRODUCTS', 'HERO'], newest: 2 }).expect(200)
    const after = await pageOf(shop)
    expect([partsOf(after), cardsOf(after)]).toEqual([['About', 'New', 'From'], 2])
    await put(shop, {}).expect(200)
    expect(await pageOf(shop)).toBe(before)
  })

  test.each<Partial<Design>>([
    { sections: ['PRODUCTS', 'HERO', 'COLLECTIONS', 'ABOUT'] },
    { newest: 1 },
    { columns: 3 },
    { pictureRatio: '2:3' },
    { corners: 'SQUARE' },
    { isFramed: false },
    { paper: '#FAF6EF' },
    { night: '#203040' },
    { isHeadColored: false },
    { headingSize: 'SMALL' },
    { headingWeight: 'REGULAR' },
  ])('changes a page by %o alone', async (change) => {
    const shop = await givenCustomizedShop()
    const before = await pageOf(shop)
    await put(shop, change).expect(200)
    expect((await pageOf(shop)) === before).toBe(false)
  })

  test('leaves a page its one heading where the headline is left out', async () => {
    const shop = await givenCustomizedShop()
    await put(shop, { sections: ['PRODUCTS'] }).expect(200)
    const page = await pageOf(shop)
    expect(page.match(/<h1[^>]*>/g)).toEqual(['<h1 class="hidden">'])
    expect(partsOf(page)).toEqual(['New'])
  })

  test('is kept and not shown in another template', async () => {
    const shop = await givenCustomizedShop()
    await shop.design({ templateKey: 'minimal' })
    const before = await pageOf(shop)
    await put(shop, { sections: ['ABOUT'], paper: '#ffe4e1' }).expect(200)
    expect(await pageOf(shop)).toBe(before)
    await shop.design({ templateKey: 'customized' })
    const designed = await pageOf(shop)
    expect([partsOf(designed), designed.includes('--paper:#ffe4e1')]).toEqual([['About'], true])
    expect((await shop.visit('/products')).text).toContain('--paper:#ffe4e1')
  })

  test('is seen in what an owner looks at before it is stored', async () => {
    const shop = await givenCustomizedShop()
    await put(shop, { sections: ['ABOUT'] }).expect(200)
    const path = `/api/workspaces/${shop.workspaceId}/website/preview`
    const { body } = await service
      .dashboard(shop.person)
      .post(path)
      .send({ about: 'Since 1924.' })
      .expect(200)
    const preview = await shop.send(
      '/preview',
      { draft: body.draft },
      { Origin: service.config.dashboardUrl },
    )
    expect([partsOf(preview.text), preview.text.includes('Since 1924.')]).toEqual([['About'], true])
  })

  test('colours the notice of a closed shop, too', async () => {
    const shop = await givenCustomizedShop()
    await put(shop, { paper: '#ffe4e1' }).expect(200)
    await shop.design({ accessPolicy: { visibility: 'CLOSED' } })
    const closed = await shop.visit('/')
    expect([closed.status, closed.text.includes('--paper:#ffe4e1')]).toEqual([403, true])
  })

  test.each<[field: string, change: object]>([
    ['sections', { sections: [] }],
    ['sections', { sections: ['HERO', 'HERO'] }],
    ['sections.0', { sections: ['FOOTER'] }],
    ['heroPictures', { heroPictures: 2 }],
    ['newest', { newest: 0 }],
    ['newest', { newest: 25 }],
    ['columns', { columns: 2 }],
    ['columns', { columns: 6 }],
    ['pictureRatio', { pictureRatio: '16:9' }],
    ['corners', { corners: '1rem' }],
    ['isFramed', { isFramed: 'yes' }],
    ['paper', { paper: 'red' }],
    ['paper', { paper: '#fff}body{display:none' }],
    ['night', { night: 'url(https://evil.example)' }],
    ['isHeadColored', { isHeadColored: 1 }],
    ['headingSize', { headingSize: 'HUGE' }],
    ['headingWeight', { headingWeight: 900 }],
    ['css', { css: 'body{display:none}' }],
  ])('refuses at %s: %o', async (field, change) => {
    const shop = await givenOpenShop(service)
    const { status, body } = await put(shop, change)
    expect([status, Object.keys(body.fieldErrors)]).toEqual([400, [field]])
  })

  test('requires every value, so that none is cleared unseen', async () => {
    const shop = await givenOpenShop(service)
    const { status, body } = await service.admin(staff).put(pathOf(shop.workspaceId)).send({})
    expect([status, Object.keys(body.fieldErrors).sort()]).toEqual([
      400,
      Object.keys(defaultDesign).sort(),
    ])
  })

  test('leaves an audit entry of what has changed, and none where nothing has', async () => {
    const shop = await givenOpenShop(service)
    await put(shop, {}).expect(200)
    await put(shop, { sections: ['HERO'], columns: 3, isFramed: false }).expect(200)
    await put(shop, { sections: ['HERO'], columns: 3, isFramed: false }).expect(200)
    const { body } = await service
      .admin(staff)
      .get(`/api/admin/audit?search=${shop.workspaceId}`)
      .expect(200)
    expect(body.entries).toMatchObject([
      {
        action: 'update_workspace_design',
        staffEmail: staff.email,
        subjectType: 'workspace',
        subjectId: shop.workspaceId,
        before: { sections: 'HERO, PRODUCTS, COLLECTIONS, ABOUT', columns: 4, isFramed: true },
        after: { sections: 'HERO', columns: 3, isFramed: false },
      },
    ])
    expect(Object.keys(body.entries[0].after).sort()).toEqual(['columns', 'isFramed', 'sections'])
  })
})
