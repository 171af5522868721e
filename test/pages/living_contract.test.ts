import request from 'supertest'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Document } from 'yaml'
import { type CopiedProject, serveCopy } from '../contract/copied_project.ts'
import { givenMember, givenScene, type Scene } from '../every_operation/fixtures.ts'
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
  copy = await serveCopy(database, change, { pages: true })
})
afterAll(async () => {
  await browser.close()
  await copy.stop()
  await service.close()
  await database.drop()
})

/** A lower limit for product names, and the website opened to the role staff. */
function change(contract: Document): void {
  const name = ['properties', 'name', 'maxLength']
  contract.setIn(['components', 'schemas', 'ProductCreate', ...name], 40)
  const tags = contract.toJS().tags as { name: string }[]
  const website = tags.findIndex((tag) => tag.name === 'website')
  contract.setIn(['tags', website, 'x-roles'], ['staff'])
}

/** A page of the service or of its copy, for a signed-in person. */
async function open(person: Person, origin: string, path: string): Promise<Page> {
  const { cookie } = person
  const page = await browser.open({ cookie, origin, elsewhere: [origin] })
  await page.goto(`/w/${scene.workspace.id}/${path}`)
  return page
}

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
