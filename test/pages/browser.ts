import { AxeBuilder } from '@axe-core/playwright'
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core'
import { expect } from 'vitest'
import { ensureChromium } from '../../scripts/ensure_chromium.mjs'
import { startService, type TestService } from '../kit/service.ts'

export type { Page } from 'playwright-core'

/** A real browser for one test file. */
export interface TestBrowser {
  /** A page of its own, without anything of the others; signed in where a cookie is given. */
  open(options?: OpenOptions): Promise<Page>
  /** Fails if any page has logged an error, thrown one, or broken its own policy. */
  close(): Promise<void>
}

interface OpenOptions {
  /** `name=value`, as fixtures have it. */
  cookie?: string
  /** Where the cookie belongs; by default the dashboard. */
  origin?: string
  scheme?: 'light' | 'dark'
  phone?: boolean
  /** A refusal that the test provokes, which the browser logs as an error. */
  expectedStatuses?: number[]
  /** Whether the test cuts a connection, which the browser logs as an error, too. */
  losesConnection?: boolean
  /** What the person reads; by default English. */
  locale?: string
  /** Whether the browser runs scripts; by default it does. */
  script?: boolean
  /** Origins beside the service's that the browser is led to, such as an agent's. */
  elsewhere?: string[]
}

/** The whole service and a browser that looks at it; whoever closes the browser ends both. */
export async function startPages(): Promise<{ service: TestService; browser: TestBrowser }> {
  const service = await startService({ atOwnAddress: true })
  const browser = await startBrowser(service)
  const close = async () => {
    await browser.close()
    await service.close()
  }
  return { service, browser: { ...browser, close } }
}

export const desktop = { width: 1280, height: 860 }
export const phone = { width: 390, height: 844 }

export async function startBrowser(service: TestService): Promise<TestBrowser> {
  const browser = await chromium.launch({
    executablePath: ensureChromium(),
    // Root, as in a container, has no sandbox to give; the pages are our own.
    args: process.getuid?.() === 0 ? ['--no-sandbox'] : [],
  })
  const faults: string[] = []
  return {
    open: (options = {}) => openPage(browser, service, options, faults),
    async close() {
      await browser.close()
      expect(faults).toEqual([])
    },
  }
}

async function openPage(
  browser: Browser,
  service: TestService,
  options: OpenOptions,
  faults: string[],
): Promise<Page> {
  const { cookie, origin = service.config.dashboardUrl, expectedStatuses = [] } = options
  const settings: BrowserContextOptions = {
    baseURL: origin,
    colorScheme: options.scheme ?? 'light',
    locale: options.locale ?? 'en-GB',
    javaScriptEnabled: options.script ?? true,
    viewport: options.phone ? phone : desktop,
    reducedMotion: 'reduce',
    permissions: ['clipboard-read', 'clipboard-write'],
  }
  const context = await browser.newContext(settings)
  // The service's clock stands still and may be ahead; what is slow here is slow everywhere.
  context.setDefaultTimeout(30_000)
  if (cookie) {
    const [name = '', value = ''] = cookie.split('=')
    await context.addCookies([{ name, value, url: origin }])
  }
  const page = await context.newPage()
  page.on('pageerror', (error) => faults.push(`${page.url()}: ${error.message}`))
  page.on('console', (message) => {
    if (message.type() !== 'error' && message.type() !== 'warning') return
    const expected = expectedStatuses.map((status) => `responded with a status of ${status}`)
    if (options.losesConnection) expected.push('net::ERR_FAILED')
    const isExpected = expected.some((text) => message.text().includes(text))
    if (!isExpected) faults.push(`${page.url()}: ${message.text()}`)
  })
  page.on('request', (request) => {
    const { protocol, origin: asked } = new URL(request.url())
    const own = [...Object.values(service.urls), ...(options.elsewhere ?? [])]
    if (protocol.startsWith('http') && !own.includes(asked))
      faults.push(`outside: ${request.url()}`)
  })
  return page
}

/** Waits for the heading of a page, and for what it says once its data are there. */
export async function expectPage(page: Page, heading: string, content: string): Promise<void> {
  await page.getByRole('heading', { name: heading, level: 1 }).waitFor()
  await page.getByRole('main').getByText(content).and(page.locator(':visible')).first().waitFor()
}

/** Waits for what a live region tells everybody. */
export async function said(page: Page, text: string): Promise<void> {
  await page.getByRole('status').getByText(text).waitFor()
}

const standards = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']

/** Fails with what is wrong and where. Ask it only after the page has shown its content. */
export async function expectAccessible(page: Page, rules?: string[]): Promise<void> {
  // Only what is wrong is worked out, and in the page itself: the pages have no frames.
  const axe = new AxeBuilder({ page }).options({ resultTypes: ['violations'] }).setLegacyMode(true)
  const chosen = rules ? axe.withRules(rules) : axe.withTags(standards)
  const { violations } = await chosen.analyze()
  const said = violations.map(({ id, nodes }) => {
    const where = nodes.map(({ target, failureSummary }) => `${String(target)}: ${failureSummary}`)
    return `${id}: ${where.join('; ')}`
  })
  expect(said, page.url()).toEqual([])
}

/** Of all that makes a page accessible, only its colours differ between the schemes. */
export async function expectAccessibleInBothSchemes(page: Page): Promise<void> {
  await expectAccessible(page)
  await page.emulateMedia({ colorScheme: 'dark' })
  await expectAccessible(page, ['color-contrast'])
  await page.emulateMedia({ colorScheme: 'light' })
}

/** On a phone a page is read by scrolling down alone. */
export async function expectFitsPhone(page: Page): Promise<void> {
  await page.setViewportSize(phone)
  const width = () => page.evaluate<number>('document.documentElement.scrollWidth')
  await expect.poll(width, { message: page.url() }).toBeLessThanOrEqual(phone.width)
  await page.setViewportSize(desktop)
}

/** Goes on with the Tab key until something of this name has the focus, as somebody without a mouse. */
export async function tabTo(page: Page, name: string | RegExp): Promise<void> {
  const focused = page.locator(':focus')
  for (let steps = 0; steps < 60; steps++) {
    await page.keyboard.press('Tab')
    const label = await focused.evaluate(
      (element) => element.getAttribute('aria-label') ?? element.textContent ?? '',
    )
    if (typeof name === 'string' ? label === name : name.test(label)) return
  }
  throw new Error(`The Tab key does not reach ${String(name)}.`)
}

/** Counts what a person does: every click, every field filled, every key pressed. */
export function countActions() {
  let actions = 0
  return {
    act: async (step: Promise<unknown>): Promise<void> => {
      actions += 1
      await step
    },
    count: () => actions,
  }
}

/** The smallest picture. */
export const onePixel = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)
