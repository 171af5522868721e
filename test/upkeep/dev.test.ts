import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, cpSync, mkdtempSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect, inject, test } from 'vitest'
import { anImage } from '../every_operation/fixtures.ts'
import { createDatabase } from '../kit/database.ts'
import { freePorts } from '../kit/free_ports.ts'

const root = join(import.meta.dirname, '..', '..')
const cleanups: (() => unknown)[] = []
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup()
})

/** A copy to change files in, as a fresh clone has them: with nothing built. */
function copyProject(): string {
  const folder = mkdtempSync(join(inject('scratchFolder'), 'dev-'))
  chmodSync(folder, 0o711)
  const names = ['codegen', 'handlers', 'scripts', 'src', '.github/guides', 'openapi.yaml']
  const others = ['package.json', 'package-lock.json', 'tsconfig.json', 'CHANGELOG.md']
  for (const name of [...names, ...others])
    cpSync(join(root, name), join(folder, name), { recursive: true })
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
  return folder
}

test(
  'npm run dev serves a fresh clone, takes a picture and reloads after a change',
  { timeout: 600_000 },
  async () => {
    const [folder, database] = [copyProject(), await createDatabase()]
    cleanups.push(() => database.drop())
    const [API_PORT, DASHBOARD_PORT, ADMIN_PORT, SITE_PORT] = await freePorts()
    const ports = { API_PORT, DASHBOARD_PORT, ADMIN_PORT, SITE_PORT }
    const child = spawn(process.execPath, ['scripts/dev.mjs'], {
      cwd: folder,
      env: { PATH: process.env['PATH'], DATABASE_URL: database.url, DATA_DIR: folder, ...ports },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    const ended = once(child, 'close')
    cleanups.push(() => {
      child.kill('SIGTERM')
      return ended
    })
    let output = ''
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk: Buffer) => (output += chunk.toString()))
    // It builds everything first.
    await expect.poll(() => output, { timeout: 300_000 }).toContain('Vitrine is ready')

    const { apiKey, workspaceId } = JSON.parse(readFileSync(join(folder, 'demo.json'), 'utf8')) as {
      apiKey: string
      workspaceId: string
    }
    const workspace = `http://127.0.0.1:${API_PORT}/v1/workspaces/${workspaceId}`
    const headers = { Authorization: `Bearer ${apiKey}` }
    const body = new FormData()
    body.append('files', new File([new Uint8Array(anImage())], 'dot.png', { type: 'image/png' }))
    const uploaded = await fetch(`${workspace}/media/upload`, { method: 'POST', headers, body })
    expect(await uploaded.json()).toMatchObject({ media: [{ fileName: 'dot.png' }] })

    const texts = join(folder, 'src', 'texts', 'en', 'service.json')
    const changed = readFileSync(texts, 'utf8').replace(
      'There is no such product.',
      'No such thing.',
    )
    writeFileSync(texts, changed)
    const refusal = async () => {
      const response = await fetch(`${workspace}/products/prod_unknown`, { headers })
      return ((await response.json()) as { message: string }).message
    }
    // While it restarts, nobody listens.
    await expect.poll(() => refusal().catch(() => 'restarting')).toBe('No such thing.')
    await expect.poll(() => output).toContain('Reloaded in')
  },
)
