// npm run screenshots: takes the README's pictures of the demo's shop in every template.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { chromium } from 'playwright-core'
import sharp from 'sharp'
import { demoSubDomain } from '../../src/demo/demo.ts'
import { templates } from '../../src/domain/site/templates.ts'
import { readConfig } from '../../src/settings/config.ts'
import { ensureChromium } from '../ensure_chromium.mjs'

const { siteDomain, dataDir } = readConfig(process.env)
const demo = JSON.parse(readFileSync(join(dataDir, 'demo.json'), 'utf8')) as {
  baseUrl: string
  apiKey: string
  workspaceId: string
}
/** The README is in English. */
const inEnglish = { language: 'en' }
const shop = `http://${demoSubDomain}.${siteDomain}`

async function call(path: string, body?: object): Promise<Record<string, unknown>> {
  const answer = await fetch(`${demo.baseUrl}/v1/workspaces/${demo.workspaceId}/${path}`, {
    method: body ? 'PUT' : 'GET',
    headers: { Authorization: `Bearer ${demo.apiKey}`, 'Content-Type': 'application/json' },
    ...(body ? { body: JSON.stringify(body) } : {}),
  })
  if (!answer.ok) throw new Error(await answer.text())
  return (await answer.json()) as Record<string, unknown>
}

const { templateKey, theme, language, headline } = await call('website')
const { billingPhone } = await call('workspace')
// The customized template is for owners who can be called.
if (billingPhone === null) await call('workspace', { billingPhone: '+905551234567' })
const args = process.getuid?.() === 0 ? ['--no-sandbox'] : []
const browser = await chromium.launch({ executablePath: ensureChromium(), args })
const wide = await browser.newPage({ viewport: { width: 1280, height: 960 } })
const narrow = await browser.newPage({ viewport: { width: 390, height: 844 } })
try {
  for (const template of templates) {
    const own = { templateKey: template.key, theme: template.theme, ...inEnglish }
    await call('website', own)
    for (const [page, name, width] of [
      [wide, template.key, 900],
      [narrow, `${template.key}_phone`, 300],
    ] as const) {
      await page.goto(shop, { waitUntil: 'networkidle' })
      await sharp(await page.screenshot())
        .resize({ width })
        .webp({ quality: 80 })
        .toFile(join(import.meta.dirname, `shop_${name}.webp`))
    }
  }
} finally {
  await call('website', { templateKey, theme, language, headline })
  await browser.close()
}
