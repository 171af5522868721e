import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readPageFiles } from '../../src/adapters/page_files.ts'
import type { TestService } from '../kit/service.ts'
import { choose, type Page, startPages, type TestBrowser } from './browser.ts'

let service: TestService
let browser: TestBrowser
beforeAll(async () => {
  ;({ service, browser } = await startPages())
})
afterAll(() => browser.close())

/** The script with the texts of a language, found by one of them. */
function textsWith(text: string): string {
  const asWritten = new RegExp(`(["'\`])${text}\\1`)
  const paths = [...readPageFiles().files].filter(([, { bodies }]) =>
    asWritten.test(bodies.identity.toString()),
  )
  expect(paths).toHaveLength(1)
  return paths[0]![0]
}

function loadedPaths(page: Page): Set<string> {
  const paths = new Set<string>()
  page.on('request', (request) => paths.add(new URL(request.url()).pathname))
  return paths
}

async function turkishReader(): Promise<string> {
  const person = await service.givenPerson()
  const profile = { name: 'Elif', phone: null, language: 'tr' }
  await service.dashboard(person).put('/api/account').send(profile).expect(200)
  await service.givenWorkspace(person)
  return person.cookie
}

describe('the texts of the pages', () => {
  test('are loaded only in the language of the reader', async () => {
    const page = await browser.open({ locale: 'tr-TR' })
    const paths = loadedPaths(page)
    await page.goto('/')
    await page.getByRole('heading', { name: 'Giriş yap' }).waitFor()
    expect(paths).toContain(textsWith('Yükleniyor…'))
    expect(paths).not.toContain(textsWith('Loading…'))
  })

  test('are never shown in the browser’s language to an account with another', async () => {
    const page = await browser.open({ cookie: await turkishReader(), locale: 'en-GB' })
    const paths = loadedPaths(page)
    let answer = () => {}
    const gate = new Promise<void>((resolve) => (answer = resolve))
    await page.route('**/api/session', async (route) => {
      await gate
      await route.continue()
    })
    await page.goto('/')
    await page.locator('.spinner').waitFor()
    await expect.poll(() => paths).toContain(textsWith('Loading…'))
    expect(await page.locator('body').innerText()).toBe('')
    answer()
    await page.getByRole('heading', { name: 'Mağazanızı hazırlayın' }).waitFor()
    expect(await page.getAttribute('html', 'lang')).toBe('tr')
  })

  test.each(['dashboard', 'admin'] as const)(
    'that cannot be loaded leave a message and a reload button at the %s',
    async (origin) => {
      const page = await browser.open({ origin: service.urls[origin], losesConnection: true })
      await page.route(`**${textsWith('Loading…')}`, (route) => route.abort())
      await page.goto('/')
      await page.getByRole('heading', { name: 'This page could not be loaded' }).waitFor()
      await page.unrouteAll()
      await page.getByRole('button', { name: 'Reload' }).click()
      await page.getByLabel('Email address').waitFor()
    },
  )

  test('stay in the current language if another cannot be loaded', async () => {
    const person = await service.givenPerson()
    const page = await browser.open({ cookie: person.cookie, losesConnection: true })
    await page.route(`**${textsWith('Yükleniyor…')}`, (route) => route.abort())
    await page.goto('/account')
    await choose(page.getByLabel('Language'), 'Türkçe')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Saved', { exact: true }).waitFor()
    await page.getByRole('heading', { name: 'Account', level: 1 }).waitFor()
    await page.unrouteAll()
    await page.reload()
    await page.getByRole('heading', { name: 'Hesap', level: 1 }).waitFor()
  })
})
