import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { builtInPayments } from '../../src/adapters/payments.ts'
import { bestLanguage } from '../../src/texts/languages.ts'
import { startService, type TestService } from '../kit/service.ts'

let service: TestService
beforeAll(async () => {
  const settings = { webhookSecret: 'a secret', dashboardUrl: 'http://localhost:3001' }
  const payments = {
    ...builtInPayments({ ...settings, webhookUrl: () => 'http://127.0.0.1:1/' }),
    announce: () => Promise.reject(new Error('a detail of the inside')),
  }
  service = await startService({ payments })
})
afterAll(() => service.close())

/** Headers of a browser that requests a page or posts a form. */
function open(
  origin: keyof TestService['urls'],
  path: string,
  headers: Record<string, string> = {},
  method = 'GET',
) {
  const accept = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8'
  return fetch(service.urls[origin] + path, { method, headers: { Accept: accept, ...headers } })
}

const headingOf = async (response: Response) =>
  /<h1>(.*)<\/h1>/.exec(await response.text())?.[1] ?? 'no heading'

describe('an error', () => {
  test.each(['dashboard', 'admin'] as const)('is a page for a person on %s', async (origin) => {
    const response = await open(origin, '/nothing')
    expect([response.status, response.headers.get('content-type')]).toEqual([
      404,
      'text/html; charset=utf-8',
    ])
    expect(response.headers.get('cache-control')).toBe('no-store')
    expect(response.headers.get('content-security-policy')).toBe(
      "default-src 'none'; style-src 'self'; img-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
    )
    expect(await headingOf(response)).toBe('Nothing is here')
    const style = await open(origin, '/style/page.css')
    expect([style.status, style.headers.get('content-type')]).toEqual([
      200,
      'text/css; charset=utf-8',
    ])
  })

  test.each([
    ['a program', 'dashboard', '/nothing', '*/*'],
    ['a path of the contract', 'dashboard', '/v1/nothing', 'text/html'],
    ['a path of the dashboard’s API', 'dashboard', '/api/nothing', 'text/html'],
    ['a path of administration', 'admin', '/api/admin/nothing', 'text/html'],
    ['the origin of the API', 'api', '/nothing', 'text/html'],
  ] as const)('is the error object for %s', async (_what, origin, path, accept) => {
    const response = await open(origin, path, { Accept: accept })
    expect([response.status, await response.json()]).toEqual([
      404,
      { status: 404, code: 'not_found', message: 'There is no such path.' },
    ])
  })

  test('is in the language of the browser', async () => {
    const response = await open('dashboard', '/nothing', { 'Accept-Language': 'tr-TR,tr;q=0.9' })
    expect(await headingOf(response)).toBe('Burada bir şey yok')
  })

  test('of a form is a page with the reason', async () => {
    const owner = await service.givenPerson()
    const { id } = await service.givenWorkspace(owner)
    const checkout = service.dashboard(owner).post(`/api/workspaces/${id}/checkout`)
    const { url } = (await checkout.send({ pack: 500 }).expect(201)).body as { url: string }
    const path = `${new URL(url).pathname}/pay`
    const foreign = await open('dashboard', path, { Origin: 'https://site.example' }, 'POST')
    expect([foreign.status, await headingOf(foreign)]).toEqual([403, 'This cannot be done'])

    // Reloading the address of a form.
    const answer = await open('dashboard', path)
    expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'POST'])
    expect(await headingOf(answer)).toBe('This cannot be done')

    const own = { Origin: service.config.dashboardUrl }
    const fault = await open('dashboard', path, own, 'POST')
    const text = await fault.text()
    expect(fault.status).toBe(500)
    expect(text).toContain('<h1>Something went wrong on our side</h1>')
    expect(text).toContain(`<code>${fault.headers.get('x-request-id')}</code>`)
    expect(text).not.toContain('a detail of the inside')
  })
})

test.each([
  [['tr'], 'tr'],
  [['la', 'tr-TR', 'en'], 'tr'],
  [['en-GB', 'tr'], 'en'],
  [['la'], 'en'],
  [[], 'en'],
])('for the preferences %j the pages use %s', (wishes, language) => {
  expect(bestLanguage(wishes)).toBe(language)
})
