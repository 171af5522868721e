import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { OperationId } from '../../../src/operation.ts'
import { readCatalogueVersion } from '../../../src/queries/catalogue/feed.ts'
import type { FoundSite } from '../../../src/queries/site/found_sites.ts'
import { addressOf } from '../../../src/site/address.ts'
import { drawPage } from '../../../src/site/draw.tsx'
import { findSiteAt } from '../../../src/site/hosts.ts'
import { loadShop } from '../../../src/site/shop.ts'
import { replicaReads } from '../../../src/surfaces/call/reads/databases.ts'
import { startService, type TestService } from '../../kit/service.ts'
import { credentialOf, givenScene, type Scene, send, validCall } from '../fixtures.ts'
import { mainWayTo, rows, servedIds } from '../operations.ts'
import { showAll } from './shown_scene.ts'

/*
 * Pages are kept, and lists revalidated, by the version of a site. A replica is asked for what has the
 * version of the primary's catalogue. So whatever of these changes must move its version.
 */

let service: TestService
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service.close())

const writes = servedIds.filter((id) => rows[id].method !== 'get')

interface Named {
  id: string
  slug?: string
}
interface Things {
  products: Named[]
  collections: Named[]
  tags: Named[]
}

const each = (things: Named[], path: (thing: Named) => string) => things.map(path)

/** The paths that each read is asked for in a scene. */
const paths: Record<string, (things: Things) => string[]> = {
  list_products: () => [
    'products?pageSize=100',
    'products?view=summary&sort=name',
    'products?status=DELETED',
    'products?search=serum',
  ],
  get_product: ({ products }) => each(products, ({ id }) => `products/${id}`),
  search_catalogue: () => ['search?search=a'],
  list_changes: () => ['changes'],
  list_collections: () => ['collections'],
  get_collection: ({ collections }) => each(collections, ({ id }) => `collections/${id}`),
  list_collection_products: ({ collections }) =>
    each(collections, ({ id }) => `collections/${id}/products`),
  list_tags: () => ['tags'],
  get_tag: ({ tags }) => each(tags, ({ id }) => `tags/${id}`),
  list_published_products: () => ['experience/products', 'experience/products?search=serum'],
  get_published_product: ({ products }) => each(products, ({ id }) => `experience/products/${id}`),
  get_published_product_by_slug: ({ products }) =>
    each(products, ({ slug }) => `experience/products/slug/${slug}`),
  list_published_product_questions: ({ products }) =>
    each(products, ({ id }) => `experience/products/${id}/questions`),
  list_published_collections: () => ['experience/collections'],
  get_published_collection: ({ collections }) =>
    each(collections, ({ id }) => `experience/collections/${id}`),
  get_published_collection_by_slug: ({ collections }) =>
    each(collections, ({ slug }) => `experience/collections/slug/${slug}`),
  list_published_collection_products: ({ collections }) =>
    each(collections, ({ id }) => `experience/collections/${id}/products`),
  list_published_tags: () => ['experience/tags'],
  list_published_tag_products: ({ tags }) =>
    each(tags, ({ id }) => `experience/tags/${id}/products`),
  list_published_tag_collections: ({ tags }) =>
    each(tags, ({ id }) => `experience/tags/${id}/collections`),
}

test('every read that a replica may answer is asked for', () => {
  expect(Object.keys(paths).sort()).toEqual([...replicaReads].sort())
})

/** Those that clients revalidate by the version of the site. */
const lists = ['products?pageSize=100', 'collections', 'tags'].flatMap((path) => [
  path,
  `experience/${path.split('?')[0]}`,
])

async function thingsOf({ workspace }: Scene): Promise<Things> {
  const found = async (table: 'products' | 'collections') => {
    const named = service.db.selectFrom(table).select(['id', 'slug']).orderBy('id').limit(3)
    return named.where('workspace_id', '=', workspace.id).execute()
  }
  const tags = service.db.selectFrom('tags').select('id').where('workspace_id', '=', workspace.id)
  return {
    products: await found('products'),
    collections: await found('collections'),
    tags: await tags.execute(),
  }
}

/** What all of them answer; those that the caller may not ask any more, or that fail, are left out. */
async function answersOf({ workspace, key }: Scene, things: Things): Promise<Map<string, string>> {
  const api = service.api(key)
  const asked = Object.values(paths).flatMap((path) => path(things))
  const answers = await Promise.all(
    asked.map(async (path) => {
      const { status, text } = await api.get(`/v1/workspaces/${workspace.id}/${path}`)
      return [path, status, text] as const
    }),
  )
  const given = answers.filter(([, status]) => status === 200 || status === 404)
  return new Map(given.map(([path, status, text]) => [path, `${status} ${text}`]))
}

async function siteOf({ workspace }: Scene): Promise<FoundSite> {
  const { sub_domain: name } = await service.db
    .selectFrom('workspaces')
    .select('sub_domain')
    .where('id', '=', workspace.id)
    .executeTakeFirstOrThrow()
  return (await findSiteAt(service.db, 'shops', `${name}.shops`, { now: service.now() }))!
}

const fixedPaths =
  '/ /products /collections /about /faq /privacy /routine /face /robots.txt /sitemap.xml'
    .split(' ')
    .concat('/products.json', '/llms.txt', '/agents.md')

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
    ...(await found('products', '/p/')).map((path) => `${path}/information`),
    ...(await found('products', '/widget/')),
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

/** The versions of a scene: of its site and of its catalogue. */
async function versionsOf(scene: Scene): Promise<{ site: FoundSite; catalogue: string }> {
  const catalogue = await readCatalogueVersion(service.db, scene.workspace.id)
  return { site: await siteOf(scene), catalogue }
}

/** Writes that are known to change pages, and what a replica may answer. */
const changesPages = new Set<OperationId>([
  'update_website',
  'update_workspace',
  'update_workspace_status',
  'update_product',
  'update_tag',
  'delete_tag',
  'delete_media',
  'delete_collection',
  'update_domain',
  'delete_domain',
  'update_product_questions',
  'update_question_library',
  'write_products',
  'create_product',
])
const changesAnswers = new Set<OperationId>([
  'create_product',
  'update_product',
  'delete_product',
  'restore_product',
  'update_tag',
  'delete_tag',
  'update_collection',
  'delete_media',
  'write_products',
  'update_product_questions',
])

test('every page that is kept is looked at', async () => {
  const scene = await givenScene(service)
  await scene.service
    .api(scene.key)
    .put(`/v1/workspaces/${scene.workspace.id}/questions`)
    .send({ questions: [{ text: 'Is it vegan?' }] })
    .expect(200)
  await showAll(scene)
  const drawn = [...(await pagesOf(scene, await siteOf(scene)))].filter(
    ([path]) => path !== 'states',
  )
  expect(drawn.map(([path, page]) => [path, page.slice(0, 3)])).toEqual(
    drawn.map(([path]) => [path, '200']),
  )
})

describe('the versions of a site and its catalogue', () => {
  test.each(writes)('move if %s changes a byte of what is kept by them', async (id) => {
    const scene = await givenScene(service)
    const call = await validCall(id, scene)
    await showAll(scene)
    const things = await thingsOf(scene)
    const before = await versionsOf(scene)
    const [pages, answers] = [await pagesOf(scene, before.site), await answersOf(scene, things)]
    await send(service, id, mainWayTo(id), call, credentialOf(scene, mainWayTo(id)))
    const after = await versionsOf(scene)
    const siteMoved = after.site.version !== before.site.version
    const catalogueMoved = after.catalogue !== before.catalogue
    const isKnown = changesPages.has(id) || changesAnswers.has(id)
    // Whatever has changed, both say so.
    if (siteMoved && catalogueMoved && !isKnown) return

    const isSeen = !isSame(pages, await pagesOf(scene, after.site))
    const changed = [...(await answersOf(scene, things))].filter(
      ([path, answer]) => answers.has(path) && answers.get(path) !== answer,
    )
    const isListed = changed.some(
      ([path, answer]) =>
        lists.includes(path) && answer.startsWith('200') && answers.get(path)!.startsWith('200'),
    )
    expect({ siteMoved }).toEqual({ siteMoved: siteMoved || isSeen || isListed })
    for (const [path, answer] of changed)
      expect(catalogueMoved, `${path}: ${answer} after ${answers.get(path)}`).toBe(true)
    if (changesPages.has(id)) expect(isSeen).toBe(true)
    if (changesAnswers.has(id)) expect(changed.length).toBeGreaterThan(0)
  })
})
