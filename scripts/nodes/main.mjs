// npm run test:nodes: tests on the later releases of Node that the service runs on, too. Without arguments
// the unit tests, the typed client and what is HTTP; with arguments, what vitest selects by them.
import { spawn, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'

const releases = ['22.23.3', '24.21.0']
const usual = [
  ['--project', 'unit'],
  ['--project', 'service', 'test/contract/clients/typed_client.test.ts', 'test/http'],
]

const root = join(import.meta.dirname, '..', '..')
const selected = process.argv.length > 2 ? [process.argv.slice(2)] : usual

/** The binary of a release, from the package that npm's registry has for this platform. */
function nodeOf(release) {
  const folder = join(root, 'node_modules', '.cache', 'nodes', release)
  const name = `node-${process.platform}-${process.arch}`
  const binary = join(folder, 'node_modules', name, 'bin', 'node')
  if (existsSync(binary)) return binary
  mkdirSync(folder, { recursive: true })
  const args = ['install', '--prefix', folder, '--no-save', '--no-audit', '--no-fund']
  const { status } = spawnSync('npm', [...args, `${name}@${release}`], { stdio: 'inherit' })
  if (status !== 0) throw new Error(`Node ${release} could not be installed.`)
  return binary
}

/** Child processes of the tests run on the same release. */
function run(binary, args) {
  const path = `${join(binary, '..')}:${process.env.PATH}`
  const child = spawn(
    binary,
    [join(root, 'node_modules', 'vitest', 'vitest.mjs'), 'run', ...args],
    {
      cwd: root,
      stdio: 'inherit',
      env: { ...process.env, PATH: path },
    },
  )
  return new Promise((resolve) => child.once('close', (code) => resolve(code ?? 1)))
}

for (const release of releases)
  for (const args of selected) {
    console.log(`Node ${release}: ${args.join(' ')}`)
    if ((await run(nodeOf(release), args)) !== 0) process.exitCode = 1
  }
