// Programs and libraries of others, which the tests run against the service. They have a lock file of
// their own, so that nobody installs them who only wants to start the service.
// node scripts/test_clients.mjs <program> <arguments>: runs one of them.
import { spawn } from 'node:child_process'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { ensureTestClients } from './ensure_dependencies.mjs'

const folder = join(import.meta.dirname, '..', 'test', 'clients')

/** The path of a file among the clients' packages, which are installed first if they are not. */
export async function testClientFile(...path) {
  await ensureTestClients()
  return join(folder, 'node_modules', ...path)
}

/**
 * A client that is a library. Its types are not those of its package, which is not installed where
 * the compiler runs: the caller states what it uses.
 * @returns {Promise<any>}
 */
export async function importTestClient(name) {
  await ensureTestClients()
  const file = createRequire(join(folder, 'package.json')).resolve(name)
  return import(pathToFileURL(file).href)
}

if (process.argv[1] === import.meta.filename) {
  const [name, ...args] = process.argv.slice(2)
  const program = await testClientFile('.bin', name)
  const child = spawn(program, args, { stdio: 'inherit', shell: process.platform === 'win32' })
  child.once('close', (code) => (process.exitCode = code ?? 1))
}
