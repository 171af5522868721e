// npm run screenshots: takes the README's pictures of the main pages from a locally running demo.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { type Browser, type BrowserContextOptions, chromium } from 'playwright-core'
import sharp from 'sharp'
import { readConfig } from '../../src/settings/config.ts'
import { ensureChromium } from '../ensure_chromium.mjs'
import { visitShop } from './visitors.ts'

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

/** Pages of the demo's workspace, what is there once they are loaded, and how to show them. */
const shots: [name: string, path: string, content: string, how: BrowserContextOptions][] = [
  ['products', 'products', 'tbody img', { viewport: desktop, colorScheme: 'light' }],
  ['website', 'website', 'iframe', { viewport: desktop, colorScheme: 'dark' }],
  ['usage', 'usage', '.chart canvas', { viewport: desktop, colorScheme: 'light' }],
  ['phone', 'products', 'tbody img', { viewport: phone, colorScheme: 'light' }],
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
const { siteDomain } = readConfig(process.env)
if (siteDomain) await visitShop(siteDomain)
for (const [name, path, content, how] of shots) {
  const context = await browser.newContext({ ...how, storageState, locale: 'en-GB' })
  const page = await context.newPage()
  await page.goto(`${demo.dashboardUrl}/w/${demo.workspaceId}/${path}`)
  await page.locator(content).first().waitFor()
  // What a page frames, such as the preview of the shop, is part of the picture.
  for (const frame of page.frames()) await frame.waitForLoadState('networkidle')
  const file = join(import.meta.dirname, `${name}.webp`)
  await sharp(await page.screenshot())
    .webp({ quality: 82 })
    .toFile(file)
  console.log(file)
  await context.close()
}
await browser.close()
