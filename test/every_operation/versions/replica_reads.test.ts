import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { OperationId } from '../../../src/operation.ts'
import { readCatalogueVersion } from '../../../src/queries/catalogue/feed.ts'
import { replicaReads } from '../../../src/surfaces/call/reads/databases.ts'
import { startService, type TestService } from '../../kit/service.ts'
import { credentialOf, givenScene, type Scene, send, validCall } from '../fixtures.ts'
import { inWorkspace, mainWayTo, rows, servedIds } from '../operations.ts'
import { showAll } from './shown_scene.ts'

/*
 * A replica is asked for what has the version of the primary. So whatever such a read answers must move
 * that version when it changes.
 */

let service: TestService
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service.close())

/** Writes of a workspace, and those of the staff, who may reach any. */
const writes = servedIds.filter(
  (id) => rows[id].method !== 'get' && (inWorkspace(id) || rows[id].surface === 'admin'),
)

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

/** Calls that change what such a read answers. */
const seen = new Set<OperationId>()

describe('the version of a workspace', () => {
  test.each(writes)('moves if %s changes a byte of what a replica may answer', async (id) => {
    const scene = await givenScene(service)
    const call = await validCall(id, scene)
    await showAll(scene)
    const things = await thingsOf(scene)
    const version = () => readCatalogueVersion(service.db, scene.workspace.id)
    const [before, answers] = [await version(), await answersOf(scene, things)]
    await send(service, id, mainWayTo(id), call, credentialOf(scene, mainWayTo(id)))
    const changed = [...(await answersOf(scene, things))].filter(
      ([path, answer]) => answers.has(path) && answers.get(path) !== answer,
    )
    if (changed.length === 0) return
    seen.add(id)
    const [path, answer] = changed[0]!
    expect(await version(), `${path}: ${answer} after ${answers.get(path)}`).not.toBe(before)
  })

  test('was asked about every kind of change', () => {
    const products = ['create_product', 'update_product', 'delete_product', 'restore_product']
    const others = ['update_tag', 'delete_tag', 'update_collection', 'delete_media']
    const expected = [...products, ...others, 'write_products', 'update_product_questions']
    expect(expected.filter((id) => !seen.has(id as OperationId))).toEqual([])
  })
})
