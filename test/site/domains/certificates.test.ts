import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { request } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { components } from '../../../src/generated/types.ts'
import { freePorts } from '../../kit/free_ports.ts'
import { type NameServer, startNameServer } from '../../kit/peers/name_server.ts'
import { startService, type TestService } from '../../kit/service.ts'
import { givenOpenShop, type OpenShop } from '../window/shop_pages.ts'

type Domain = components['schemas']['Domain']

const isInstalled = spawnSync('caddy', ['version']).status === 0
const shipped = join(import.meta.dirname, '../../../scripts/operator/Caddyfile')

/** The file with its block for all names of shops, whose certificate comes from Caddy's own authority here. */
function withWildcard(text: string): string {
  const block = /(?<=^#\n)# \*\.shops\.example \{\n(?:#.*\n)+/m
  return text.replace(block, (lines) =>
    lines.replace(/^# ?/gm, '').replace(/dns .*/, 'issuer internal'),
  )
}

/** Caddy before the service, with the file that operators get and an authority of its own. */
async function startCaddy({ urls }: TestService, change = (text: string) => text) {
  const folder = mkdtempSync(join(tmpdir(), 'vitrine-caddy-'))
  const file = join(folder, 'Caddyfile')
  writeFileSync(file, change(readFileSync(shipped, 'utf8')))
  const [http, https] = await freePorts()
  const portOf = (url: string) => new URL(url).port
  const options = ['local_certs', 'skip_install_trust', 'admin off']
  const env = {
    PATH: process.env['PATH'],
    HOME: folder,
    XDG_DATA_HOME: folder,
    XDG_CONFIG_HOME: folder,
    CADDY_OPTIONS: [...options, `http_port ${http}`, `https_port ${https}`].join('\n'),
    API: 'api.vitrine.example',
    DASHBOARD: 'vitrine.example',
    ADMIN: 'admin.vitrine.example',
    API_PORT: portOf(urls.api),
    DASHBOARD_PORT: portOf(urls.dashboard),
    ADMIN_PORT: portOf(urls.admin),
    SITE_PORT: portOf(urls.site),
    CERTIFICATE_ASK_PORT: portOf(urls.ask),
  }
  const args = ['run', '--adapter', 'caddyfile', '--config', file]
  const caddy = spawn('caddy', args, { env, stdio: ['ignore', 'ignore', 'pipe'] })
  const lines = createInterface(caddy.stderr)
  await new Promise<void>((resolve, reject) => {
    lines.on('line', (line) => {
      if (line.includes('serving initial configuration')) resolve()
    })
    lines.once('close', () => reject(new Error('Caddy did not start.')))
  })
  const own = join(folder, 'caddy')

  /** The status of a host's page for a browser that trusts the authority. */
  function visit(host: string, path = '/'): Promise<number | 'no certificate'> {
    const ca = readFileSync(join(own, 'pki', 'authorities', 'local', 'root.crt'))
    return new Promise((resolve) => {
      const place = { host: '127.0.0.1', port: Number(https), servername: host, ca, agent: false }
      request({ ...place, path, headers: { host } }, (response) => {
        response.resume().once('end', () => resolve(response.statusCode ?? 0))
      })
        .once('error', () => resolve('no certificate'))
        .end()
    })
  }

  return {
    visit,
    /** The names of shops that it has a certificate for. */
    certified: () =>
      readdirSync(join(own, 'certificates', 'local')).filter(
        (name) => !name.endsWith('vitrine.example'),
      ),
    async close() {
      const ended = once(caddy, 'exit')
      caddy.kill()
      await ended
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

// Debian: apt-get install caddy.
describe.skipIf(!isInstalled)('Caddy with the Caddyfile of operators', () => {
  let names: NameServer
  let service: TestService
  let shop: OpenShop
  let caddy: Awaited<ReturnType<typeof startCaddy>>
  beforeAll(async () => {
    names = await startNameServer()
    const env = { DNS_SERVERS: names.address, SITE_DOMAIN: 'shops.example', TRUST_PROXY: '1' }
    service = await startService({ env })
    shop = await givenOpenShop(service)
    caddy = await startCaddy(service)
  })
  afterAll(async () => {
    await caddy.close()
    await service.close()
    await names.close()
  })

  async function givenDomain(name: string): Promise<Domain> {
    const { body } = await shop.api.post(shop.at('domains')).send({ name }).expect(200)
    const domain = body as Domain
    names.records.set(domain.recordName, [domain.recordValue])
    await shop.api.post(shop.at(`domains/${domain.id}/verify`)).expect(200)
    return domain
  }

  test('gets certificates for names and verified domains of shops, and for no other', async () => {
    const own = await givenDomain('www.rose-balm.example')
    const path = shop.at(`domains/${own.id}`)
    await shop.api.put(path).send({ isPrimary: true }).expect(200)
    const gone = await givenDomain('old.rose-balm.example')
    names.records.delete(gone.recordName)
    const pending = { name: 'new.rose-balm.example' }
    await shop.api.post(shop.at('domains')).send(pending).expect(200)
    const shopHost = `${shop.subDomain}.shops.example`

    expect(await caddy.visit(own.name)).toBe(200)
    expect(await caddy.visit(shopHost)).toBe(308)
    const unknown = Array.from({ length: 100 }, (_, index) =>
      index % 2 === 0 ? `shop-${index}.shops.example` : `shop-${index}.evil.example`,
    )
    for (const host of [gone.name, pending.name, 'shops.example', ...unknown])
      expect([host, await caddy.visit(host)]).toEqual([host, 'no certificate'])
    expect(caddy.certified().toSorted()).toEqual([shopHost, own.name].toSorted())
  })

  test('has one certificate for all names of shops where the operator wants that', async () => {
    const own = await startCaddy(service, withWildcard)
    try {
      for (const host of [`${shop.subDomain}.shops.example`, 'nobody.shops.example'])
        // Caddy gets this certificate beside serving, and not when a visitor comes.
        await expect.poll(() => own.visit(host, '/healthz')).toBe(200)
      for (const host of ['shops.example', 'www.evil.example'])
        expect([host, await own.visit(host)]).toEqual([host, 'no certificate'])
      expect(own.certified()).toEqual(['wildcard_.shops.example'])
    } finally {
      await own.close()
    }
  })

  test('leads to the other origins by their names', async () => {
    for (const host of ['api.vitrine.example', 'vitrine.example', 'admin.vitrine.example'])
      expect([host, await caddy.visit(host, '/healthz')]).toEqual([host, 200])
  })
})
