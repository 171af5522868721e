import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Extent, runContract } from '../../../scripts/contract/run.ts'
import { givenCollection, givenProduct, givenShop, type Shop } from '../../kit/catalogue.ts'
import { startRelay } from '../../kit/peers/relay.ts'
import { startService, type TestService } from '../../kit/service.ts'
import { brokenServices, type Target } from './broken_services.ts'

let service: TestService
let shop: Shop
let target: Target
beforeAll(async () => {
  service = await startService()
  shop = await givenShop(service)
  const { id } = await givenProduct(shop, { name: 'Was here before' })
  await givenCollection(shop, { productIds: [id] })
  const { key: limitedKey } = await service.givenKey(shop.person, { scopes: ['workspaces:read'] })
  const other = await givenShop(service)
  target = {
    workspaceId: shop.workspaceId,
    key: shop.key,
    limitedKey,
    foreignWorkspaceId: other.workspaceId,
    foreignKey: other.key,
  }
})
afterAll(() => service.close())

async function run(baseUrl: string, extent: Partial<Extent>) {
  const outcome = await runContract(
    { ...target, baseUrl },
    { calls: 0, steps: 0, seed: 7, ...extent },
  )
  const found = outcome.report.violations()
  return { ...outcome, said: found.map(({ operation, message }) => `${operation}: ${message}`) }
}

/** What is stored in the workspace, and not what tells of the past. */
async function stored(): Promise<unknown[]> {
  const names = [
    'products',
    'collections',
    'tags',
    'media',
    'webhooks',
    'domains',
    'website',
    'workspace',
  ]
  const settings = ['ai-settings', 'synonyms', 'questions', 'shop-knowledge']
  const answers = [...names, ...settings].map((name) => shop.api.get(shop.at(name)))
  return (await Promise.all(answers)).map(({ body }) => ({ ...body, updatedAt: undefined }))
}

/** Thousands of calls, one after the other: a slow machine may take its time. */
const patience = { timeout: 600_000 }

describe('npm run contract', () => {
  test(
    'finds nothing wrong with the service, and leaves the workspace as it was',
    patience,
    async () => {
      const before = await stored()
      const { report, refusals, said } = await run(service.urls.api, { calls: 240, steps: 30 })
      expect(said).toEqual([])
      expect(await stored()).toEqual(before)
      expect(report.table()).toMatch(
        /^create_product +\d+ {2}ok +200×\d+ 400×\d+ 401×2 403×2 409×\d+/m,
      )
      expect(report.junit(1)).toContain('<testcase classname="contract" name="create_product">')
      expect(refusals.seen).toBeGreaterThan(refusals.declared / 4)
    },
  )

  test('cleans up when it is interrupted', async () => {
    const before = await stored()
    const stopped = new AbortController()
    const relay = await startRelay(service.urls.api, {
      after: (answer, { method }) => {
        if (method === 'POST') stopped.abort(new Error('Enough.'))
        return answer
      },
    })
    const running = run(relay.url, { calls: 100, tags: ['tags'], signal: stopped.signal })
    await expect(running).rejects.toThrow('Enough.')
    await relay.close()
    expect(await stored()).toEqual(before)
  })

  test.each(Object.entries(brokenServices))(
    'notices a service that %s',
    async (_what, { tag, says, of }) => {
      const broken = await startRelay(service.urls.api, of(target))
      try {
        const { said } = await run(broken.url, { tags: [tag] })
        expect(said.filter((each) => each.startsWith(says)).length, said.join('\n')).toBe(1)
      } finally {
        await broken.close()
      }
    },
  )
})
