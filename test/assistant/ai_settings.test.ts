import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { components } from '../../src/generated/types.ts'
import { conflict, givenShop, outcomeOf } from '../kit/catalogue.ts'
import { givenMember } from '../every_operation/fixtures.ts'
import { startService, type TestService } from '../kit/service.ts'

let service: TestService
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service.close())

const defaults = { fastEnabled: true, comprehensiveEnabled: true, sector: 'AUTO' }

async function givenSettings() {
  const shop = await givenShop(service)
  const path = shop.at('ai-settings')
  const read = async () => (await shop.api.get(path)).body as object
  return { shop, path, read, put: (body: object) => shop.api.put(path).send(body) }
}

describe('get_ai_settings', () => {
  test('defaults to both modes on and the sector AUTO, with an ETag', async () => {
    const { shop, path } = await givenSettings()
    const { status, body, headers } = await shop.api.get(path)
    expect([status, body]).toEqual([200, defaults])
    expect((await shop.api.get(path).set('If-None-Match', headers.etag!)).status).toBe(304)
  })
})

describe('update_ai_settings', () => {
  test.each(['GENERAL', 'BEAUTY', 'TEXTILE', 'AUTO'])('stores the sector %s', async (sector) => {
    const { read, put } = await givenSettings()
    const settings = { fastEnabled: false, comprehensiveEnabled: true, sector }
    const { status, body } = await put(settings)
    expect([status, body]).toEqual([200, settings])
    expect(await read()).toEqual(settings)
  })

  test('changes only these settings, in one workspace', async () => {
    const [first, second] = [await givenSettings(), await givenSettings()]
    const workspace = first.shop.at('workspace')
    const before = (await first.shop.api.get(workspace)).body as object
    const off = { fastEnabled: false, comprehensiveEnabled: false, sector: 'BEAUTY' }
    expect((await first.put(off)).status).toBe(200)
    expect(await second.read()).toEqual(defaults)
    expect((await first.shop.api.get(workspace)).body).toEqual(before)
  })

  test('requires every field, and refuses unknown fields and sectors', async () => {
    const { read, put } = await givenSettings()
    const required = 'Required.'
    expect(outcomeOf(await put({}))).toEqual([
      400,
      'invalid_input',
      { fastEnabled: required, comprehensiveEnabled: required, sector: required },
    ])
    expect(outcomeOf(await put({ ...defaults, model: 'x' }))).toEqual([
      400,
      'invalid_input',
      { model: 'Unknown field; known are fastEnabled, comprehensiveEnabled, sector.' },
    ])
    expect(outcomeOf(await put({ ...defaults, sector: 'FOOD' }))).toEqual([
      400,
      'invalid_input',
      { sector: 'Must be one of AUTO, GENERAL, BEAUTY, TEXTILE.' },
    ])
    expect(outcomeOf(await put({ ...defaults, fastEnabled: 'yes' }))).toEqual([
      400,
      'invalid_input',
      { fastEnabled: 'Must be true or false.' },
    ])
    expect(await read()).toEqual(defaults)
  })

  test('with If-Match overwrites only the version that was read', async () => {
    const { shop, path } = await givenSettings()
    const { etag } = (await shop.api.get(path)).headers
    const put = () =>
      shop.api
        .put(path)
        .set('If-Match', etag!)
        .send({ ...defaults, sector: 'GENERAL' })
    expect((await put()).status).toBe(200)
    expect((await put()).body).toEqual(conflict)
  })

  test('is for owners only, and so is reading', async () => {
    const { shop, path, read } = await givenSettings()
    expect((await service.dashboard(shop.person).get(path)).body).toEqual(defaults)
    const workspace = { id: shop.workspaceId } as components['schemas']['Workspace']
    for (const role of ['staff', 'billing'] as const) {
      const person = await service.givenPerson()
      await givenMember({ service, workspace }, person, role)
      const refusal = {
        status: 403,
        code: 'role_insufficient',
        message: `The role ${role} does not allow this.`,
      }
      const body = { ...defaults, sector: 'BEAUTY' }
      expect((await service.dashboard(person).get(path)).body).toEqual(refusal)
      expect((await service.dashboard(person).put(path).send(body)).body).toEqual(refusal)
    }
    expect(await read()).toEqual(defaults)
  })
})
