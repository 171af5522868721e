import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import request from 'supertest'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Document } from 'yaml'
import { givenMember, givenScene, type Scene } from '../every_operation/fixtures.ts'
import { type CopiedProject, root, serveCopy } from '../kit/copied_project.ts'
import { createDatabase, type TestDatabase } from '../kit/database.ts'
import { type Person, startService, type TestService } from '../kit/service.ts'
import { type Page, startBrowser, type TestBrowser } from './browser.ts'

let database: TestDatabase
let service: TestService
let browser: TestBrowser
let scene: Scene
let staff: Person
let copy: CopiedProject
beforeAll(async () => {
  database = await createDatabase()
  service = await startService({ databaseUrl: database.url, atOwnAddress: true })
  browser = await startBrowser(service)
  scene = await givenScene(service)
  staff = await service.givenPerson()
  await givenMember(scene, staff, 'staff')
  copy = await serveCopy(database, change)
})
afterAll(async () => {
  await browser.close()
  await copy.stop()
  await service.close()
  await database.drop()
})

/** One operation fewer, one deprecated with a parameter of many, lower limits for two texts, and the website opened to the role staff. */
function change(contract: Document): void {
  const limit = (schema: string, field: string, maxLength: number) =>
    contract.setIn(['components', 'schemas', schema, 'properties', field, 'maxLength'], maxLength)
  contract.deleteIn(['paths', '/v1/templates'])
  limit('WorkspaceUpdate', 'mainAgentPrompt', 100)
  limit('ProductUpdate', 'name', 40)
  const tagsPath = '/v1/workspaces/{workspaceId}/tags'
  deprecate(contract, ['paths', tagsPath, 'get'], '2026-12-01', '2028-01-01')
  deprecate(contract, ['components', 'parameters', 'Search'], '2026-10-01')
  const tags = contract.toJS().tags as { name: string }[]
  const website = tags.findIndex((tag) => tag.name === 'website')
  contract.setIn(['tags', website, 'x-roles'], ['staff'])
}

function deprecate(contract: Document, at: string[], since: string, sunset?: string): void {
  contract.setIn([...at, 'deprecated'], true)
  contract.setIn([...at, 'x-deprecated'], { since, ...(sunset !== undefined && { sunset }) })
}

/** A page of the service or of its copy, for a signed-in person. */
async function open(person: Person, origin: string, path: string): Promise<Page> {
  const { cookie } = person
  const page = await browser.open({ cookie, origin, elsewhere: [origin] })
  await page.goto(`/w/${scene.workspace.id}/${path}`)
  return page
}

const generated = (folder: string, name: string) =>
  readFileSync(join(folder, 'src/generated', name), 'utf8')

describe('a contract changed in one place changes the API', () => {
  test('an operation goes with its route, its type and its tool', async () => {
    const { folder, urls } = copy
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

  test('a text past the new limit is refused', async () => {
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
    expect(await instruct(copy.urls.api, 100)).toEqual([200, undefined])
    expect(await instruct(copy.urls.api, 101)).toEqual(refusal(100))
  })
})

describe('what the contract marks as deprecated', () => {
  const flatSince = '@1767225600'
  const noticeOf = async (url: string, path: string) => {
    const { headers } = await request(url).get(path).set('Authorization', `Bearer ${scene.key}`)
    return [headers.deprecation, headers.sunset]
  }
  const path = (name: string) => `/v1/workspaces/${scene.workspace.id}/${name}`

  test('says since when, and until when if there is an end', async () => {
    expect(await noticeOf(service.urls.api, path('tags'))).toEqual([undefined, undefined])
    const url = copy.urls.api
    const end = 'Sat, 01 Jan 2028 00:00:00 GMT'
    expect(await noticeOf(url, path('tags'))).toEqual(['@1796083200', end])
    // A refusal says so, too.
    expect(await noticeOf(url, path('tags?page=none'))).toEqual(['@1796083200', end])
    expect(await noticeOf(url, path('tags/none'))).toEqual([undefined, undefined])
    const { body } = await request(url).get('/v1/openapi.json')
    expect(body.paths['/v1/workspaces/{workspaceId}/tags'].get.deprecated).toBe(true)
  })

  test('says so of a parameter in calls that send it, with the earliest day', async () => {
    const url = copy.urls.api
    expect(await noticeOf(url, path('media'))).toEqual([undefined, undefined])
    expect(await noticeOf(url, path('media?search=x'))).toEqual(['@1790812800', undefined])
    const end = 'Sat, 01 Jan 2028 00:00:00 GMT'
    expect(await noticeOf(url, path('tags?search=x'))).toEqual(['@1790812800', end])
    const flat = `/v1/tags?workspaceId=${scene.workspace.id}`
    expect(await noticeOf(url, flat)).toEqual([flatSince, end])
    // Flat URLs stay accepted, so they have no end of their own.
    expect(await noticeOf(service.urls.api, flat)).toEqual([flatSince, undefined])
  })
})

describe('a contract changed in one place changes the pages', () => {
  test('an input is limited to the length of its field', async () => {
    const typeName = async (origin: string) => {
      const page = await open(scene.owner, origin, 'products/new')
      const input = page.getByLabel('Name', { exact: true })
      await input.pressSequentially('x'.repeat(41))
      return [await input.getAttribute('maxlength'), (await input.inputValue()).length]
    }
    expect(await typeName(service.urls.dashboard)).toEqual(['500', 41])
    expect(await typeName(copy.urls.dashboard)).toEqual(['40', 40])
  })

  test('a role sees a page once it may use its operations', async () => {
    const answer = async (origin: string) => {
      const path = `/v1/workspaces/${scene.workspace.id}/website`
      const { status, body } = await request(origin).get(path).set('Cookie', staff.cookie)
      return status === 200 ? status : body.code
    }
    const linkCount = async (origin: string) => {
      const page = await open(staff, origin, 'tags')
      await page.getByRole('heading', { name: 'Tags', level: 1 }).waitFor()
      return page.getByRole('link', { name: 'Website' }).count()
    }
    const { dashboard } = service.urls
    expect([await answer(dashboard), await linkCount(dashboard)]).toEqual(['role_insufficient', 0])
    const copyUrl = copy.urls.dashboard
    expect([await answer(copyUrl), await linkCount(copyUrl)]).toEqual([200, 1])
  })
})
