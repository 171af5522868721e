import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { errorCodes, operations } from '../../src/generated/operations.ts'
import { guideFiles } from '../../src/core/contract_documents.ts'
import { startService, type TestService } from '../kit/service.ts'

let service: TestService
beforeAll(async () => {
  service = await startService({ env: { BASE_URL: 'https://api.shop.example' } })
})
afterAll(() => service.close())

const get = (path: string) => service.api().get(path)
const files = () => guideFiles(service.config.baseUrl, service.config.dashboardUrl)
/** The pages of the guide by name. */
const pages = () => [...files()].filter(([path]) => !path.includes('.'))
/** The addresses in a page. */
const addressesIn = (html: string) =>
  [...html.matchAll(/\b(?:src|href)="([^"]*)"/g)].map(([, address]) => address!)

/** What a reader loads with any page: its look, its script and, when they search, the index. */
const loaded = ['page.css', 'page.js', 'search.json']

const written = [
  'quick_start',
  'authentication',
  'paging',
  'retries',
  'uploads',
  'browser_shop',
  'visitors',
  'chats',
  'credits',
  'many_products',
  'webhooks',
  'agents',
  'errors',
  'limits',
  'retention',
  'compatibility',
  'changelog',
  'deployment',
  'sizes',
  'reference',
]

const policy =
  "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; " +
  "img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; " +
  "require-trusted-types-for 'script'"

describe('the guide at /docs', () => {
  test.each(['', ...written])('has the page /docs/%s', async (name) => {
    const { status, headers, text } = await get(`/docs/${name}`)
    expect([status, headers['content-type']]).toEqual([200, 'text/html; charset=utf-8'])
    expect(headers['content-security-policy']).toBe(policy)
    expect(headers['cache-control']).toBe('public, max-age=300')
    expect(text).toMatch(/<h1 id="[^"]+">/)
  })

  test.each(written)('has the page %s as Markdown, and llms.txt names it', async (name) => {
    const { status, headers, text } = await get(`/docs/${name}.md`)
    expect([status, headers['content-type']]).toEqual([200, 'text/markdown; charset=utf-8'])
    expect(text).toMatch(/^# /)
    expect((await get('/llms.txt')).text).toContain(`(https://api.shop.example/docs/${name}.md)`)
  })

  test('has a page for every operation of the API and none for others', async () => {
    const expected = Object.entries(operations)
      .filter(
        ([, { surface, toolOnly }]) => ['management', 'experience'].includes(surface) && !toolOnly,
      )
      .map(([id]) => id)
    const listed = pages().flatMap(([path]) => /^operations\/(\w+)$/.exec(path)?.[1] ?? [])
    expect(listed.sort()).toEqual([...expected, 'get_challenge'].sort())
    const { text } = await get('/llms.txt')
    for (const id of listed)
      expect(text).toContain(`https://api.shop.example/docs/operations/${id}.md`)
  })

  test('shows samples in three languages for every operation', () => {
    const without = pages()
      .filter(([path]) => path.startsWith('operations/'))
      .filter(([, html]) => !/language="sh"[^]*language="ts"[^]*language="python"/.test(html))
    expect(without.map(([path]) => path)).toEqual([])
  })

  test('has a page and an anchor for every error code, each with what to do', () => {
    const texts = files()
    const errors = texts.get('errors') ?? ''
    for (const code of Object.keys(errorCodes)) {
      expect(errors).toContain(`<h2 id="${code}">`)
      const [, , advice] = (texts.get(`errors/${code}.md`) ?? '').split('\n\n')
      expect([code, advice]).not.toEqual([code, undefined])
      expect(advice).not.toMatch(/^#|^$/)
    }
  })

  test('leads nowhere that is not there', () => {
    const texts = files()
    const broken = pages().flatMap(([page, html]) =>
      addressesIn(html).filter((address) => {
        if (/^https?:|^\/v1\//.test(address)) return false
        const [path = '', anchor] = address.startsWith('#')
          ? [page, address.slice(1)]
          : address.replace(/^\/docs\//, '').split('#')
        const target = texts.get(path)
        return target === undefined || (anchor && !target.includes(` id="${anchor}"`))
      }),
    )
    expect(broken).toEqual([])
  })

  test('loads its own files alone, and nothing inline', () => {
    for (const [page, html] of pages()) {
      const inline = /<script(?![^>]*\bsrc=)|<style|\bstyle=|<[^>]*\son\w+=/.exec(html)?.[0]
      expect([page, inline]).toEqual([page, undefined])
      const sources = [...html.matchAll(/<(?:script src|link rel="stylesheet" href)="([^"]*)"/g)]
      expect(sources.map(([, source]) => source)).toEqual(['/docs/page.css', '/docs/page.js'])
    }
  })

  test('has no page for which a reader loads more than 300 kB', () => {
    const texts = files()
    const sizeOf = (path: string) => Buffer.byteLength(texts.get(path) ?? '')
    const shared = loaded.reduce((sum, path) => sum + sizeOf(path), 0)
    const large = pages().filter(([path]) => shared + sizeOf(path) > 300_000)
    expect(large.map(([path]) => path)).toEqual([])
  })

  test('names the addresses of this service', async () => {
    const { text } = await get('/docs/quick_start')
    expect(text).toContain('VITRINE_URL=https://api.shop.example')
    expect(text).toContain(`<a href="${service.config.dashboardUrl}">`)
    for (const [page, html] of pages())
      expect([page, /\{(baseUrl|dashboardUrl)\}|&lt;http/.exec(html)]).toEqual([page, null])
  })

  test('shows the dated changes of the API and what may change', async () => {
    const { text } = await get('/docs/changelog.md')
    expect(text).toMatch(/^## \d{4}-\d{2}-\d{2}$/m)
    expect(text).not.toContain('### ')
    expect((await get('/docs/compatibility.md')).text).toContain('Sunset')
  })

  test.each(loaded)('serves %s', async (file) => {
    const { status, headers } = await get(`/docs/${file}`)
    const types: Record<string, string> = {
      'page.css': 'text/css; charset=utf-8',
      'page.js': 'text/javascript; charset=utf-8',
      'search.json': 'application/json; charset=utf-8',
    }
    expect([status, headers['content-type']]).toEqual([200, types[file]])
  })

  test('is compressed, and not sent again to a reader who has it', async () => {
    const { headers } = await get('/docs/reference').set('Accept-Encoding', 'gzip')
    expect(headers['content-encoding']).toBe('gzip')
    const again = await get('/docs/reference').set({
      'Accept-Encoding': 'gzip',
      'If-None-Match': headers.etag!,
    })
    expect(again.status).toBe(304)
  })

  test.each(['pow.js', 'helpers.js', 'types.js', 'algorithms/web/pbkdf2.js'])(
    'serves what solves a challenge: %s',
    async (file) => {
      const { status, headers } = await get(`/docs/altcha/${file}`)
      expect([status, headers['content-type']]).toEqual([200, 'text/javascript; charset=utf-8'])
    },
  )

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
    'package.json',
    'README.md',
    'CHANGELOG.md',
    '../../package.json',
    '..%2fpackage.json',
    '%2e%2e/%2e%2e/package.json',
    '.npmrc',
    'nothing',
    'operations/nothing',
    'quick_start/',
    '__proto__',
    'altcha/index.js',
  ])('serves nothing else: %s', async (file) => {
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
