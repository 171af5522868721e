import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { testClientFile } from '../../../scripts/test_clients.mjs'
import { anImage } from '../../every_operation/fixtures.ts'
import { givenShop, type Shop } from '../../kit/catalogue.ts'
import { startRelay } from '../../kit/peers/relay.ts'
import { startService, type TestService } from '../../kit/service.ts'
import { peopleAround } from './people_around.ts'

const run = promisify(execFile)
const hasPython = await run('python3', ['--version']).then(
  () => true,
  () => false,
)

let service: TestService
let shop: Shop
beforeAll(async () => {
  service = await startService({ atOwnAddress: true })
  shop = await givenShop(service)
})
afterAll(() => service.close())

describe('GET /v1/openapi-3.0.json', () => {
  test.runIf(hasPython)('is enough for a client in Python, whose answers fit it', async () => {
    const program = join(import.meta.dirname, 'older_client.py')
    const address = `${service.urls.api}/v1/openapi-3.0.json`
    const { stdout } = await run('python3', [program, address, shop.key, shop.workspaceId])
    const [slug, ...others] = JSON.parse(stdout) as string[]
    expect(slug).toMatch(/^rose-balm/)
    expect(others).toEqual(['4', 'Rose balm', 'True', 'not_found'])
  })
})

interface Summary {
  run: {
    stats: { requests: { total: number } }
    failures: { error: { message: string }; source: { name: string } }[]
  }
}

describe('GET /v1/postman.json', () => {
  test('runs in newman from its first call to its last, and each succeeds', async () => {
    const owner = await service.givenPerson({ workspaceLimit: 2 })
    const { key } = await service.givenKey(owner)
    const folder = mkdtempSync(join(inject('scratchFolder'), 'newman-'))
    const file = (name: string) => join(folder, name)
    writeFileSync(file('picture.png'), anImage())
    writeFileSync(file('products.csv'), 'name,brand,sku,barcode,stock\nSoap,Ana,S-1,S-1,3\n')
    const { body: collection, text } = await service.api().get('/v1/postman.json').expect(200)
    writeFileSync(file('postman.json'), text)
    const relay = await startRelay(service.urls.api, peopleAround(service, owner, key))
    const given = { baseUrl: relay.url, apiKey: key, customerCode: '000000' }
    const variables = Object.entries(given).flatMap((pair) => ['--env-var', pair.join('=')])
    const report = ['--reporters', 'json', '--reporter-json-export', 'report.json']
    const program = await testClientFile('newman', 'bin', 'newman.js')
    try {
      // It exits with 1 if a call has failed; the report says which.
      await run(process.execPath, [program, 'run', 'postman.json', ...variables, ...report], {
        cwd: folder,
      }).catch(() => undefined)
    } finally {
      await relay.close()
    }
    const { failures, stats } = (JSON.parse(readFileSync(file('report.json'), 'utf8')) as Summary)
      .run
    expect(failures.map(({ error, source }) => `${source.name}: ${error.message}`)).toEqual([])
    // cancel_change_set makes a set of its own.
    expect(stats.requests.total).toBe(leavesOf(collection.item).length + 1)
  })
})

const leavesOf = (items: { item?: [] }[]): unknown[] =>
  items.flatMap((each) => (each.item ? leavesOf(each.item) : [each]))
