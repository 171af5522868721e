// npm run screenshots: takes the README's pictures of the main pages from a locally running demo.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { type Browser, type BrowserContextOptions, chromium } from 'playwright-core'
import sharp from 'sharp'
import { ensureChromium } from '../ensure_chromium.mjs'

interface Demo {
  dashboardUrl: string
  accountEmail: string
  workspaceId: string
}

const dataDir = process.env['DATA_DIR'] ?? '.data'
const demo = JSON.parse(readFileSync(join(dataDir, 'demo.json'), 'utf8')) as Demo
const outbox = join(dataDir, 'outbox')

const desktop = { width: 1280, height: 800 }
const phone = { width: 390, height: 800 }

/** Pages of the demo's workspace, and how to show them. */
const shots: [name: string, path: string, how: BrowserContextOptions][] = [
  ['products', 'products', { viewport: desktop, colorScheme: 'light' }],
  ['website', 'website', { viewport: desktop, colorScheme: 'dark' }],
  ['usage', 'usage', { viewport: desktop, colorScheme: 'light' }],
  ['phone', 'products', { viewport: phone, colorScheme: 'light' }],
]

/** The folder is created with the first mail. */
function listMails(): string[] {
  return existsSync(outbox) ? readdirSync(outbox).sort() : []
}

/** Waits for the next mail and returns its code. */
async function nextCode(before: number): Promise<string> {
  for (;;) {
    const mails = listMails()
    const last = mails.length > before ? mails.at(-1) : undefined
    const code = last && /\b\d{6}\b/.exec(readFileSync(join(outbox, last), 'utf8'))?.[0]
    if (code) return code
    await delay(100)
  }
}

async function signIn(browser: Browser) {
  const context = await browser.newContext({ locale: 'en-GB' })
  const page = await context.newPage()
  await page.goto(demo.dashboardUrl)
  const before = listMails().length
  await page.getByLabel('Email address').fill(demo.accountEmail)
  await page.keyboard.press('Enter')
  await page.getByLabel('Code').fill(await nextCode(before))
  await page.waitForURL('**/home')
  return context.storageState()
}

const args = process.getuid?.() === 0 ? ['--no-sandbox'] : []
const browser = await chromium.launch({ executablePath: ensureChromium(), args })
const storageState = await signIn(browser)
for (const [name, path, how] of shots) {
  const context = await browser.newContext({ ...how, storageState, locale: 'en-GB' })
  const page = await context.newPage()
  await page.goto(`${demo.dashboardUrl}/w/${demo.workspaceId}/${path}`)
  await page.waitForLoadState('networkidle')
  const file = join(import.meta.dirname, `${name}.webp`)
  await sharp(await page.screenshot())
    .webp({ quality: 82 })
    .toFile(file)
  console.log(file)
  await context.close()
}
await browser.close()
