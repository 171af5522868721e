import type {
  Browser,
  BrowserContext,
  BrowserContextOptions,
  CDPSession,
  Page,
} from 'playwright-core'

/** A phone of the middle, in a slow mobile network. */
const phone = {
  viewport: { width: 390, height: 844 },
  deviceScaleFactor: 3,
  isMobile: true,
  hasTouch: true,
}
const network = {
  offline: false,
  latency: 150,
  downloadThroughput: (1.6 * 1024 * 1024) / 8,
  uploadThroughput: (750 * 1024) / 8,
}
const slowerProcessor = 4

export const paintConditions = `390 × 844, processor ${slowerProcessor} × slower, 1.6 Mbit/s, 150 ms`

/** A new page on such a phone, which has nothing of any site. */
export async function openOnPhone(
  browser: Browser,
  options: BrowserContextOptions = {},
): Promise<{ context: BrowserContext; page: Page; session: CDPSession }> {
  const context = await browser.newContext({ ...phone, ...options })
  const page = await context.newPage()
  const session = await context.newCDPSession(page)
  await session.send('Network.enable')
  await session.send('Network.emulateNetworkConditions', network)
  await session.send('Emulation.setCPUThrottlingRate', { rate: slowerProcessor })
  return { context, page, session }
}

/** A new page on a computer, as fast as this machine is. */
export async function openOnDesktop(browser: Browser): ReturnType<typeof openOnPhone> {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } })
  const page = await context.newPage()
  const session = await context.newCDPSession(page)
  await session.send('Network.enable')
  return { context, page, session }
}
