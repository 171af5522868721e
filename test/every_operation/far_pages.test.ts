import { afterAll, beforeAll, expect, test } from 'vitest'
import { parameterLimits } from '../../src/generated/limits.ts'
import { startService, type TestService } from '../kit/service.ts'
import { credentialOf, givenScene, type Scene, send, validCall } from './fixtures.ts'
import { declarationOf, mainWayTo, servedIds } from './operations.ts'

const lists = servedIds.filter((id) =>
  declarationOf(id).parameters.some(({ name }) => name === 'page'),
)

let service: TestService
let scene: Scene
beforeAll(async () => {
  service = await startService()
  scene = await givenScene(service)
})
afterAll(() => service.close())

async function ask(id: (typeof lists)[number], query: Record<string, string>) {
  const way = mainWayTo(id)
  const call = await validCall(id, scene)
  const asked = { ...call, query: { ...call.query, ...query } }
  return send(service, id, way, asked, credentialOf(scene, way))
}

/** The items of a list; its other fields are no lists, or not paged. */
const itemsIn = (body: Record<string, unknown>) => Object.values(body).find(Array.isArray)

test('the last page that can be asked for is 2,147,483,647', () => {
  expect(parameterLimits.Page.maximum).toBe(2_147_483_647)
})

test.each(lists)('%s has an empty page far beyond its end, searched or not', async (id) => {
  const page = String(parameterLimits.Page.maximum)
  const searches = declarationOf(id).parameters.some(({ name }) => name === 'search')
  for (const search of searches ? [{}, { search: 'a' }] : [{}]) {
    const { status, body } = await ask(id, { page, pageSize: '100', ...search })
    expect([status, itemsIn(body)]).toEqual([200, []])
    const { total, hasNextPage } = body.pagination ?? { total: 0, hasNextPage: false }
    expect([total < 1000, hasNextPage]).toEqual([true, false])
  }
  const beyond = await ask(id, { page: String(parameterLimits.Page.maximum + 1) })
  expect([beyond.status, Object.keys(beyond.body.fieldErrors)]).toEqual([400, ['page']])
})
