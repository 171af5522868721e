import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { type Browser, chromium } from 'playwright-core'
import { ensureChromium } from '../../ensure_chromium.mjs'
import { median } from '../cpu.ts'
import { makeDataFolder } from '../data_folder.ts'
import { openOnPhone, paintConditions } from '../shops/slow_phone.ts'
import { startSide } from '../sides.ts'
import { freePort } from '../../../test/kit/free_ports.ts'

/*
 * Loads pages of the dashboard on a slow phone, with the demo's shop, and says how soon the largest part is
 * painted and all data are there, for how long the page cannot answer a touch at worst, and how long it takes to show what a touch
 * does. With the folder of another checkout, which lies built, both are measured in turns:
 * `npx tsx scripts/bench/dashboard/main.ts [<folder>] [--repetitions 7] [--only Home]`.
 */

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    repetitions: { type: 'string', default: '7' },
    only: { type: 'string', default: '' },
  },
})

/** The pages, by their paths in a workspace, and what is touched or typed into once they are there. */
const pages = {
  Home: { path: 'home', touched: 'h1' },
  Products: { path: 'products', touched: 'main input[type="search"]' },
  'product form': { path: 'products/new', touched: 'main input[name="name"]' },
  Usage: { path: 'usage', touched: 'main .chip:not([aria-pressed="true"])' },
} as const

interface Load {
  /** Of the largest part, in milliseconds. */
  paint: number
  /** Of the last change of the page's content: all of its data are there. */
  there: number
  /** The longest task while it loads: a touch at its beginning waits for so long. */
  longest: number
  /** From a touch to the next picture, once it is there. */
  answer: number
  shift: number
  kilobytes: number
}

/** What the page itself notes. */
const observe = `(() => {
  window.noted = { paint: 0, there: 0, longest: 0, answer: 0, shift: 0 }
  const follow = (type, note, more) =>
    new PerformanceObserver((list) => list.getEntries().forEach(note))
      .observe({ type, buffered: true, ...more })
  follow('largest-contentful-paint', ({ startTime }) => (window.noted.paint = startTime))
  new MutationObserver((changes) => {
    if (!window.isLoaded && changes.some(({ target }) => target.closest?.('main')))
      window.noted.there = performance.now()
  }).observe(document, { subtree: true, childList: true })
  follow('longtask', ({ duration }) => {
    if (!window.isLoaded) window.noted.longest = Math.max(window.noted.longest, duration)
  })
  follow('event', ({ duration, interactionId }) => {
    if (interactionId) window.noted.answer = Math.max(window.noted.answer, duration)
  }, { durationThreshold: 16 })
  follow('layout-shift', ({ value, hadRecentInput }) => {
    if (!hadRecentInput) window.noted.shift += value
  })
})()`

/** Nothing has changed for a second, and nothing is awaited. */
const isThere = `noted.there > 0 && performance.now() - noted.there > 1000 &&
  !document.querySelector('main .loading')`

interface Dashboard {
  name: string
  workspace: string
  cookie: { name: string; value: string; url: string }
  stop: () => Promise<void>
}

async function start(name: string, folder: string): Promise<Dashboard> {
  const dataDir = await makeDataFolder()
  const [port, dashboardPort] = [await freePort(), await freePort()]
  const service = await startSide(port, [join(folder, 'dist', 'main.js')], {
    PATH: process.env.PATH,
    DATA_DIR: dataDir,
    API_PORT: String(port),
    DASHBOARD_PORT: String(dashboardPort),
    ADMIN_PORT: '0',
    SITE_PORT: String(await freePort()),
  })
  const stop = async () => {
    await service.stop()
    await rm(dataDir, { recursive: true, force: true })
  }
  const demo = await readDemo(dataDir)
  const url = `http://localhost:${dashboardPort}`
  const cookie = await signIn(url, demo.accountEmail, join(dataDir, 'outbox'))
  return { name, workspace: `${url}/w/${demo.workspaceId}`, cookie: { ...cookie, url }, stop }
}

interface Demo {
  accountEmail: string
  workspaceId: string
}

/** The demo is made while the service answers already. */
async function readDemo(dataDir: string): Promise<Demo> {
  const file = join(dataDir, 'demo.json')
  while (!existsSync(file)) await delay(200)
  return JSON.parse(readFileSync(file, 'utf8')) as Demo
}

async function signIn(url: string, email: string, outbox: string) {
  const post = (path: string, body: object) =>
    fetch(`${url}${path}`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', Origin: url },
      body: JSON.stringify(body),
    })
  await post('/api/session/code', { email })
  let code: string | undefined
  while (code === undefined) {
    await delay(100)
    const [mail] = existsSync(outbox) ? readdirSync(outbox) : []
    code = mail && /\b\d{6}\b/.exec(readFileSync(join(outbox, mail), 'utf8'))?.[0]
  }
  const answer = await post('/api/session', { email, code })
  const [pair = ''] = (answer.headers.getSetCookie()[0] ?? '').split(';')
  const [name = '', value = ''] = pair.split('=')
  if (!answer.ok || name === '') throw new Error(await answer.text())
  return { name, value }
}

/** Loads a page as for the first time, and touches it once it is there. */
async function loadOnce(
  browser: Browser,
  { workspace, cookie }: Dashboard,
  { path, touched }: (typeof pages)[keyof typeof pages],
): Promise<Load> {
  const { context, page, session } = await openOnPhone(browser, { locale: 'en-GB' })
  try {
    await context.addCookies([cookie])
    await page.addInitScript(observe)
    let bytes = 0
    session.on('Network.loadingFinished', ({ encodedDataLength }) => (bytes += encodedDataLength))
    await page.goto(`${workspace}/${path}`)
    // A busy machine may compile scripts for longer than the network has to be idle.
    while (!(await page.evaluate<boolean>(isThere))) await delay(100)
    const loaded = bytes
    await page.evaluate('window.isLoaded = true')
    const place = page.locator(touched).first()
    await place.tap()
    await place.press('a')
    // Two frames, so that the picture after the key has been shown and noted.
    await page.evaluate('new Promise((done) => requestAnimationFrame(() => setTimeout(done, 200)))')
    const noted = await page.evaluate<Omit<Load, 'kilobytes'>>('noted')
    return { ...noted, kilobytes: loaded / 1024 }
  } finally {
    await context.close()
  }
}

const here = resolve(import.meta.dirname, '..', '..', '..')
const [other] = positionals
const sides: Dashboard[] = []
if (other !== undefined) sides.push(await start('before', resolve(other)))
sides.push(await start('now', here))
const args = process.getuid?.() === 0 ? ['--no-sandbox'] : []
const browser = await chromium.launch({ executablePath: ensureChromium(), args })
try {
  console.log(`Pages of the dashboard on a phone (${paintConditions}); medians, ms`)
  console.log(
    `${''.padEnd(22)}${['paint', 'there', 'longest task', 'touch', 'shift', 'kB'].map((title) => title.padStart(14)).join('')}`,
  )
  for (const [name, page] of Object.entries(pages)) {
    if (values.only !== '' && values.only !== name) continue
    const loads = new Map(sides.map((side) => [side, [] as Load[]]))
    for (const side of sides) await loadOnce(browser, side, page)
    for (let repetition = 0; repetition < Number(values.repetitions); repetition++)
      for (const side of repetition % 2 === 0 ? sides : sides.toReversed())
        loads.get(side)!.push(await loadOnce(browser, side, page))
    for (const [side, own] of loads) {
      const of = (value: (load: Load) => number) => median(own.map(value))
      const figures = [
        of(({ paint }) => paint).toFixed(0),
        of(({ there }) => there).toFixed(0),
        of(({ longest }) => longest).toFixed(0),
        of(({ answer }) => answer).toFixed(0),
        of(({ shift }) => shift).toFixed(3),
        of(({ kilobytes }) => kilobytes).toFixed(0),
      ]
      console.log(
        `${`${name}, ${side.name}`.padEnd(22)}${figures.map((figure) => figure.padStart(14)).join('')}`,
      )
    }
  }
} finally {
  await browser.close()
  for (const side of sides) await side.stop()
}
