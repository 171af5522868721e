import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startService, type TestService } from './service.ts'

let service: TestService
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service.close())

describe('list_workspaces', () => {
  test('answers the owned workspaces with the creation policy', async () => {
    const owner = await service.givenPerson({ workspaceLimit: 1 })
    const workspace = await service.givenWorkspace(owner)
    const { key } = await service.givenKey(owner)
    const { status, body } = await service.api(key).get('/v1/workspaces')
    expect(status).toBe(200)
    expect(body).toEqual({
      page: 1,
      pageSize: 20,
      creationPolicy: { limit: 1, owned: 1, canCreate: false },
      workspaces: [workspace],
    })
  })
})
