import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { anImage, givenScene, type Scene } from '../../every_operation/fixtures.ts'
import { startService, type TestService } from '../../kit/service.ts'

const run = promisify(execFile)
const guides = join(import.meta.dirname, '../../../.github/guides')

let service: TestService
let scene: Scene
beforeAll(async () => {
  service = await startService({ atOwnAddress: true })
  scene = await givenScene(service)
})
afterAll(() => service.close())

const blocksOf = (guide: string) =>
  [...readFileSync(join(guides, guide), 'utf8').matchAll(/^```sh\n([^]*?)^```/gm)].map(
    ([, code = '']) => code,
  )

/** Runs what a reader copies; curl fails on a refusal, and every line must succeed. */
async function runBlock(code: string): Promise<string> {
  const folder = mkdtempSync(join(inject('scratchFolder'), 'guide-'))
  writeFileSync(join(folder, 'picture.png'), anImage())
  const prelude = 'set -euo pipefail\ncurl() { command curl -sS --fail-with-body "$@"; }\n'
  const { stdout } = await run('bash', ['-c', prelude + code], {
    cwd: folder,
    env: {
      PATH: process.env['PATH'],
      VITRINE_URL: service.urls.api,
      VITRINE_KEY: scene.key,
      WORKSPACE_ID: scene.workspace.id,
    },
  })
  return stdout
}

describe('the commands of the guide run as they stand', () => {
  test('in the quick start, which ends with a product that visitors read', async () => {
    const printed: string[] = []
    for (const block of blocksOf('quick_start.md')) printed.push(await runBlock(block))
    expect(printed).toHaveLength(5)
    expect(printed.at(-1)).toContain('Quick start balm')
  })

  test('in the page about retries, where two calls make one tag', async () => {
    const [block = ''] = blocksOf('retries.md')
    const ids = [...(await runBlock(block)).matchAll(/"id" ?: ?"([^"]+)"/g)].map(([, id]) => id)
    expect(ids).toHaveLength(2)
    expect(new Set(ids).size).toBe(1)
  })

  test('in the page about paging', async () => {
    for (const block of blocksOf('paging.md')) await runBlock(block)
  })

  test('in the page about uploads', async () => {
    const [files = '', url = ''] = blocksOf('uploads.md')
    expect(await runBlock(files)).toContain('picture.png')
    expect(await runBlock(url)).toContain('picture.png')
  })
})
