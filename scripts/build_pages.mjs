import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, gzip } from 'node:zlib'
import { hashOf } from './freshness.mjs'

const root = join(import.meta.dirname, '..')
const target = join(root, 'dist', 'pages.json')

/** The entry file of each origin's pages; pages without a script only have a stylesheet. */
const entries = {
  dashboard: 'src/web/dashboard.tsx',
  admin: 'src/web/admin.tsx',
  plain: 'src/web/styles/plain.css',
  fonts: 'src/web/styles/fonts.css',
  scheme: 'src/web/shop/scheme.ts',
  shop: 'src/web/shop/shop.ts',
  chat: 'src/web/shop/chat.ts',
  widget: 'src/web/shop/widget.ts',
}

/** Compiler options for the pages' modules. By default they would follow NODE_ENV, which tests set. */
export const compile = {
  jsx: { runtime: 'automatic', importSource: 'preact', development: false },
}

const types = {
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  svg: 'image/svg+xml',
  woff2: 'font/woff2',
}

/**
 * Builds the pages into one file: every asset with its compressed forms, and the files each entry
 * loads. The file is renamed into place, so that services starting from the same folder see either
 * the old pages or the new ones. Skipped if no source has changed.
 */
export async function buildPages() {
  const hash = hashOfSources()
  if (isBuiltFrom(hash)) return
  // Large, so imported only if there is something to build.
  const { build } = await import('vite')
  const result = await build({
    root,
    configFile: false,
    publicDir: false,
    logLevel: 'warn',
    oxc: compile,
    build: {
      write: false,
      manifest: true,
      target: 'es2022',
      cssMinify: 'esbuild',
      // No inlined assets: the content security policy only allows our own URLs.
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
      // The widget is imported by its loader, and must keep what it exports.
      rolldownOptions: {
        input: entries,
        preserveEntrySignatures: 'exports-only',
        output: { codeSplitting: { groups: chunks() } },
      },
    },
  })
  const { output } = Array.isArray(result) ? result[0] : result
  const packed = output
    .filter(isAsset)
    .map(async (file) => [`/${file.fileName}`, { type: typeOf(file), bodies: await pack(file) }])
  const files = Object.fromEntries(await Promise.all(packed))
  const manifest = JSON.parse(
    bytesOf(output.find(({ fileName }) => fileName.endsWith('manifest.json'))).toString(),
  )
  const loads = Object.entries(entries).map(([name, path]) => [name, loadsOf(manifest, path)])
  mkdirSync(join(root, 'dist'), { recursive: true })
  const draft = `${target}.${process.pid}`
  const built = {
    entries: Object.fromEntries(loads),
    home: scriptsOfHome(manifest),
    texts: textsOf(manifest),
    files,
  }
  writeFileSync(draft, JSON.stringify({ sources: hash, ...built }))
  renameSync(draft, target)
}

/** Pages import texts and generated code, but not the generated documents. */
function hashOfSources() {
  return hashOf(
    ['src/web', 'src/texts', 'src/generated', 'package-lock.json', 'scripts/build_pages.mjs'],
    (path) => !path.startsWith('src/generated/') || path.endsWith('.ts'),
  )
}

/** The hash comes first in the file, so that it can be compared without parsing. */
const isBuiltFrom = (hash) =>
  existsSync(target) && readFileSync(target, 'utf8').startsWith(`{"sources":"${hash}"`)

/** Whether the built pages are up to date. */
export const hasPages = () => isBuiltFrom(hashOfSources())

const isAsset = ({ fileName }) => fileName.startsWith('assets/')

/**
 * Files of several modules. A module that an earlier one's modules import goes there, too: what each origin
 * starts with comes first, or it would be fetched with the parts of pages.
 */
function chunks() {
  // Each module is asked about for every name.
  const found = new Map()
  const nameOf = (id, modules) => {
    if (!found.has(id))
      found.set(
        id,
        chunkOf(id, (module) => modules.getModuleInfo(module)),
      )
    return found.get(id)
  }
  return ['start', 'frame', 'conversation', 'rows', 'lists', 'parts', 'forms'].map(
    (name, at, { length }) => ({
      debugName: name,
      name: (id, modules) => (nameOf(id, modules) === name ? name : null),
      priority: length - at,
    }),
  )
}

/**
 * Puts what several pages build on into one file. Each module by itself would be a request, and on a slow
 * network a page waited longer for two dozen of them than for what it loads in vain.
 */
function chunkOf(id, getModuleInfo) {
  // The dashboard draws answers, too; visitors of a shop must not fetch a further file because of that.
  if (/\/src\/web\/shop\/(conversation|drawing)\.ts$/.test(id)) return 'conversation'
  const users = reachedFrom(id, (module) => getModuleInfo(module).importers)
  const startsWith = (entry) => users.some((user) => user.endsWith(entries[entry]))
  if (startsWith('dashboard')) return startsWith('admin') ? 'start' : 'frame'
  const isOfPages = (module) => /\/src\/web\/(?!shop\/)/.test(module)
  const pages = [id, ...users].filter((user) => getModuleInfo(user).dynamicImporters.length > 0)
  if (!isOfPages(id) || pages.length < 2) return undefined
  // People begin at Home, which loads no more than it needs.
  const isOfHome = users.some((user) => user.endsWith('/dashboard/home/page.tsx'))
  if (startsWith('admin')) return isOfHome ? 'rows' : 'lists'
  // What needs a library that not every page needs stays with the pages that do.
  const needs = reachedFrom(id, (module) => getModuleInfo(module).importedIds)
  if (needs.some((need) => !isOfPages(need) && !isStarted(need, getModuleInfo))) return undefined
  return isOfHome ? 'parts' : 'forms'
}

const isStarted = (id, getModuleInfo) =>
  reachedFrom(id, (module) => getModuleInfo(module).importers).some((user) =>
    user.endsWith(entries.dashboard),
  )

/** All modules that one leads to. */
function reachedFrom(id, next) {
  const reached = new Set()
  const visit = (module) => {
    for (const other of next(module)) {
      if (reached.has(other)) continue
      reached.add(other)
      visit(other)
    }
  }
  visit(id)
  return [...reached]
}

const bytesOf = (file) => Buffer.from(file.type === 'chunk' ? file.code : file.source)

const typeOf = ({ fileName }) => types[fileName.split('.').at(-1)]

/** The file in each encoding, the best first. Fonts are compressed by their nature. */
async function pack(file) {
  const bytes = bytesOf(file)
  const identity = bytes.toString('base64')
  if (typeOf(file) === types.woff2) return { identity }
  // At the same time, on all cores.
  const [br, gzipped] = await Promise.all([
    promisify(brotliCompress)(bytes),
    promisify(gzip)(bytes, { level: 9 }),
  ])
  return { br: br.toString('base64'), gzip: gzipped.toString('base64'), identity }
}

/**
 * The scripts an entry needs before it can run, itself included, and its stylesheets. Styles of
 * imports come first, so that the entry's own rules can override them.
 */
function loadsOf(manifest, path) {
  const [scripts, styles] = [new Set(), new Set()]
  const visit = (key) => {
    const { file, imports = [], css = [] } = manifest[key]
    if (file.endsWith('.css')) return styles.add(`/${file}`)
    if (scripts.has(`/${file}`)) return
    scripts.add(`/${file}`)
    for (const next of imports) visit(next)
    for (const style of css) styles.add(`/${style}`)
  }
  visit(path)
  return { scripts: [...scripts], styles: [...styles] }
}

/** What Home, where people begin, needs beside what the dashboard starts with. */
function scriptsOfHome(manifest) {
  const started = loadsOf(manifest, entries.dashboard).scripts
  const { scripts } = loadsOf(manifest, 'src/web/dashboard/home/page.tsx')
  return scripts.filter((script) => !started.includes(script))
}

/** The script with the texts of each language. */
function textsOf(manifest) {
  const languageOf = (key) => /^src\/texts\/(\w+)\/pages\.json$/.exec(key)?.[1]
  return Object.fromEntries(
    Object.entries(manifest).flatMap(([key, { file }]) => {
      const language = languageOf(key)
      return language === undefined ? [] : [[language, `/${file}`]]
    }),
  )
}

if (process.argv[1] === import.meta.filename) await buildPages()
