import { afterAll, beforeAll, expect, test } from 'vitest'
import { givenShop } from '../../kit/catalogue.ts'
import type { TestService } from '../../kit/service.ts'
import {
  expectAccessibleInBothSchemes,
  expectFitsPhone,
  startPages,
  type TestBrowser,
} from '../browser.ts'

let service: TestService
let browser: TestBrowser
beforeAll(async () => {
  ;({ service, browser } = await startPages())
})
afterAll(() => browser.close())

test('days are chosen by keys or clicks in a calendar that speaks the reader’s language', async () => {
  const shop = await givenShop(service)
  const account = { name: 'Ayşe', phone: null, language: 'tr' }
  await service.dashboard(shop.person).put('/api/account').send(account).expect(200)
  // The browser speaks another language than its reader.
  const page = await browser.open({ cookie: shop.person.cookie, locale: 'en-US' })
  await page.goto(`/w/${shop.workspaceId}/usage?from=2026-01-31&to=2026-03-15`)
  const from = (day: string) => page.getByRole('button', { name: `Başlangıç: ${day}` })
  const calendar = page.getByRole('dialog')
  await from('31 Oca 2026').click()
  await page.getByRole('grid', { name: 'Ocak 2026' }).waitFor()
  expect(await calendar.getByRole('columnheader').first().innerText()).toBe('Pzt')
  await page.locator('button:focus', { hasText: '31' }).waitFor()
  await expectAccessibleInBothSchemes(page)
  await expectFitsPhone(page)
  await page.keyboard.press('PageDown')
  await page.getByRole('grid', { name: 'Şubat 2026' }).waitFor()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('Enter')
  await from('8 Mar 2026').and(page.locator(':focus')).waitFor()
  expect(new URL(page.url()).searchParams.get('from')).toBe('2026-03-08')

  await page.getByRole('button', { name: 'Bitiş: 15 Mar 2026' }).click()
  const tooEarly = calendar.getByRole('button', { name: '7 Mar 2026', exact: true })
  expect(await tooEarly.isDisabled()).toBe(true)
  await calendar.getByRole('button', { name: 'Sonraki ay' }).click()
  await calendar.getByRole('button', { name: '2 Nis 2026', exact: true }).click()
  await page.getByRole('button', { name: 'Bitiş: 2 Nis 2026' }).click()
  await page.keyboard.press('Escape')
  await calendar.waitFor({ state: 'detached' })
})
