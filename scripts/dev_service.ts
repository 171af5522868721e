// The service as run by `npm run dev`: the database is already running, and the pages come from
// vite, with a less strict policy. None of this is in the bundle that `npm start` serves.
import { readFileSync } from 'node:fs'
import { readPageFiles, usePageFiles } from '../src/adapters/page_files.ts'
import { readConfig } from '../src/settings/config.ts'
import { createLog } from '../src/core/log.ts'
import { prepare, serve, welcome } from '../src/start.ts'

const { PAGES_URL: vite = '' } = process.env
const style = readFileSync(new URL('./plain.css', import.meta.url))

/**
 * vite needs modules and styles from its own origin, inline styles, and a WebSocket for changes.
 */
const policyFor = (baseUrl: string): string =>
  [
    "default-src 'none'",
    `script-src 'self' ${vite}`,
    `style-src 'self' 'unsafe-inline' ${vite}`,
    `font-src 'self' ${vite}`,
    `connect-src 'self' ${baseUrl} ${vite} ${vite.replace('http', 'ws')}`,
    `img-src 'self' ${baseUrl} ${vite} blob: data:`,
    "base-uri 'none'",
    "form-action 'self' http://*.localhost:*",
    'frame-src http://*.localhost:*',
    "frame-ancestors 'none'",
  ].join('; ')

const built = readPageFiles(new URL('../pages.json', import.meta.url))

usePageFiles({
  entries: {
    ...built.entries,
    dashboard: { scripts: [`${vite}/dashboard.tsx`], styles: [] },
    admin: { scripts: [`${vite}/admin.tsx`], styles: [] },
    plain: { scripts: [], styles: ['/plain.css'] },
  },
  files: new Map([
    ...built.files,
    ['/plain.css', { type: 'text/css', bodies: { identity: style } }],
  ]),
  policyFor,
})

const config = readConfig(process.env)
const log = createLog(config.logLevel)
const { config: ready } = await prepare(config, log)
const { stop } = await serve(ready, log)
const end = () => void stop().then(() => process.exit(0))
process.once('SIGTERM', end)
process.once('disconnect', end)
// Ctrl-C reaches the whole process group; the parent stops this process itself.
process.on('SIGINT', () => undefined)
process.send?.(welcome(ready))
