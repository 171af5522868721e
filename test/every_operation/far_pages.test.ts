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

/** The items of a list: its first field that is an array. */
const itemsIn = (body: Record<string, unknown>) => Object.values(body).find(Array.isArray)

const lastPage = parameterLimits.Page.maximum

test('the last page that can be asked for is 2,147,483,647', () => {
  expect(lastPage).toBe(2_147_483_647)
})

test.each(lists)('%s has an empty page far beyond its end, searched or not', async (id) => {
  const way = mainWayTo(id)
  const call = await validCall(id, scene)
  const ask = (query: Record<string, string>) => {
    const pagedCall = { ...call, query: { ...call.query, ...query } }
    return send(service, id, way, pagedCall, credentialOf(scene, way))
  }
  const searches = declarationOf(id).parameters.some(({ name }) => name === 'search')
  for (const search of searches ? [{}, { search: 'a' }] : [{}]) {
    const first = await ask(search)
    const { status, body } = await ask({ page: String(lastPage), pageSize: '100', ...search })
    expect([status, itemsIn(body)]).toEqual([200, []])
    expect(body.pagination?.total).toBe(first.body.pagination?.total)
    expect(body.pagination?.hasNextPage).not.toBe(true)
  }
  const beyond = await ask({ page: String(lastPage + 1) })
  expect([beyond.status, Object.keys(beyond.body.fieldErrors)]).toEqual([400, ['page']])
})
