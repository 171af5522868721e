// npm run faces: writes src/adapters/faces, the library and models of face detection, from packages
// of 130 MB of which the service needs 3.5. With --check it only compares.
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { build } from 'esbuild'

const root = join(import.meta.dirname, '..')
const packages = join(root, 'node_modules')
const target = join(root, 'src', 'adapters', 'faces')

const models = ['blazeface', 'facemesh'].flatMap((name) => [`${name}.json`, `${name}.bin`])
const copied = {
  // Every processor that runs a supported Node has SIMD, and in Node the library uses no threads.
  'tfjs-backend-wasm-simd.wasm': '@tensorflow/tfjs-backend-wasm/wasm-out',
  ...Object.fromEntries(models.map((name) => [name, '@vladmandic/human/models'])),
}

/** The library with TensorFlow's, which it requires. */
async function bundleLibrary() {
  const { outputFiles } = await build({
    absWorkingDir: root,
    entryPoints: [join(packages, '@vladmandic', 'human', 'dist', 'human.node-wasm.js')],
    bundle: true,
    format: 'cjs',
    platform: 'node',
    target: 'node20',
    mainFields: ['module', 'main'],
    // Required only where there is no fetch.
    external: ['node-fetch'],
    minify: true,
    legalComments: 'eof',
    write: false,
    logLevel: 'error',
  })
  return Buffer.from(outputFiles[0].contents)
}

const notice = `# Face detection

Written by \`npm run faces\`; do not edit. human.cjs is @vladmandic/human (MIT) with TensorFlow.js
(Apache-2.0) bundled into it, the .wasm file is TensorFlow.js's, and the models are Google's BlazeFace and
Face Mesh (Apache-2.0), as @vladmandic/human distributes them. package-lock.json has the versions.
`

async function filesOfFaces() {
  const copies = Object.entries(copied).map(([name, folder]) => [
    name,
    readFileSync(join(packages, folder, name)),
  ])
  return new Map([
    ['README.md', Buffer.from(notice)],
    ['human.cjs', await bundleLibrary()],
    ...copies,
  ])
}

/** Names of the files that are not as the packages have them. */
export async function staleFaces() {
  const isStale = ([name, bytes]) =>
    !existsSync(join(target, name)) || !bytes.equals(readFileSync(join(target, name)))
  return [...(await filesOfFaces())].filter(isStale).map(([name]) => name)
}

if (process.argv[1] === import.meta.filename) {
  if (process.argv.includes('--check')) {
    const stale = await staleFaces()
    if (stale.length > 0) {
      console.error(`Stale in src/adapters/faces: ${stale.join(', ')}. Run npm run faces.`)
      process.exitCode = 1
    }
  } else {
    rmSync(target, { recursive: true, force: true })
    mkdirSync(target, { recursive: true })
    for (const [name, bytes] of await filesOfFaces()) writeFileSync(join(target, name), bytes)
  }
}
