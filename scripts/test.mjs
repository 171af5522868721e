// npm test: every check and every test, stopping at the first failure. With arguments, only the
// tests they select: npm test -- unit, npm test -- test/upkeep/upgrades/migrate.test.ts
// npm run test:watch: reruns tests as files change; takes the same arguments.
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { ensureChromium } from './ensure_chromium.mjs'
import { ensureDevelopment, ensureTestClients } from './ensure_dependencies.mjs'
import { ensureDocuments } from './ensure_generated.mjs'
import { runPackageScript } from './package_script.mjs'

const root = join(import.meta.dirname, '..')
const projects = ['unit', 'service']
const watches = process.argv[2] === '--watch'
const args = process.argv.slice(watches ? 3 : 2).flatMap(argumentsOf)

/** Selects a project by name; any other argument is passed to vitest. */
function argumentsOf(argument) {
  return projects.includes(argument) ? ['--project', argument] : [argument]
}

/** Tenths of seconds: whole ones are too coarse for the quick checks. */
const since = (startedAt) => `${((performance.now() - startedAt) / 1000).toFixed(1)} s`

const checks = [
  { title: 'format', script: 'format:check' },
  { title: 'lint', script: 'lint' },
  { title: 'types', script: 'types' },
  { title: 'unit tests', script: 'test:unit' },
  { title: 'public document', script: 'lint:document' },
  { title: 'floors', script: 'floors' },
  { title: 'generated files are fresh', script: 'codegen', suffix: ' --check' },
  { title: 'src/adapters/faces is fresh', script: 'faces', suffix: ' --check' },
  { title: '.env.example is fresh', script: 'settings', suffix: ' --check' },
]

/** Runs two at a time, longest first; starts no more after a failure. Resolves to whether all passed. */
async function runChecks() {
  const queue = [...checks]
  const failed = []
  const runNext = async () => {
    while (queue.length > 0 && failed.length === 0) {
      const { title, script, suffix } = queue.shift()
      const startedAt = performance.now()
      const { ok, output } = await runPackageScript(script, suffix)
      console.log(`${title} ${ok ? 'ok' : 'FAILED'} (${since(startedAt)})`)
      if (ok) continue
      console.log(output)
      failed.push(title)
    }
  }
  await Promise.all([runNext(), runNext()])
  return failed.length === 0
}

function runVitest(args) {
  const entry = join(root, 'node_modules', 'vitest', 'vitest.mjs')
  const child = spawn(process.execPath, [entry, ...args], { cwd: root, stdio: 'inherit' })
  // Ctrl-C also reaches vitest, which stops its database; wait for that.
  process.on('SIGINT', () => undefined)
  for (const signal of ['SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal))
  return new Promise((resolve) => child.once('close', (code) => resolve(code ?? 1)))
}

const everything = args.length === 0 && !watches
// Installed beside the other packages and the checks. A selected test installs them itself if it needs them.
const clients = everything && ensureTestClients()
await ensureDevelopment()
if (everything) {
  // Before the checks, two of which would build them at the same time.
  await ensureDocuments()
  const passed = await runChecks()
  // npm must not be left alone with half an installation.
  await clients
  if (!passed) process.exit(1)
  ensureChromium()
}
const startedAt = performance.now()
const selected = everything ? ['--project', 'service'] : args
const code = await runVitest([watches ? 'watch' : 'run', ...selected])
if (!watches) console.log(`tests ${code === 0 ? 'ok' : 'FAILED'} (${since(startedAt)})`)
process.exitCode = code
