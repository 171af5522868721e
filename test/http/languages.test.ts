import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { bearer, givenScene, type Scene } from '../every_operation/fixtures.ts'
import { errorOf, message, post } from '../kit/agents.ts'
import { productBody } from '../kit/catalogue.ts'
import { startService, type TestService, unique } from '../kit/service.ts'

const turkish = 'tr-TR,tr;q=0.9,en;q=0.5'

let service: TestService
let scene: Scene
let products: string
beforeAll(async () => {
  service = await startService()
  scene = await givenScene(service)
  products = `/v1/workspaces/${scene.workspace.id}/products`
})
afterAll(() => service.close())

function create(body: object, headers: Record<string, string> = {}) {
  return service.api(scene.key).post(products).set(headers).send(body)
}

describe('a refusal', () => {
  test('is in the language that the caller requests, including its fields', async () => {
    const wrong = { ...productBody(), name: '', price: 'much', images: [] }
    const { status, body, headers } = await create(wrong, { 'Accept-Language': turkish })
    expect([status, headers.vary]).toEqual([400, 'Accept-Language'])
    expect(body).toMatchObject({
      code: 'invalid_input',
      message: 'İstek geçerli değil.',
      fieldErrors: {
        name: 'Boş bırakılamaz.',
        images:
          'Bilinmeyen alan; bilinenler: name, brand, sku, barcode, stock, status, description, information, imageIds, tagIds, sales.',
      },
    })
  })

  test.each([
    ['no language', {}],
    ['a language that we do not have', { 'Accept-Language': 'la' }],
    ['no language at all', { 'Accept-Language': ';;q=,*' }],
  ])('is in English for %s', async (_what, headers) => {
    const { body } = await create({ ...productBody(), name: '' }, headers)
    expect(body).toMatchObject({
      message: 'The request is not valid.',
      fieldErrors: { name: 'Must not be empty.' },
    })
  })

  test('formats numbers and conflicts in that language, too', async () => {
    const first = { ...productBody(), sku: unique('sku') }
    await create(first).expect(200)
    const again = { ...productBody(), sku: first.sku }
    const { body: conflict } = await create(again, { 'Accept-Language': turkish })
    const sentence = 'Bu SKU başka bir üründe kullanılıyor.'
    expect(conflict).toMatchObject({ message: sentence, fieldErrors: { sku: sentence } })
    const long = { ...productBody(), information: 'x'.repeat(500_001) }
    const { body: tooLong } = await create(long, { 'Accept-Language': turkish })
    expect(tooLong.fieldErrors.information).toBe('En çok 500.000 karakter.')
  })

  test('of an unknown path is in that language, on every origin', async () => {
    for (const client of [service.api(), service.dashboard(), service.admin()]) {
      const { body, headers } = await client.get('/none').set('Accept-Language', turkish)
      expect(body).toEqual({ status: 404, code: 'not_found', message: 'Böyle bir yol yok.' })
      expect(headers.vary).toBe('Accept-Language')
    }
  })

  test('that is replayed keeps the language of the first answer', async () => {
    const input = { ...productBody(), tagIds: ['tag_none'] }
    const key = { 'Idempotency-Key': unique('key') }
    const first = await create(input, { ...key, 'Accept-Language': turkish })
    expect(first.body.fieldErrors).toEqual({ tagIds: 'Bu çalışma alanında tag_none yok.' })
    const again = await create(input, { ...key, 'Accept-Language': 'en' })
    expect([again.status, again.text]).toEqual([400, first.text])
  })

  test('of a tool call is in English, whatever its client requests', async () => {
    const { token } = await service.givenAgent(scene.owner)
    const headers = { ...bearer(token), 'Accept-Language': turkish }
    const params = { name: 'get_product', arguments: { workspaceId: scene.workspace.id } }
    const answer = await post(service, message('tools/call', params), headers)
    expect(errorOf(answer)).toMatchObject({ fieldErrors: { id: 'Required.' } })
    const elsewhere = await post(service, message('ping'), headers, '?readonly=maybe')
    expect(elsewhere.body.fieldErrors).toEqual({ readonly: 'Must be true or false.' })
  })
})

test('a success does not depend on the language', async () => {
  const { headers } = await service.api(scene.key).get(products).set('Accept-Language', turkish)
  expect(headers.vary).toBeUndefined()
})

test('a code is mailed in the language of the requesting page', async () => {
  const email = `${unique('elif')}@example.com`
  await service
    .dashboard()
    .post('/api/session/code')
    .set('Accept-Language', turkish)
    .send({ email })
    .expect(202)
  const [mail] = await service.mailsTo(email)
  expect(mail?.subject).toBe('Vitrine kodunuz')
  expect(mail?.text).toMatch(/^Giriş kodunuz:\n\n {4}\d{6}\n\n/)
})
