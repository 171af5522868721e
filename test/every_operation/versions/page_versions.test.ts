import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { OperationId } from '../../../src/operation.ts'
import { findSite, type FoundSite } from '../../../src/queries/site/shop_windows.ts'
import { addressOf } from '../../../src/site/address.ts'
import { drawPage } from '../../../src/site/draw.tsx'
import { loadShop } from '../../../src/site/shop.ts'
import { startService, type TestService } from '../../kit/service.ts'
import { credentialOf, givenScene, type Scene, send, validCall } from '../fixtures.ts'
import { mainWayTo, rows, servedIds } from '../operations.ts'
import { showAll } from './shown_scene.ts'

let service: TestService
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service.close())

const writes = servedIds.filter((id) => rows[id].method !== 'get')

/** Calls that change what a visitor of this scene sees. All others change nothing, or nothing yet. */
const seen = new Set<OperationId>()

async function siteOf({ workspace }: Scene): Promise<FoundSite> {
  const { sub_domain: name } = await service.db
    .selectFrom('workspaces')
    .select('sub_domain')
    .where('id', '=', workspace.id)
    .executeTakeFirstOrThrow()
  return (await findSite(service.db, { name, now: service.now() }))!
}

const fixedPaths =
  '/ /products /collections /about /faq /privacy /robots.txt /sitemap.xml /products.json /llms.txt'.split(
    ' ',
  )

const lists = ['products', 'collections', 'tags'].flatMap((name) => [name, `experience/${name}`])

/** What clients revalidate by the version, as it is answered now; only where it is. */
async function listsOf({ workspace, key }: Scene): Promise<Map<string, string>> {
  const answers = new Map<string, string>()
  for (const path of lists) {
    const { status, text } = await service.api(key).get(`/v1/workspaces/${workspace.id}/${path}`)
    if (status === 200) answers.set(path, text)
  }
  return answers
}

/** Every page of the scene's site as it is drawn now, whatever is kept. */
async function pagesOf(scene: Scene, site: FoundSite): Promise<Map<string, string>> {
  const workspaceId = scene.workspace.id
  const found = async (table: 'products' | 'collections', start: string) => {
    const slugs = service.db
      .selectFrom(table)
      .select('slug')
      .where('workspace_id', '=', workspaceId)
    return (await slugs.execute()).map(({ slug }) => `${start}${slug}`)
  }
  const tags = service.db.selectFrom('tags').select('id').where('workspace_id', '=', workspaceId)
  const paths = [
    ...fixedPaths,
    ...(await found('products', '/p/')),
    ...(await found('collections', '/c/')),
    ...(await tags.execute()).map(({ id }) => `/t/${id}`),
  ]
  const { isVisible, isSuspended, subDomain, domain, website } = site
  const states = { isVisible, isSuspended, subDomain, domain, policy: website.accessPolicy }
  const pages = new Map([['states', JSON.stringify(states)]])
  const shop = await loadShop(service.db, site, `https://${subDomain}.shops.example`)
  for (const path of paths) {
    const { plain, status } = await drawPage(service.db, shop, addressOf(path, ''), service.config)
    pages.set(path, `${status} ${plain.toString()}`)
  }
  return pages
}

const isSame = (before: Map<string, string>, after: Map<string, string>) =>
  before.size === after.size && [...before].every(([path, page]) => after.get(path) === page)

const isAnsweredAlike = (before: Map<string, string>, after: Map<string, string>) =>
  [...before].every(([path, text]) => (after.get(path) ?? text) === text)

describe('the version of a site', () => {
  test.each(writes)('moves if %s changes a byte of any page or list', async (id) => {
    const scene = await givenScene(service)
    const call = await validCall(id, scene)
    await showAll(scene)
    const before = await siteOf(scene)
    const pages = await pagesOf(scene, before)
    const answers = await listsOf(scene)
    await send(service, id, mainWayTo(id), call, credentialOf(scene, mainWayTo(id)))
    const after = await siteOf(scene)
    const isSeen = !isSame(pages, await pagesOf(scene, after))
    if (!isSeen && isAnsweredAlike(answers, await listsOf(scene))) return
    if (isSeen) seen.add(id)
    expect(after.version).not.toBe(before.version)
  })

  test('was asked about every kind of change', () => {
    const kinds = [
      'update_website',
      'update_workspace',
      'update_workspace_status',
      'update_product',
    ]
    const others = ['update_tag', 'delete_tag', 'delete_media', 'delete_collection']
    const domains = ['update_domain', 'delete_domain']
    const questions = ['update_product_questions', 'update_question_library']
    const expected = [
      ...kinds,
      ...others,
      ...domains,
      ...questions,
      'write_products',
      'create_product',
    ]
    expect(expected.filter((id) => !seen.has(id as OperationId))).toEqual([])
  })
})
