import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { operations } from '../../src/generated/operations.ts'
import type { OperationId } from '../../src/operation.ts'
import { bearer, givenScene, type Scene, send, validCall } from '../every_operation/fixtures.ts'
import { mainWayTo } from '../every_operation/operations.ts'
import { editable, givenProduct, givenShop, type Product, type Shop } from '../kit/catalogue.ts'
import { freePorts } from '../kit/free_ports.ts'
import { startService, type TestService } from '../kit/service.ts'
import { givenCustomer, givenGuest } from '../kit/visitors.ts'

const shared = 'public, max-age=0, s-maxage=60'
const kept = 'public, max-age=86400, immutable'
const own = 'private, no-store'

let service: TestService
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service.close())

const reads = (Object.keys(operations) as OperationId[]).filter(
  (id) => operations[id].tag === 'storefront',
)

describe.each(reads)('%s', (id) => {
  let scene: Scene
  beforeEach(async () => {
    scene = await givenScene(service)
  })
  const read = async (headers: Record<string, string>) => {
    const call = await validCall(id, scene)
    return send(service, id, mainWayTo(id), { ...call, headers }, bearer(scene.key))
  }
  const close = (visibility: string) =>
    service
      .api(scene.key)
      .put(`/v1/workspaces/${scene.workspace.id}/website`)
      .send({ accessPolicy: { visibility } })
      .expect(200)

  test('may be shared if a guest of an open site reads it, with or without a token', async () => {
    for (const headers of [{}, givenGuest(scene).headers]) {
      const answer = await read(headers)
      expect(answer.headers['cache-control']).toBe(shared)
      expect(answer.headers.vary).toBe('Accept-Encoding, Origin')
    }
  })

  test('is nobody else’s if a customer reads it, or the site asks to sign in', async () => {
    const { headers } = await givenCustomer(scene)
    expect((await read(headers)).headers['cache-control']).toBe(own)
    await close('SIGN_IN')
    expect((await read(headers)).headers['cache-control']).toBe(own)
    const refused = await read({})
    expect([refused.status, refused.headers['cache-control']]).toEqual([401, 'no-store'])
  })
})

describe('the version of the catalogue', () => {
  let shop: Shop
  let product: Product
  beforeEach(async () => {
    shop = await givenShop(service)
    product = await givenProduct(shop)
  })
  const versionOf = async () => {
    const answer = await shop.api
      .get(shop.at('experience/bootstrap'))
      .set('X-Guest-Device-Id', 'device-0001')
    return answer.body.catalogueVersion as string
  }
  const controlOf = async (version: string, headers: Record<string, string> = {}) => {
    const answer = await shop.api
      .get(shop.at('experience/products'))
      .query({ version })
      .set(headers)
      .expect(200)
    return answer.headers['cache-control'] as string
  }

  test('lets what is read of it be kept for a day, while it is the current one', async () => {
    const version = await versionOf()
    expect(await controlOf(version)).toBe(kept)
    expect(await versionOf()).toBe(version)
    await shop.api
      .put(shop.at(`products/${product.id}`))
      .send({ ...editable(product), stock: 99 })
      .expect(200)
    expect(await controlOf(version)).toBe(shared)
    expect(await controlOf(await versionOf())).toBe(kept)
    expect(await controlOf('another')).toBe(shared)
  })

  test('never makes a customer’s read shared', async () => {
    const place = { service, workspace: { id: shop.workspaceId } }
    const { headers } = await givenCustomer(place)
    expect(await controlOf(await versionOf(), headers)).toBe(own)
  })

  test('moves when the site closes, opens, is suspended or is let go on', async () => {
    const versions = [await versionOf()]
    const policy = (visibility: string) =>
      shop.api.put(shop.at('website')).send({ accessPolicy: { visibility } }).expect(200)
    await policy('SIGN_IN')
    versions.push(await versionOf())
    await policy('PUBLIC')
    versions.push(await versionOf())
    const staff = await service.givenStaff()
    for (const status of ['SUSPENDED', 'ACTIVE'])
      await service
        .admin(staff)
        .put(`/api/admin/workspaces/${shop.workspaceId}/status`)
        .send({ status })
        .expect(200)
    versions.push(await versionOf())
    expect(new Set(versions).size).toBe(4)
  })

  test('moves when a search finds something else', async () => {
    const version = await versionOf()
    await shop.api
      .put(shop.at('synonyms'))
      .send({ groups: [{ words: ['balm', 'salve'] }] })
      .expect(200)
    expect(await versionOf()).not.toBe(version)
  })

  test('is refused where it cannot be one', async () => {
    for (const version of ['', 'v'.repeat(51)]) {
      const answer = await shop.api.get(shop.at('experience/products')).query({ version })
      expect([answer.status, Object.keys(answer.body.fieldErrors)]).toEqual([400, ['version']])
    }
  })
})

const nginx = ['nginx', '/usr/sbin/nginx', process.env['NGINX'] ?? ''].find(
  (program) => program !== '' && spawnSync(program, ['-v']).status === 0,
)

/** As an operator would put it before the service: nothing in it knows the shop. */
const settings = (folder: string, port: number, upstream: string) => `
daemon off;
master_process off;
pid ${folder}/pid;
error_log ${folder}/error.log;
events { worker_connections 128; }
http {
  access_log off;
  client_body_temp_path ${folder}/body;
  proxy_temp_path ${folder}/proxy;
  fastcgi_temp_path ${folder}/fastcgi;
  uwsgi_temp_path ${folder}/uwsgi;
  scgi_temp_path ${folder}/scgi;
  proxy_cache_path ${folder}/cache keys_zone=shop:1m;
  server {
    listen 127.0.0.1:${port};
    location / {
      proxy_pass ${upstream};
      proxy_http_version 1.1;
      proxy_cache shop;
      proxy_cache_lock on;
      proxy_cache_bypass $http_x_visitor_token;
      add_header X-Cache $upstream_cache_status;
    }
  }
}`

describe.runIf(nginx)('nginx before the service', () => {
  let folder: string
  let front: string
  let stop: () => Promise<void>
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'vitrine-nginx-'))
    mkdirSync(join(folder, 'cache'))
    const [port] = await freePorts()
    writeFileSync(join(folder, 'nginx.conf'), settings(folder, Number(port), service.urls.api))
    const child = spawn(nginx!, ['-p', folder, '-c', join(folder, 'nginx.conf')])
    const ended = once(child, 'exit')
    front = `http://127.0.0.1:${port}`
    stop = async () => {
      child.kill()
      await ended
      rmSync(folder, { recursive: true })
    }
  })
  afterAll(() => stop())

  /** How many of the reads reached the service. */
  async function reached(path: string, headers: Record<string, string>, times: number) {
    const counted = () => {
      const lines = service.logged().filter((line) => String(line['path']) === path)
      return lines.length
    }
    const before = counted()
    for (let batch = 0; batch < times / 20; batch++)
      await Promise.all(
        Array.from({ length: 20 }, async () => {
          const answer = await fetch(front + path, { headers })
          expect(answer.status).toBe(200)
          await answer.arrayBuffer()
        }),
      )
    return counted() - before
  }

  test('answers 1,000 reads of guests with at most 2 at the service, and no customer’s', async () => {
    const isUp = () =>
      fetch(front).then(
        ({ status }) => status,
        () => 0,
      )
    await expect.poll(isUp).toBe(200)
    const shop = await givenShop(service)
    await givenProduct(shop)
    const path = shop.at('experience/products')
    const authorization = { Authorization: `Bearer ${shop.key}` }
    expect(await reached(path, authorization, 1000)).toBeLessThanOrEqual(2)
    const customer = await givenCustomer({ service, workspace: { id: shop.workspaceId } })
    const asCustomer = { ...authorization, ...customer.headers }
    expect(await reached(path, asCustomer, 20)).toBe(20)
    const cached = await fetch(front + path, { headers: authorization })
    expect(cached.headers.get('x-cache')).toBe('HIT')
    expect(cached.headers.get('cache-control')).toBe(shared)
  })
})
