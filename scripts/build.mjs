import { mkdirSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { build as bundle } from 'esbuild'

const root = join(import.meta.dirname, '..')

/** Bundles the service into dist/main.js; packages stay in node_modules. */
export async function build() {
  const { outputFiles } = await bundle({
    absWorkingDir: root,
    entryPoints: ['src/main.ts'],
    outfile: 'dist/main.js',
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    packages: 'external',
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
