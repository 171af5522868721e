import { readFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { type Browser, chromium } from 'playwright-core'
import { demoSubDomain } from '../../../src/demo/demo.ts'
import { templates } from '../../../src/domain/site/templates.ts'
import { ensureChromium } from '../../ensure_chromium.mjs'
import { median } from '../cpu.ts'
import { makeDataFolder } from '../data_folder.ts'
import { call } from '../load.ts'
import { openOnDesktop, openOnPhone } from './slow_phone.ts'
import { serviceFile, type Side, startSide } from '../sides.ts'
import { freePort } from '../../../test/kit/free_ports.ts'

/** How soon a page of a shop shows its largest part, and how much it moves after that. */
export interface PaintFigures {
  name: string
  /** Of the largest part, in milliseconds. */
  paint: number
  /** The same, less that of an empty page in the same run. */
  overEmpty: number
  shift: number
  requests: number
  kilobytes: number
}

interface Load {
  paint: number
  shift: number
  requests: number
  kilobytes: number
}

/** What the page itself notes of its painting. */
const observe = `(() => {
  window.painted = { paint: 0, shift: 0 }
  const follow = (type, note) =>
    new PerformanceObserver((list) => list.getEntries().forEach(note)).observe({ type, buffered: true })
  follow('largest-contentful-paint', ({ startTime }) => (window.painted.paint = startTime))
  follow('layout-shift', ({ value, hadRecentInput }) => {
    if (!hadRecentInput) window.painted.shift += value
  })
})()`

/** Loads an address as for a visitor's first time: nothing of it is kept. */
async function loadOnce(
  browser: Browser,
  address: string,
  open: (browser: Browser) => ReturnType<typeof openOnPhone>,
): Promise<Load> {
  const { context, page, session } = await open(browser)
  try {
    await page.addInitScript(observe)
    let [requests, bytes] = [0, 0]
    session.on('Network.loadingFinished', ({ encodedDataLength }) => {
      requests++
      bytes += encodedDataLength
    })
    await page.goto(address, { waitUntil: 'networkidle' })
    const { paint, shift } = await page.evaluate<{ paint: number; shift: number }>('painted')
    return { paint, shift, requests, kilobytes: bytes / 1024 }
  } finally {
    await context.close()
  }
}

/** A page with a sentence and nothing else: what the browser and the network take by themselves. */
function startEmptyPage(): Promise<Server> {
  const server = createServer((_, response) => {
    response.setHeader('Content-Type', 'text/html; charset=utf-8')
    response.end('<!doctype html><html lang="en"><title>Empty</title><h1>An empty page</h1></html>')
  })
  return new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(server)))
}

interface Demo {
  baseUrl: string
  apiKey: string
  workspaceId: string
}

const devices = { phone: (browser: Browser) => openOnPhone(browser), desktop: openOnDesktop }

/** Paints pages of the demo's shop in every template, in turns with an empty page. */
export async function benchPaint(repetitions: number): Promise<PaintFigures[]> {
  const dataDir = await makeDataFolder()
  const [port, sitePort] = [await freePort(), await freePort()]
  const empty = await startEmptyPage()
  const service = await startSide(port, [serviceFile], {
    PATH: process.env.PATH,
    DATA_DIR: dataDir,
    API_PORT: String(port),
    DASHBOARD_PORT: '0',
    ADMIN_PORT: '0',
    SITE_PORT: String(sitePort),
  })
  const args = process.getuid?.() === 0 ? ['--no-sandbox'] : []
  const browser = await chromium.launch({ executablePath: ensureChromium(), args })
  try {
    const demo = JSON.parse(readFileSync(join(dataDir, 'demo.json'), 'utf8')) as Demo
    const shop = `http://${demoSubDomain}.localhost:${sitePort}`
    const product = await firstProduct(sitePort)
    const control = `http://127.0.0.1:${(empty.address() as AddressInfo).port}/`
    const figures: PaintFigures[] = []
    for (const { key, theme } of templates) {
      await dress(demo, { templateKey: key, theme })
      const pages = { home: `${shop}/`, product: `${shop}${product}` }
      for (const [kind, address] of Object.entries(pages))
        for (const [device, open] of Object.entries(devices)) {
          const load = (at: string) => loadOnce(browser, at, open)
          const loads = await loadInTurns(load, { address, control, repetitions })
          figures.push({ name: `${key}, ${kind}, ${device}`, ...loads })
        }
    }
    return figures
  } finally {
    await browser.close()
    await stop(service, empty)
    await rm(dataDir, { recursive: true, force: true })
  }
}

interface Turns {
  address: string
  control: string
  repetitions: number
}

async function loadInTurns(
  load: (address: string) => Promise<Load>,
  { address, control, repetitions }: Turns,
): Promise<Omit<PaintFigures, 'name'>> {
  for (const each of [address, control]) await load(each)
  const loads: { own: Load; empty: Load }[] = []
  for (let repetition = 0; repetition < repetitions; repetition++)
    loads.push({ own: await load(address), empty: await load(control) })
  const of = (value: (load: (typeof loads)[number]) => number) => median(loads.map(value))
  return {
    paint: of(({ own }) => own.paint),
    overEmpty: of(({ own, empty }) => own.paint - empty.paint),
    shift: Math.max(...loads.map(({ own }) => own.shift)),
    requests: of(({ own }) => own.requests),
    kilobytes: of(({ own }) => own.kilobytes),
  }
}

async function stop(service: Side, empty: Server): Promise<void> {
  empty.close()
  await service.stop()
}

/** The first product with a picture, once files for phones are made of it. */
async function firstProduct(sitePort: number): Promise<string> {
  const host = `${demoSubDomain}.localhost:${sitePort}`
  const get = (path: string) =>
    call(`http://127.0.0.1:${sitePort}`, '', { method: 'GET', path, headers: { Host: host } })
  for (;;) {
    const { body: list } = await get('/products')
    const [, path] = /href="(\/p\/[^"]+)"/.exec(list) ?? []
    const [, picture] = /srcset="(\S+)/.exec(list) ?? []
    if (path !== undefined && picture !== undefined) {
      const { host: at, origin, pathname } = new URL(picture, `http://${host}`)
      const found = await (at === host
        ? get(pathname)
        : call(origin, '', { method: 'GET', path: pathname }))
      if (found.headers['content-type'] === 'image/webp') return path
    }
    await delay(200)
  }
}

async function dress({ baseUrl, apiKey, workspaceId }: Demo, website: object): Promise<void> {
  const put = async (path: string, body: object) => {
    const answer = await fetch(`${baseUrl}/v1/workspaces/${workspaceId}/${path}`, {
      method: 'PUT',
      headers: { Authorization: `Bearer ${apiKey}`, 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    })
    if (!answer.ok) throw new Error(await answer.text())
  }
  // The customized template is for owners who can be called.
  await put('workspace', { billingPhone: '+905551234567' })
  await put('website', website)
}
