import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdtempSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import request from 'supertest'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { type Document, parseDocument } from 'yaml'
import { generate } from '../../codegen/generate.ts'
import { createDatabase, type TestDatabase } from '../kit/database.ts'
import { givenScene, type Scene } from '../every_operation/fixtures.ts'
import { startService, type TestService } from '../kit/service.ts'

const root = join(import.meta.dirname, '..', '..')

/** Serves the API of the copy it stands in, says at which port, and ends with its parent. */
const serving = `
import { handlers } from './handlers/index.ts'
import { createApp } from './src/app.ts'
import { readConfig } from './src/core/config.ts'
import { createLog } from './src/core/log.ts'
import { connect } from './src/db/connect.ts'

const config = { ...readConfig(process.env), secretKey: 'a secret of the tests, long enough' }
const mailer = { send: () => Promise.resolve(), close: () => Promise.resolve() }
const connection = connect(process.env.DATABASE_URL)
const app = await createApp({ config, connection, mailer, log: createLog('silent'), handlers })
app.api.server.listen(0, '127.0.0.1', () => process.send(app.api.server.address().port))
process.once('disconnect', () => process.exit())
`

/** The project again, with another contract and what is generated from it. */
interface Copy {
  folder: string
  url: string
  stop(): Promise<void>
}

/** Copies the project, changes its contract and nothing else, generates from it, and serves it. */
async function serveCopy(change: (contract: Document) => void): Promise<Copy> {
  const folder = mkdtempSync(join(inject('scratchFolder'), 'living-'))
  for (const name of ['handlers', 'src', 'package.json', 'tsconfig.json'])
    cpSync(join(root, name), join(folder, name), { recursive: true })
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
  writeFileSync(join(folder, 'serving.ts'), serving)

  const contract = parseDocument(readFileSync(join(root, 'openapi.yaml'), 'utf8'))
  change(contract)
  const contractFile = join(folder, 'openapi.yaml')
  writeFileSync(contractFile, contract.toString())
  const outDir = join(folder, 'src/generated')
  const { ok, lines } = await generate({ contractFile, outDir, mode: 'all' })
  if (!ok) throw new Error(lines.join('\n'))

  const child = spawn(process.execPath, ['--import', 'tsx', 'serving.ts'], {
    cwd: folder,
    env: { PATH: process.env['PATH'], DATA_DIR: folder, DATABASE_URL: database.url },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  const ended = once(child, 'exit')
  const failure = ended.then(() => Promise.reject(new Error('The copy did not start.')))
  const [port] = await Promise.race([once(child, 'message'), failure])
  failure.catch(() => undefined)
  const stop = async () => {
    child.disconnect()
    await ended
  }
  return { folder, url: `http://127.0.0.1:${port}`, stop }
}

const promptLimit = [
  'components',
  'schemas',
  'WorkspaceUpdate',
  'properties',
  'mainAgentPrompt',
  'maxLength',
]

let database: TestDatabase
let service: TestService
let scene: Scene
let without: Copy
let narrower: Copy
beforeAll(async () => {
  database = await createDatabase()
  service = await startService({ databaseUrl: database.url })
  scene = await givenScene(service)
  ;[without, narrower] = await Promise.all([
    serveCopy((contract) => contract.deleteIn(['paths', '/v1/templates'])),
    serveCopy((contract) => contract.setIn(promptLimit, 100)),
  ])
})
afterAll(async () => {
  await Promise.all([without.stop(), narrower.stop()])
  await service.close()
  await database.drop()
})

const generated = (folder: string, name: string) =>
  readFileSync(join(folder, 'src/generated', name), 'utf8')

describe('the contract', () => {
  test('takes an operation away with its route, its type and its tool', async () => {
    const { folder, url } = without
    for (const [name, mark] of [
      ['operations.ts', /^ {2}list_templates: \{/m],
      ['types.ts', /^ {4}list_templates: \{/m],
      ['tools.json', /"name": "list_templates"/],
      ['openapi.public.json', /"operationId": "list_templates"/],
    ] as const) {
      expect(generated(root, name)).toMatch(mark)
      expect(generated(folder, name)).not.toMatch(mark)
    }

    await service.api(scene.key).get('/v1/templates').expect(200)
    const headers = { Authorization: `Bearer ${scene.key}` }
    const { status, body } = await request(url).get('/v1/templates').set(headers)
    expect([status, body.code]).toEqual([404, 'not_found'])
    const { body: document } = await request(url).get('/v1/openapi.json')
    expect(Object.keys(document.paths)).not.toContain('/v1/templates')
    await request(url).get('/v1/workspaces').set(headers).expect(200)
  })

  test('moves a refusal with the one limit that is changed in it', async () => {
    const path = `/v1/workspaces/${scene.workspace.id}/workspace`
    const instruct = async (url: string, characters: number) => {
      const sent = request(url).put(path).set('Authorization', `Bearer ${scene.key}`)
      const { status, body } = await sent.send({ mainAgentPrompt: 'x'.repeat(characters) })
      return [status, body.fieldErrors]
    }
    const refusal = (limit: number) => [
      400,
      { mainAgentPrompt: `Must have at most ${limit} characters.` },
    ]
    expect(await instruct(service.urls.api, 20_000)).toEqual([200, undefined])
    expect(await instruct(service.urls.api, 20_001)).toEqual(refusal(20_000))
    expect(await instruct(narrower.url, 100)).toEqual([200, undefined])
    expect(await instruct(narrower.url, 101)).toEqual(refusal(100))
  })
})
