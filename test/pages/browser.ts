import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  chromium,
  type Locator,
  type Page,
} from 'playwright-core'
import { expect, onTestFinished, TestRunner } from 'vitest'
import { ensureChromium } from '../../scripts/ensure_chromium.mjs'
import { startService, type TestService } from '../kit/service.ts'

export type { Page } from 'playwright-core'

/** A real browser for one test file. */
export interface TestBrowser {
  /** A page in a fresh context; signed in if a cookie is given. */
  open(options?: OpenOptions): Promise<Page>
  /** Fails if any page has logged an error, thrown one, or violated its policy. */
  close(): Promise<void>
}

interface OpenOptions {
  /** `name=value`, as in fixtures. */
  cookie?: string
  /** The origin of the cookie; by default the dashboard. */
  origin?: string
  scheme?: 'light' | 'dark'
  phone?: boolean
  /** A refusal that the test provokes, which the browser logs as an error. */
  expectedStatuses?: number[]
  /** What the page writes into the console for those who build sites. */
  expectedWarning?: string
  /** Whether the test cuts a connection, which the browser also logs as an error. */
  losesConnection?: boolean
  /** The person's language; by default English. */
  locale?: string
  /** Where the person is; by default in UTC. */
  timeZone?: string
  /** Whether JavaScript is enabled; by default it is. */
  script?: boolean
  /** Origins that the browser may visit beside the service's, such as an agent's. */
  elsewhere?: string[]
}

/** The whole service and a browser for it; closing the browser stops both. */
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

/** Shared by the files of a worker, and ends with it: starting one takes as long as opening a page. */
let launched: Promise<Browser> | undefined

const launchBrowser = () =>
  chromium.launch({
    executablePath: ensureChromium(),
    args: [
      // Fewer processes that talk to each other take a twentieth less.
      '--in-process-gpu',
      '--enable-features=NetworkServiceInProcess2',
      // Chromium has no sandbox as root, as in a container; the pages are ours.
      ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
    ],
  })

/** A page with its context. What a context cannot change later is its kind. */
interface Tab {
  kind: string
  page: Page
  /** Where it has been. */
  origins: Set<string>
}

export async function startBrowser(service: TestService): Promise<TestBrowser> {
  const browser = await (launched ??= launchBrowser())
  const faults: string[] = []
  const contexts: BrowserContext[] = []
  let idle: Tab[] = []

  const newTab = async (kind: string, settings: BrowserContextOptions): Promise<Tab> => {
    const context = await browser.newContext(settings)
    contexts.push(context)
    // A slow machine may take its time.
    context.setDefaultTimeout(100_000)
    return { kind, page: await context.newPage(), origins: new Set() }
  }

  return {
    async open(options = {}) {
      const origin = options.origin ?? service.config.dashboardUrl
      const settings = {
        baseURL: origin,
        locale: options.locale ?? 'en-GB',
        timezoneId: options.timeZone ?? 'UTC',
        javaScriptEnabled: options.script ?? true,
        permissions: ['clipboard-read', 'clipboard-write'],
      }
      const kind = JSON.stringify(settings)
      const used = idle.find((tab) => tab.kind === kind && isReusable(tab, origin))
      idle = idle.filter((tab) => tab !== used)
      if (used) await forget(used, origin)
      const tab = used ?? (await newTab(kind, settings))
      await setUp(tab, origin, options)
      watch(tab, service, options, faults)
      // A page that is opened for several tests stays open until the last.
      if (TestRunner.getCurrentTest()) onTestFinished(() => void idle.push(tab))
      return tab.page
    },
    async close() {
      await Promise.all(contexts.map((context) => context.close()))
      expect(faults).toEqual([])
    },
  }
}

/** Of a page that has been elsewhere, some other origin would remember what is forgotten here. */
const isReusable = ({ page, origins }: Tab, origin: string) =>
  !page.isClosed() && page.context().pages().length === 1 && [...origins].join() === origin

/**
 * Makes a page that an earlier test has used like a new one, whose process has loaded the scripts
 * already: opening another takes twice the time.
 */
async function forget({ page, origins }: Tab, origin: string): Promise<void> {
  await page.unrouteAll({ behavior: 'ignoreErrors' })
  await page.context().setOffline(false)
  // Leaves scripts behind that keep what was typed.
  page.removeAllListeners('dialog')
  page.on('dialog', (dialog) => void dialog.accept())
  // An empty page of the origin, whatever that serves: a refusal would be an error of the page's next test.
  const empty = `${origin}/empty`
  await page.route(empty, (route) => route.fulfill({ contentType: 'text/plain', body: '' }))
  await page.goto(empty)
  await page.evaluate('localStorage.clear(), sessionStorage.clear()')
  await page.unroute(empty)
  await page.context().clearCookies()
  page.removeAllListeners()
  origins.clear()
}

async function setUp({ page }: Tab, origin: string, options: OpenOptions): Promise<void> {
  await page.emulateMedia({
    media: null,
    colorScheme: options.scheme ?? 'light',
    reducedMotion: 'reduce',
  })
  await page.setViewportSize(options.phone ? phone : desktop)
  if (!options.cookie) return
  const [name = '', value = ''] = options.cookie.split('=')
  await page.context().addCookies([{ name, value, url: origin }])
}

/** Records what a page must not do. */
function watch(
  { page, origins }: Tab,
  service: TestService,
  { expectedStatuses = [], expectedWarning, losesConnection, elsewhere = [] }: OpenOptions,
  faults: string[],
): void {
  page.on('framenavigated', (frame) => {
    if (frame === page.mainFrame()) origins.add(new URL(frame.url()).origin)
  })
  page.on('pageerror', ({ message }) => {
    // A slow browser skips or gives up fading from one page to the next, and says so as an error of the page.
    if (!message.startsWith('Transition was')) faults.push(`${page.url()}: ${message}`)
  })
  page.on('console', (message) => {
    if (message.type() !== 'error' && message.type() !== 'warning') return
    const expected = expectedStatuses.map((status) => `responded with a status of ${status}`)
    if (expectedWarning !== undefined) expected.push(expectedWarning)
    if (losesConnection) expected.push('net::ERR_FAILED')
    const isExpected = expected.some((text) => message.text().includes(text))
    if (!isExpected) faults.push(`${page.url()}: ${message.text()}`)
  })
  page.on('request', (request) => {
    const { protocol, host, origin: target } = new URL(request.url())
    const own = [...Object.values(service.urls), ...elsewhere]
    const isShop = host.endsWith(`.${service.config.siteDomain}`)
    if (protocol.startsWith('http') && !isShop && !own.includes(target))
      faults.push(`outside: ${request.url()}`)
  })
}

/** Waits for a page's heading, and for its text once the data are loaded. */
export async function expectPage(page: Page, heading: string, content: string): Promise<void> {
  await page.getByRole('heading', { name: heading, level: 1 }).waitFor()
  await page.getByRole('main').getByText(content).and(page.locator(':visible')).first().waitFor()
}

/** Waits for an announcement in a live region. */
export async function expectStatus(page: Page, text: string): Promise<void> {
  await page.getByRole('status').getByText(text).waitFor()
}

/** Minified, it is loaded in half the time, and each page loads it. */
const axe = readFileSync(
  join(import.meta.dirname, '..', '..', 'node_modules', 'axe-core', 'axe.min.js'),
  'utf8',
)

const standards = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']

interface Scan {
  rules?: string[]
  /** Whether the whole menu is scanned, and not just what differs from page to page. */
  menu?: boolean
}

/** In the menu, the link to the page itself and those that count something differ; others are as everywhere. */
const sameEverywhere = '.nav li:not(:has([aria-current], .count))'

/**
 * What axe finds in a page, each with its place. Only in the page itself: the one frame of a page
 * shows a shop, which is checked on its own. Loading axe costs as much as half a scan, so it is
 * loaded once.
 */
export async function violationsIn(
  page: Page,
  { rules = standards, menu = false }: Scan = {},
): Promise<string[]> {
  if (!(await page.evaluate<boolean>("typeof axe === 'object'"))) await page.evaluate(axe)
  const context = { include: ['html'], exclude: menu ? [] : [sameEverywhere] }
  const options = {
    runOnly: rules,
    resultTypes: ['violations'],
    iframes: false,
    preload: false,
    // People who speak to the browser say what they see: a spoken name has to contain the visible one.
    rules: { 'label-content-name-mismatch': { enabled: true } },
  }
  return page.evaluate<
    string[]
  >(`axe.run(${JSON.stringify(context)}, ${JSON.stringify(options)}).then(({ violations }) =>
    violations.map(({ id, nodes }) =>
      id + ': ' + nodes.map(({ target, failureSummary }) => target + ': ' + failureSummary).join('; ')))`)
}

/** Fails with each violation and its place. Call it only after the content is shown. */
export async function expectAccessible(page: Page, scan?: Scan): Promise<void> {
  expect(await violationsIn(page, scan), page.url()).toEqual([])
}

/** Full check in one scheme, colours in both: nothing else differs between them. */
export async function expectAccessibleInBothSchemes(page: Page): Promise<void> {
  await expectAccessible(page)
  await page.emulateMedia({ colorScheme: 'dark' })
  await expectAccessible(page, { rules: ['color-contrast'] })
  await page.emulateMedia({ colorScheme: 'light' })
}

/** A page must not scroll horizontally. */
export async function expectFits(page: Page): Promise<void> {
  const width = () => page.evaluate<number>('document.documentElement.scrollWidth')
  await expect.poll(width, { message: page.url() }).toBeLessThanOrEqual(page.viewportSize()!.width)
}

export async function expectFitsPhone(page: Page): Promise<void> {
  await page.setViewportSize(phone)
  await expectFits(page)
  await page.setViewportSize(desktop)
}

/** Holds requests, so that a page's pending state can be tested. */
export async function holdRequests(
  page: Page,
  address: string,
  method: string,
): Promise<() => void> {
  let release = () => {}
  const gate = new Promise<void>((resolve) => (release = resolve))
  await page.route(address, async (route) => {
    if (route.request().method() === method) await gate
    await route.continue()
  })
  return release
}

/** Presses Tab until an element with this name has the focus. */
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

/** Opens a list of choices and takes one. */
export async function choose(field: Locator, name: string): Promise<void> {
  await field.click()
  await field.page().getByRole('option', { name, exact: true }).click()
}

/** Counts a person's actions: clicks, filled fields and pressed keys. */
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

/** A minimal picture. */
export const onePixel = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)
