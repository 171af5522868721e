import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { diskMediaStore } from '../../src/adapters/media_store.ts'
import { type Demo, readDemo, seedDemo } from '../../src/demo/demo.ts'
import { readTools } from '../../src/core/contract_documents.ts'
import { startService, type TestService } from '../kit/service.ts'

const manifest = readTools()

const root = join(import.meta.dirname, '..', '..')

let service: TestService
let demo: Demo
beforeAll(async () => {
  service = await startService({ atOwnAddress: true })
  const { db, config } = service
  await seedDemo(db, config, diskMediaStore(join(config.dataDir, 'media')))
  demo = readDemo(config)!
})
afterAll(() => service.close())

/** Runs the script like npm, with this data folder. */
async function run(dataDir: string) {
  const script = join(root, 'scripts', 'connect_agent.ts')
  const child = spawn(process.execPath, ['--import', 'tsx', script, '--demo'], {
    cwd: root,
    env: { PATH: process.env.PATH, DATA_DIR: dataDir },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const ended = new Promise((resolve) => child.once('close', resolve))
  const [out, err, code] = await Promise.all([text(child.stdout), text(child.stderr), ended])
  return { lines: out.trimEnd().split('\n'), err, code }
}

describe('npm run agent -- --demo', () => {
  test('connects an agent to the demo and calls three tools, printing each step', async () => {
    const { lines, err, code } = await run(service.config.dataDir)
    expect([err, code]).toEqual(['', 0])
    const { baseUrl, dashboardUrl, workspaceId } = demo
    const steps = [
      `The agent calls ${baseUrl}/mcp.`,
      `It is refused without a token and pointed to ${baseUrl}.`,
      expect.stringMatching(/^It is registered as client_\w+\.$/),
      'It signs in as demo@example.com with the mailed code and allows everything.',
      'The browser returns with a code, which the agent exchanges.',
      expect.stringMatching(/^It has a token for \d+ scopes\.$/),
      expect.stringContaining(`It sees ${manifest.length} tools, `),
      `list_workspaces: Gül Kozmetik (${workspaceId})`,
      expect.stringContaining('list_products: 40 products, including '),
      expect.stringMatching(/^get_product: .+, SKU .+, \d+ in stock$/),
      `Done. To end the connection: DELETE ${dashboardUrl}/api/connections/{id}.`,
    ]
    expect(lines.map((line) => line.replace(/^\d+\. /, ''))).toEqual(steps)
  })

  test('says what to do if there is no demo', async () => {
    const { err, code } = await run(join(service.config.dataDir, 'nothing'))
    expect(err).toContain('demo.json does not exist. Run npm start first, with the same DATA_DIR.')
    expect(code).toBe(1)
  })
})
