import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { operations } from '../../src/generated/operations.ts'
import { startService, type TestService } from '../kit/service.ts'

let service: TestService
beforeAll(async () => {
  service = await startService({ env: { BASE_URL: 'https://api.shop.example' } })
})
afterAll(() => service.close())

const get = (path: string) => service.api().get(path)
/** The addresses that a page loads, as written in it. */
const loadedBy = (html: string) =>
  [...html.matchAll(/\b(?:src|href)="([^"]*)"/g)].map(([, address]) => address!)

describe('the reference at /docs', () => {
  test('is Swagger UI under a policy that only allows its own files', async () => {
    const { status, headers, text } = await get('/docs/')
    expect([status, headers['content-type']]).toEqual([200, 'text/html; charset=utf-8'])
    expect(headers['content-security-policy']).toBe(
      "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; " +
        "img-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    )
    expect(text).toContain('<div id="swagger-ui"></div>')
    // The policy blocks inline scripts and styles.
    expect(text).not.toMatch(/<script(?![^>]*\bsrc=)|<style|\bstyle=|\bon\w+=/)
    expect(text).not.toMatch(/https?:|\/\//)
  })

  test('loads every file from its own folder', async () => {
    const { text } = await get('/docs/')
    const types: Record<string, string> = {}
    for (const file of loadedBy(text)) {
      const { status, headers } = await get(`/docs/${file}`)
      expect([file, status]).toEqual([file, 200])
      types[file] = headers['content-type'] as string
    }
    expect(types).toEqual({
      'swagger-ui.css': 'text/css; charset=utf-8',
      'favicon-32x32.png': 'image/png',
      'swagger-ui-bundle.js': 'text/javascript; charset=utf-8',
      'initializer.js': 'text/javascript; charset=utf-8',
    })
  })

  test.each(['pow.js', 'helpers.js', 'types.js', 'algorithms/web/pbkdf2.js'])(
    'serves what solves a challenge: %s',
    async (file) => {
      const { status, headers } = await get(`/docs/altcha/${file}`)
      expect([status, headers['content-type']]).toEqual([200, 'text/javascript; charset=utf-8'])
    },
  )

  test("reads this service's document and uses no external validator", async () => {
    const { text } = await get('/docs/initializer.js')
    expect(text).toContain("url: '/v1/openapi.json'")
    expect(text).toContain('validatorUrl: null')
    expect(text).not.toMatch(/https?:/)
  })

  test.each(['/docs', '/docs?theme=dark'])('%s redirects to /docs/', async (path) => {
    const { status, headers } = await get(path)
    expect([status, headers.location]).toEqual([302, '/docs/'])
  })

  test('is where the root redirects to', async () => {
    const { status, headers } = await get('/')
    expect([status, headers.location]).toEqual([302, '/docs/'])
  })

  test.each([
    'index.html',
    'swagger-initializer.js',
    'package.json',
    'README.md',
    'index.js',
    '../../package.json',
    '..%2fpackage.json',
    '%2e%2e/%2e%2e/package.json',
    '.npmrc',
    'nothing',
    'swagger-ui-bundle.js.map',
    'altcha/index.js',
  ])('serves no file of the package that the page does not load: %s', async (file) => {
    const { status, body } = await get(`/docs/${file}`)
    expect([status, body.code]).toEqual([404, 'not_found'])
  })

  test('is only on the API origin', async () => {
    for (const url of [service.urls.dashboard, service.urls.admin])
      for (const path of ['/docs/', '/v1/openapi.json'])
        expect((await fetch(url + path)).status).toBe(404)
  })
})

describe('the document at /v1/openapi.json', () => {
  test('describes this service and needs no credential', async () => {
    const { status, headers, body } = await get('/v1/openapi.json')
    expect([status, headers['content-type']]).toEqual([200, 'application/json; charset=utf-8'])
    expect(headers['cache-control']).toBe('public, max-age=300')
    expect(body.openapi).toBe('3.1.0')
    expect(body.servers).toEqual([{ url: 'https://api.shop.example' }])
  })

  test('lists the routes of the API origin and of no other', async () => {
    const { body } = await get('/v1/openapi.json')
    const documentedIds = Object.values(body.paths as Record<string, Record<string, object>>)
      .flatMap((item) => Object.values(item))
      .flatMap((operation) => ('operationId' in operation ? [operation.operationId] : []))
    const expected = Object.entries(operations)
      .filter(
        ([, { surface, toolOnly }]) => ['management', 'experience'].includes(surface) && !toolOnly,
      )
      .map(([id]) => id)
    // The challenge is served beside the operations.
    expect(documentedIds.sort()).toEqual([...expected, 'get_challenge'].sort())
    expect(JSON.stringify(body)).not.toMatch(
      /x-surface|x-tool|x-codes|dashboardSession|vitrine_session/,
    )
  })

  test('is not sent again to a client that has it', async () => {
    const { headers } = await get('/v1/openapi.json')
    const again = await get('/v1/openapi.json').set('If-None-Match', headers.etag as string)
    expect([again.status, again.text]).toEqual([304, ''])
  })
})
