import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import request from 'supertest'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type CopiedProject, root, serveCopy } from './copied_project.ts'
import { createDatabase, type TestDatabase } from '../kit/database.ts'
import { givenScene, type Scene } from '../every_operation/fixtures.ts'
import { startService, type TestService } from '../kit/service.ts'

const promptLimit = [
  'components',
  'schemas',
  'WorkspaceUpdate',
  'properties',
  'mainAgentPrompt',
  'maxLength',
]

let database: TestDatabase
let service: TestService
let scene: Scene
let without: CopiedProject
let narrower: CopiedProject
beforeAll(async () => {
  database = await createDatabase()
  service = await startService({ databaseUrl: database.url })
  scene = await givenScene(service)
  ;[without, narrower] = await Promise.all([
    serveCopy(database, (contract) => contract.deleteIn(['paths', '/v1/templates'])),
    serveCopy(database, (contract) => contract.setIn(promptLimit, 100)),
  ])
})
afterAll(async () => {
  await Promise.all([without.stop(), narrower.stop()])
  await service.close()
  await database.drop()
})

const generated = (folder: string, name: string) =>
  readFileSync(join(folder, 'src/generated', name), 'utf8')

describe('the contract', () => {
  test('takes an operation away with its route, its type and its tool', async () => {
    const { folder, urls } = without
    const url = urls.api
    for (const [name, mark] of [
      ['operations.ts', /^ {2}list_templates: \{/m],
      ['types.ts', /^ {4}list_templates: \{/m],
      ['tools.json', /"name": "list_templates"/],
      ['openapi.public.json', /"operationId": "list_templates"/],
    ] as const) {
      expect(generated(root, name)).toMatch(mark)
      expect(generated(folder, name)).not.toMatch(mark)
    }

    await service.api(scene.key).get('/v1/templates').expect(200)
    const headers = { Authorization: `Bearer ${scene.key}` }
    const { status, body } = await request(url).get('/v1/templates').set(headers)
    expect([status, body.code]).toEqual([404, 'not_found'])
    const { body: document } = await request(url).get('/v1/openapi.json')
    expect(Object.keys(document.paths)).not.toContain('/v1/templates')
    await request(url).get('/v1/workspaces').set(headers).expect(200)
  })

  test('changing a limit changes what is refused', async () => {
    const path = `/v1/workspaces/${scene.workspace.id}/workspace`
    const instruct = async (url: string, characters: number) => {
      const update = request(url).put(path).set('Authorization', `Bearer ${scene.key}`)
      const { status, body } = await update.send({ mainAgentPrompt: 'x'.repeat(characters) })
      return [status, body.fieldErrors]
    }
    const refusal = (limit: number) => [
      400,
      { mainAgentPrompt: `At most ${limit.toLocaleString('en')} characters.` },
    ]
    expect(await instruct(service.urls.api, 20_000)).toEqual([200, undefined])
    expect(await instruct(service.urls.api, 20_001)).toEqual(refusal(20_000))
    expect(await instruct(narrower.urls.api, 100)).toEqual([200, undefined])
    expect(await instruct(narrower.urls.api, 101)).toEqual(refusal(100))
  })
})
