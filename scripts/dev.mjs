// npm run dev: runs the service from source and restarts it after every change. The database and
// the pages' server keep running in between.
import { fork } from 'node:child_process'
import { copyFileSync, cpSync, existsSync, mkdirSync } from 'node:fs'
import { basename, join, relative } from 'node:path'
import { pathToFileURL } from 'node:url'
import { ensureDevelopment } from './ensure_dependencies.mjs'
import { ensureGenerated } from './ensure_generated.mjs'
import { runPackageScript } from './package_script.mjs'
import { documents, faces, startedFromFiles, table } from './service_files.mjs'
import { stopWithParent } from './stop_with_parent.mjs'

const root = join(import.meta.dirname, '..')
const target = join(root, 'dist', 'dev')

const watched = [
  'openapi.yaml',
  'CHANGELOG.md',
  '.github/guides',
  'codegen',
  'handlers',
  'src',
  'scripts/dev_service.ts',
]
/**
 * Excludes pages, which vite serves (except the stylesheet of script-free ones), and generated
 * files, which follow their sources.
 */
const isOfService = (path) => !/^src\/(generated|web\/(?!styles\/|guide\/))/.test(path)
/** What codegen reads, and codegen itself. */
const isOfCodegen = (path) =>
  /^(openapi\.yaml$|CHANGELOG\.md$|\.github\/guides\/|codegen\/|src\/(db\/migrations|web\/guide)\/)/.test(
    path,
  )

/** vite's server: compiles the pages' modules one by one and reloads the page after a change. */
async function startPages({ dashboardUrl, adminUrl }) {
  const { createServer } = await import('vite')
  const { compile, buildPages } = await import('./build_pages.mjs')
  // The shops serve their scripts themselves, as they were when this began.
  await buildPages()
  const server = await createServer({
    root: join(root, 'src', 'web'),
    configFile: false,
    publicDir: false,
    cacheDir: join(root, 'dist', 'vite'),
    logLevel: 'warn',
    appType: 'custom',
    oxc: compile,
    optimizeDeps: { entries: ['dashboard.tsx', 'admin.tsx'] },
    server: {
      host: '127.0.0.1',
      cors: { origin: [dashboardUrl, adminUrl] },
      fs: { allow: [root] },
    },
  })
  await server.listen()
  return server
}

/** PostgreSQL, shared by all restarts, unless the settings name a database. */
async function startDatabase({ databaseUrl, dataDir }) {
  if (databaseUrl) return { url: databaseUrl, stop: () => Promise.resolve() }
  const { startEmbeddedPostgres } = await import('../src/db/embedded.ts')
  return startEmbeddedPostgres({ dataDir })
}

/** esbuild caches its inputs, so that a change only costs the files it touches. */
async function createBundle() {
  const { context } = await import('esbuild')
  const bundle = await context({
    absWorkingDir: root,
    entryPoints: {
      service: 'scripts/dev_service.ts',
      ...startedFromFiles,
      plain: 'src/web/styles/plain.css',
    },
    outdir: target,
    bundle: true,
    packages: 'external',
    format: 'esm',
    platform: 'node',
    target: 'node20',
    sourcemap: true,
    sourcesContent: false,
    logLevel: 'warning',
    metafile: true,
  })
  mkdirSync(target, { recursive: true })
  for (const folder of [faces, table])
    cpSync(join(root, folder), join(target, basename(folder)), { recursive: true })
  return async () => {
    const { metafile } = await bundle.rebuild()
    for (const name of documents)
      copyFileSync(join(root, 'src', 'generated', name), join(target, name))
    return packagesOf(metafile)
  }
}

/** The packages that the service loads at its start. */
function packagesOf({ outputs }) {
  const { imports } = outputs[relative(root, join(target, 'service.js')).replaceAll('\\', '/')]
  const isLoaded = ({ path, kind }) => kind === 'import-statement' && !path.startsWith('node:')
  return [...new Set(imports.filter(isLoaded).map(({ path }) => path))]
}

/** A process that loads the packages and waits for `start`. */
function prepareService(env, packages) {
  const child = fork(join(root, 'scripts', 'dev_spare.mjs'), {
    env,
    execArgv: ['--enable-source-maps'],
  })
  const ended = new Promise((resolve) => child.once('exit', resolve))
  child.send({ packages })
  /** Resolves to the service's welcome message, or undefined if it exits first. */
  const start = () => {
    child.send({ bundle: pathToFileURL(join(target, 'service.js')).href })
    return Promise.race([
      new Promise((resolve) => child.once('message', resolve)),
      ended.then(() => undefined),
    ])
  }
  const stop = async () => {
    child.kill('SIGTERM')
    // A browser's open connection must not delay the reload.
    const impatience = setTimeout(() => child.kill('SIGKILL'), 1_000)
    await ended
    clearTimeout(impatience)
  }
  return { start, stop }
}

async function regenerate() {
  const { ok, output } = await runPackageScript('codegen:all')
  if (!ok) console.error(output)
  return ok
}

stopWithParent()
await ensureDevelopment()
await ensureGenerated()
process.chdir(root)
if (existsSync('.env')) process.loadEnvFile('.env')
const tsx = await import('tsx/esm/api')
tsx.register()
const { readConfig } = await import('../src/settings/config.ts')
const { warnOfUnknownSettings } = await import('../src/settings/unknown_settings.ts')
warnOfUnknownSettings(process.env)
const config = readConfig(process.env)
if (config.environment !== 'development') throw new Error('npm run dev is for development alone.')

let stopping = false
/** Cleanup functions, newest first. */
const stops = []

async function stop() {
  if (stopping) return
  stopping = true
  for (const end of stops) await end()
  process.exit(0)
}
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => void stop())

const database = await startDatabase(config)
stops.unshift(() => database.stop())
const pages = await startPages(config)
stops.unshift(() => pages.close())
const build = await createBundle()
const env = {
  ...process.env,
  DATABASE_URL: database.url,
  WEB_CONCURRENCY: '1',
  PAGES_URL: `http://127.0.0.1:${pages.httpServer.address().port}`,
}

let service
let spare
let welcomed = false
let changes = new Set()

/** Rebuilds and restarts the service; changes in the meantime are handled by the same run. */
async function reload() {
  while (changes.size > 0 && !stopping) {
    const [batch, startedAt] = [changes, performance.now()]
    changes = new Set()
    let packages
    try {
      if ([...batch].some(isOfCodegen) && !(await regenerate())) continue
      packages = await build()
    } catch (error) {
      // esbuild reports its own errors. The running service stays up.
      if (!error.errors) console.error(error)
      continue
    }
    await service?.stop()
    if (stopping) return
    service = spare ?? prepareService(env, packages)
    const welcome = await service.start()
    spare = prepareService(env, packages)
    if (welcome === undefined) console.error('The service has ended. Waiting for a change …')
    else if (welcomed) console.log(`Reloaded in ${Math.round(performance.now() - startedAt)} ms.`)
    else console.log(welcome)
    welcomed ||= welcome !== undefined
  }
}

let reloading = Promise.resolve()
stops.unshift(async () => {
  await reloading
  await Promise.all([service?.stop(), spare?.stop()])
})

function note(path) {
  if (!isOfService(path)) return
  // Debounce: one save is often several events, and a branch switch hundreds.
  if (changes.size === 0) setTimeout(() => (reloading = reloading.then(reload)), 30)
  changes.add(path)
}

pages.watcher.add(watched.map((path) => join(root, path)))
pages.watcher.on('all', (event, path) => {
  if (event === 'add' || event === 'change' || event === 'unlink') note(relative(root, path))
})
note('src')
