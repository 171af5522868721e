// npm start: everything a bare clone needs, then the service itself in this very process, so that
// Ctrl-C and signals reach it directly and no wrapper can die and leave it behind.
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ensureDependencies } from './ensure_dependencies.mjs'
import { runPackageScript } from './package_script.mjs'

const root = join(import.meta.dirname, '..')

/** Content rather than times: a clone gives every file the time of the clone. */
function hashOfContract() {
  const hash = createHash('sha256').update(readFileSync(join(root, 'openapi.yaml')))
  for (const folder of ['codegen', 'src/generated']) {
    for (const entry of readdirSync(join(root, folder), { withFileTypes: true })) {
      if (!entry.isFile()) continue
      hash.update(entry.name).update(readFileSync(join(root, folder, entry.name)))
    }
  }
  return hash.digest('hex')
}

/** Skipped while neither the contract nor what was generated from it has changed. */
async function generate() {
  const stamp = join(root, 'dist', 'contract.sha256')
  mkdirSync(join(root, 'src', 'generated'), { recursive: true })
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === hashOfContract()) return
  const { ok, output } = await runPackageScript('codegen')
  if (!ok) {
    console.error(output)
    process.exit(1)
  }
  mkdirSync(join(root, 'dist'), { recursive: true })
  writeFileSync(stamp, hashOfContract())
}

/** npm starts this through a shell, and that shell dies of SIGTERM without passing it on. */
function stopWithParent() {
  const parent = process.ppid
  const watch = setInterval(() => {
    if (process.ppid === parent) return
    clearInterval(watch)
    process.kill(process.pid, 'SIGTERM')
  }, 250)
  watch.unref()
}

if (process.env.npm_lifecycle_event !== undefined) stopWithParent()
await ensureDependencies()
await generate()
const { build } = await import('./build.mjs')
await build()
process.chdir(root)
if (existsSync('.env')) process.loadEnvFile('.env')
process.setSourceMapsEnabled(true)
await import('../dist/main.js')
