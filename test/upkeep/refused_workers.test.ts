import { execFileSync, spawn } from 'node:child_process'
import { copyFileSync, mkdtempSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import { expect, inject, onTestFinished, test } from 'vitest'
import { isRunning } from '../../src/db/processes.ts'
import { createDatabase } from '../kit/database.ts'
import { freePorts } from '../kit/free_ports.ts'

const root = join(import.meta.dirname, '..', '..')

const childrenOf = (pid: number) =>
  execFileSync('ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8' })
    .split('\n')
    .map((line) => line.trim().split(/\s+/).map(Number))
    .flatMap(([child, parent]) => (parent === pid && child ? [child] : []))
    .filter(isRunning)

/** The service in two processes, run by a Node that can be taken away. */
async function startProcesses() {
  execFileSync(process.execPath, [join(root, 'scripts', 'build.mjs')])
  const folder = mkdtempSync(join(inject('scratchFolder'), 'workers-'))
  const node = join(folder, 'node')
  copyFileSync(process.execPath, node)
  const database = await createDatabase()
  const [API_PORT, DASHBOARD_PORT, ADMIN_PORT, SITE_PORT] = await freePorts()
  const child = spawn(node, [join(root, 'dist', 'main.js')], {
    cwd: folder,
    env: {
      PATH: process.env.PATH,
      DATA_DIR: folder,
      DATABASE_URL: database.url,
      SEED_DEMO: 'false',
      WEB_CONCURRENCY: '2',
      API_PORT,
      DASHBOARD_PORT,
      ADMIN_PORT,
      SITE_PORT,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => (output += chunk.toString()))
  const ended = new Promise<number | string>((resolve) =>
    child.once('close', (code, signal) => resolve(code ?? signal ?? '')),
  )
  const end = () => {
    child.kill('SIGTERM')
    return ended
  }
  onTestFinished(async () => {
    await end()
    await database.drop()
  })
  await Promise.race([
    expect.poll(() => output).toContain('Vitrine is ready'),
    ended.then(() => Promise.reject(new Error(output))),
  ])
  return {
    pid: child.pid!,
    node,
    output: () => output,
    ready: async () => (await fetch(`http://127.0.0.1:${API_PORT}/readyz`)).status,
    end,
  }
}

test('a worker that the system refuses is tried again, and the others serve on', async () => {
  const { pid, node, output, ready, end } = await startProcesses()
  const [lost, other] = childrenOf(pid)
  renameSync(node, `${node}.away`)
  process.kill(lost!, 'SIGKILL')
  const refusals = () => output().match(/A worker could not be started\. It is tried again\./g)
  await expect.poll(() => refusals()?.length ?? 0).toBeGreaterThan(1)
  expect([childrenOf(pid), await ready()]).toEqual([[other], 200])
  renameSync(`${node}.away`, node)
  await expect.poll(() => childrenOf(pid)).toHaveLength(2)
  // Those that never lived are not waited for.
  expect(await end()).toBe(0)
})
