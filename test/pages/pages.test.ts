import { join } from 'node:path'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readPageFiles } from '../../src/adapters/page_files.ts'
import {
  countActions,
  expectAccessible,
  onePixel,
  startBrowser,
  type TestBrowser,
} from './browser.ts'
import { clientId, clientSecret, type Issuer, startIssuer } from '../kit/peers/oidc_issuer.ts'
import { startService, type TestService, unique } from '../kit/service.ts'

let service: TestService
let browser: TestBrowser
let issuer: Issuer
beforeAll(async () => {
  issuer = await startIssuer()
  const secrets = { OIDC_CLIENT_ID: clientId, OIDC_CLIENT_SECRET: clientSecret }
  const env = { OIDC_ISSUER: issuer.url, ...secrets }
  service = await startService({ atOwnAddress: true, env })
  browser = await startBrowser(service)
})
afterAll(async () => {
  await browser.close()
  await service.close()
  await issuer.close()
})

/** Script budget before the first page works, for a phone on a slow network. */
const firstPageBytes = 60 * 1024

describe('the document of the dashboard', () => {
  const get = (path: string) => fetch(`${service.urls.dashboard}${path}`)

  test('is the same for every page, allows only its own origin and is never cached', async () => {
    const { baseUrl, siteDomain } = service.config
    const shops = `http://*.${siteDomain}`
    for (const path of ['/', '/sign-in', '/account', '/w/ws_1/products/prod_1?page=2']) {
      const { status, headers } = await get(path)
      expect([path, status, headers.get('content-type'), headers.get('cache-control')]).toEqual([
        path,
        200,
        'text/html; charset=utf-8',
        'no-store',
      ])
      expect(headers.get('cross-origin-embedder-policy')).toBe('require-corp')
      expect(headers.get('content-security-policy')).toBe(
        `default-src 'none'; script-src 'self'; style-src 'self'; font-src 'self'; connect-src 'self' ${baseUrl}; ` +
          `img-src 'self' ${baseUrl} blob: data:; base-uri 'none'; form-action 'self' ${shops}; frame-src ${shops}; ` +
          `frame-ancestors 'none'; require-trusted-types-for 'script'`,
      )
    }
  })

  test('has no inline script or style', async () => {
    const text = await (await get('/')).text()
    expect(text).not.toMatch(/<script(?![^>]* src=)|<style|style=|onload=|javascript:/)
  })

  test.each([
    ['dashboard', 'en-GB', 'This page needs JavaScript'],
    ['admin', 'tr-TR', 'Bu sayfa JavaScript ister'],
  ] as const)('says on %s without JavaScript that it needs it', async (origin, locale, heading) => {
    const page = await browser.open({ origin: service.urls[origin], script: false, locale })
    await page.goto('/')
    await page.getByRole('heading', { name: heading }).waitFor()
    expect(await page.getAttribute('html', 'lang')).toBe(locale.slice(0, 2))
  })

  test('loads files that are immutable and compressed as the browser accepts', async () => {
    const { entries, files } = readPageFiles()
    const unpack = { br: brotliDecompressSync, gzip: gunzipSync, identity: (body: Buffer) => body }
    for (const path of [...entries.dashboard.scripts, ...entries.dashboard.styles]) {
      const { bodies } = files.get(path)!
      for (const encoding of ['br', 'gzip', 'identity'] as const) {
        expect(unpack[encoding](bodies[encoding]!).equals(bodies.identity)).toBe(true)
        const headers = { 'Accept-Encoding': encoding }
        const answer = await fetch(`${service.urls.dashboard}${path}`, { headers })
        expect(answer.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
        expect(answer.headers.get('content-encoding') ?? 'identity').toBe(encoding)
        expect(Buffer.from(await answer.arrayBuffer()).equals(bodies.identity)).toBe(true)
      }
    }
  })

  test('loads scripts that say nothing of where they were built', () => {
    const folder = join(import.meta.dirname, '..', '..')
    const telling = [...readPageFiles().files]
      .filter(([, { bodies }]) => bodies.identity.includes(folder))
      .map(([path]) => path)
    expect(telling).toEqual([])
  })

  test('loads fonts as they are, which are compressed by their nature', async () => {
    const [path, font] = [...readPageFiles().files].find(([name]) => name.endsWith('.woff2'))!
    const headers = { 'Accept-Encoding': 'br, gzip' }
    const answer = await fetch(`${service.urls.dashboard}${path}`, { headers })
    expect([answer.status, answer.headers.get('content-encoding')]).toEqual([200, null])
    expect(answer.headers.get('content-type')).toBe('font/woff2')
    expect(Buffer.from(await answer.arrayBuffer()).equals(font.bodies.identity)).toBe(true)
  })

  test('answers a missing file like any unknown path', async () => {
    const response = await get('/assets/nothing.js')
    expect([response.status, await response.json()]).toEqual([
      404,
      { status: 404, code: 'not_found', message: 'There is no such path.' },
    ])
  })
})

describe('sign-in', () => {
  test('leads from an address to the first product with a picture in eight actions', async () => {
    const email = `${unique('owner')}@example.com`
    const owner = await service.givenPerson({ email })
    await service.givenWorkspace(owner)
    const page = await browser.open()
    const { act, count } = countActions()
    let scriptBytes = 0
    page.on('request', (request) => {
      const { pathname } = new URL(request.url())
      if (pathname.endsWith('.js'))
        scriptBytes += readPageFiles().files.get(pathname)!.bodies.gzip!.length
    })

    await page.goto('/')
    await expectAccessible(page)
    await act(page.getByLabel('Email address').fill(email))
    await act(page.keyboard.press('Enter'))
    await page.getByLabel('Code').waitFor()
    await act(page.getByLabel('Code').fill(await service.codeFor(email)))
    await page.getByRole('heading', { name: 'Set up your shop' }).waitFor()
    expect(scriptBytes).toBeGreaterThan(10_000)
    expect(scriptBytes).toBeLessThan(firstPageBytes)

    await act(page.getByRole('link', { name: 'Add your first product' }).click())
    await act(page.getByLabel('Name').fill('Rose balm'))
    await act(page.getByLabel('Brand').fill('Ana'))
    const picture = { name: 'rose.png', mimeType: 'image/png', buffer: onePixel }
    await act(page.locator('input[type=file]').setInputFiles(picture))
    await page.getByRole('img', { name: 'rose.png' }).waitFor()
    await act(page.getByRole('button', { name: 'Save' }).click())
    await page.getByRole('heading', { name: 'Rose balm', level: 1 }).waitFor()
    expect(count()).toBeLessThanOrEqual(8)

    const products = await service.db.selectFrom('products').select(['name', 'sku']).execute()
    expect(products).toEqual([{ name: 'Rose balm', sku: expect.stringMatching(/^ROSBAL-\d{5}$/) }])
    await page.reload()
    await page.getByRole('img', { name: 'rose.png' }).waitFor()
  })

  test('through the configured issuer leads to the requested page', async () => {
    const owner = await service.givenPerson()
    const { id } = await service.givenWorkspace(owner)
    issuer.behave({ claims: { email: owner.email, email_verified: true } })
    const page = await browser.open({ elsewhere: [new URL(issuer.url).origin] })
    await page.goto(`/w/${id}/tags?search=rose`)
    await page.getByRole('link', { name: 'Continue with your provider' }).click()
    await page.getByRole('heading', { name: 'Tags', level: 1 }).waitFor()
    expect(page.url()).toBe(`${service.config.dashboardUrl}/w/${id}/tags?search=rose`)
  })

  test('shows errors of an address or a code at the field', async () => {
    const page = await browser.open({ expectedStatuses: [400, 401] })
    await page.goto('/')
    await page.getByLabel('Email address').fill('ana+shop@example.com')
    await page.keyboard.press('Enter')
    await page.getByText('plus sign').waitFor()
    expect(await page.getByLabel('Email address').getAttribute('aria-invalid')).toBe('true')

    await page.getByLabel('Email address').fill(`${unique('new')}@example.com`)
    await page.keyboard.press('Enter')
    await page.getByLabel('Code').fill('000000')
    await page.getByText('The code is wrong, expired or used.').waitFor()
    await expectAccessible(page)
  })
})

describe('the contact form', () => {
  test('accepts a message without sign-in, and another only after it was read', async () => {
    const email = `${unique('sender')}@example.com`
    const page = await browser.open({ expectedStatuses: [400, 409] })
    await page.goto('/')
    await page.getByRole('link', { name: 'Write to us' }).click()
    await page.getByRole('heading', { name: 'Write to us', level: 1 }).waitFor()
    await page.getByLabel('Name').fill('Ada')
    await page.getByLabel('Email address').fill(email)
    await page.getByRole('button', { name: 'Send' }).click()
    await page.locator('textarea[aria-invalid=true]').waitFor()
    for (const scheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme: scheme })
      await expectAccessible(page)
    }
    const send = async () => {
      await page.getByLabel('Message').fill('May we own a second workspace?')
      await page.getByRole('button', { name: 'Send' }).click()
    }
    await send()
    await page.getByText('Your message has arrived.').waitFor()
    const requests = service.db.selectFrom('contact_requests').where('email', '=', email)
    expect(await requests.select(['name', 'message']).execute()).toEqual([
      { name: 'Ada', message: 'May we own a second workspace?' },
    ])
    await page.reload()
    await page.getByLabel('Name').fill('Ada')
    await page.getByLabel('Email address').fill(email)
    await send()
    await page.getByText('Your last message has not been read yet.').waitFor()
  })

  test('is prefilled for a signed-in person', async () => {
    const owner = await service.givenPerson({ workspaceLimit: 1 })
    await service.givenWorkspace(owner)
    const page = await browser.open({ cookie: owner.cookie })
    await page.goto('/new-workspace')
    await page.getByRole('link', { name: 'Write to us' }).click()
    await expect.poll(() => page.getByLabel('Email address').inputValue()).toBe(owner.email)
  })
})
