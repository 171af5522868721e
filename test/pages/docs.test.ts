import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { TestService } from '../kit/service.ts'
import {
  expectAccessible,
  expectAccessibleInBothSchemes,
  startPages,
  type TestBrowser,
} from './browser.ts'

let service: TestService
let browser: TestBrowser
beforeAll(async () => {
  ;({ service, browser } = await startPages())
})
afterAll(() => browser.close())

describe('the guide', () => {
  const names = [
    '',
    'errors',
    'errors/duplicate',
    'reference',
    'operations/create_product',
    'limits',
  ]
  // In turns, unless ALL_LOOKS=1: the pages share a stylesheet, and tests below see it in both schemes.
  const looks = names.flatMap((name, place) =>
    (['light', 'dark'] as const)
      .filter((_, turn) => process.env.ALL_LOOKS === '1' || turn === place % 2)
      .map((scheme) => ({ name, scheme })),
  )

  test.each(looks)('can be read by everyone, $scheme: /docs/$name', async ({ name, scheme }) => {
    const page = await browser.open({ origin: service.urls.api, scheme })
    await page.goto(`/docs/${name}`)
    await page.getByRole('heading', { level: 1 }).waitFor()
    await expectAccessible(page)
  })

  test('finds operations, codes and chapters by their words', async () => {
    const page = await browser.open({ origin: service.urls.api })
    await page.goto('/docs/')
    const search = page.getByRole('searchbox', { name: 'Search the guide' })
    const found = page.getByRole('status')
    await search.fill('create_product')
    await found.getByRole('link', { name: 'Create a product', exact: true }).waitFor()
    await search.fill('idempotency-key')
    await found.getByRole('link', { name: 'Retries and idempotency: Idempotency-Key' }).waitFor()
    await expectAccessibleInBothSchemes(page)
    await search.fill('unfindable')
    await found.getByText('Nothing found.').waitFor()
    await search.fill('write_conflict')
    await found.getByRole('link', { name: 'write_conflict', exact: true }).click()
    await page.getByRole('heading', { name: 'write_conflict', level: 1 }).waitFor()
    expect(new URL(page.url()).pathname).toBe('/docs/errors/write_conflict')
  })

  test('shows samples in one language, and remembers which', async () => {
    const page = await browser.open({ origin: service.urls.api })
    await page.goto('/docs/operations/create_product')
    const shown = page.locator('pre[data-language]:visible').first()
    expect(await shown.textContent()).toMatch(/^curl /)
    await page.getByRole('button', { name: 'Python' }).click()
    expect(await shown.textContent()).toMatch(/^import json/)
    await page.goto('/docs/operations/get_product')
    expect(await shown.textContent()).toMatch(/^import os/)
    await expectAccessibleInBothSchemes(page)
  })

  test('can be read without a script, and on a phone', async () => {
    const plain = await browser.open({ origin: service.urls.api, script: false })
    await plain.goto('/docs/operations/create_product')
    expect(await plain.locator('pre[data-language]:visible').count()).toBe(4)
    const dark = { scheme: 'dark', phone: true } as const
    const phone = await browser.open({ origin: service.urls.api, ...dark })
    await phone.goto('/docs/operations/create_product')
    await phone.getByRole('heading', { level: 1 }).waitFor()
    const width = await phone.evaluate('document.documentElement.scrollWidth')
    expect(width).toBe(390)
    await expectAccessible(phone)
  })
})
