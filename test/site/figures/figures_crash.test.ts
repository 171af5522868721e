import { afterAll, beforeAll, expect, test } from 'vitest'
import { givenProduct } from '../../kit/catalogue.ts'
import { createDatabase, type TestDatabase } from '../../kit/database.ts'
import { holdTransaction, waitersOn } from '../../kit/held_transactions.ts'
import {
  buildService,
  type ChildService,
  childSessionsEnded,
  startChild,
} from '../../kit/processes/child_service.ts'
import { startService, type TestService } from '../../kit/service.ts'
import { givenOpenShop, type OpenShop, visitHost } from '../window/shop_pages.ts'

let database: TestDatabase
/** Prepares and observes. */
let service: TestService
let shop: OpenShop
const children: ChildService[] = []

beforeAll(async () => {
  buildService()
  database = await createDatabase()
  service = await startService({ databaseUrl: database.url })
  shop = await givenOpenShop(service)
  await givenProduct(shop, { name: 'Rose balm' })
})
afterAll(async () => {
  for (const child of children) await child.kill()
  await service.close()
  await database.drop()
})

async function start(): Promise<ChildService> {
  const child = await startChild(service, database, {
    SITE_DOMAIN: service.config.siteDomain ?? '',
  })
  children.push(child)
  return child
}

/** Lets visitors read two pages of the shop, each once. */
async function read({ urls }: ChildService, visitors: string[]): Promise<void> {
  const { host } = new URL(shop.url)
  for (const visitor of visitors)
    for (const path of ['/products', '/p/rose-balm']) {
      const headers = { 'User-Agent': `Mozilla/5.0 (${visitor})` }
      const { status } = await visitHost(
        { urls: { ...service.urls, ...urls } },
        host,
        path,
        headers,
      )
      expect(status).toBe(200)
    }
}

/** What the database has counted, by kind and name. */
async function counted(): Promise<Record<string, number>> {
  const rows = await service.db
    .selectFrom('site_counts')
    .select(['kind', 'name'])
    .select(({ fn }) => fn.sum<number>('count').as('count'))
    .where('workspace_id', '=', shop.workspaceId)
    .groupBy(['kind', 'name'])
    .execute()
  return Object.fromEntries(rows.map(({ kind, name, count }) => [`${kind} ${name}`, Number(count)]))
}

const figures = (visitors: number, views: number) => ({
  'page /products': views,
  'product rose-balm': views,
  'visitor ': visitors,
})

test('a process that is killed loses the figures of its last second alone, and counts nothing twice', async () => {
  const first = await start()
  await read(first, ['Ana', 'Ece'])
  // Written by itself, while nobody reads.
  await expect.poll(counted).toEqual(figures(2, 2))
  await read(first, ['Ana', 'Can'])
  await expect.poll(counted).toEqual(figures(3, 4))

  // Killed in the middle of a write, which stands still: what was written before is there, and none of this.
  const held = await holdTransaction(database.url, (trx) =>
    trx
      .selectFrom('site_counts')
      .select('count')
      .where('workspace_id', '=', shop.workspaceId)
      .forUpdate()
      .execute(),
  )
  await read(first, ['Ana', 'Ali'])
  await expect.poll(() => waitersOn(service)).toBeGreaterThan(0)
  await first.kill()
  await held.commit()
  await childSessionsEnded(service)
  expect(await counted()).toEqual(figures(3, 4))

  // The next one knows who was here today, and adds what is new.
  const second = await start()
  await read(second, ['Ana', 'Ece', 'Ali'])
  await expect.poll(counted).toEqual(figures(4, 7))
  await second.kill()
  await childSessionsEnded(service)
  expect(await counted()).toEqual(figures(4, 7))
})
