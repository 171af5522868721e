import { request as rawRequest } from 'node:http'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { components } from '../../../src/generated/types.ts'
import { givenProduct } from '../../kit/catalogue.ts'
import { type NameServer, startNameServer } from '../../kit/peers/name_server.ts'
import { startService, type TestService, unique } from '../../kit/service.ts'
import { givenOpenShop, type OpenShop, visitHost } from '../window/shop_pages.ts'

type Domain = components['schemas']['Domain']

let names: NameServer
let env: Record<string, string>
let service: TestService
let shop: OpenShop
beforeAll(async () => {
  names = await startNameServer()
  env = { DNS_SERVERS: names.address, SITE_DOMAIN: 'shops.example' }
  service = await startService({ env })
})
afterAll(async () => {
  await service.close()
  await names.close()
})
beforeEach(async () => {
  shop = await givenOpenShop(service)
  await givenProduct(shop, { name: 'Rose balm' })
})

async function givenDomain({ isPrimary = false } = {}): Promise<Domain> {
  const name = `${unique('www')}.example.org`
  const { body } = await shop.api.post(shop.at('domains')).send({ name }).expect(200)
  const domain = body as Domain
  names.records.set(domain.recordName, [domain.recordValue])
  await shop.api.post(shop.at(`domains/${domain.id}/verify`)).expect(200)
  if (isPrimary) await choose(domain, true)
  return domain
}

const choose = (domain: Domain, isPrimary: boolean) =>
  shop.api
    .put(shop.at(`domains/${domain.id}`))
    .send({ isPrimary })
    .expect(200)

const visit = (host: string, path = '/', headers: Record<string, string> = {}) =>
  visitHost(service, host, path, headers)

async function suspend(): Promise<void> {
  const staff = await service.givenStaff()
  const path = `/api/admin/workspaces/${shop.workspaceId}/status`
  await service.admin(staff).put(path).send({ status: 'SUSPENDED' }).expect(200)
}

describe('a domain of a shop', () => {
  test('leads nowhere until it is verified', async () => {
    const name = `${unique('www')}.example.org`
    await shop.api.post(shop.at('domains')).send({ name }).expect(200)
    const page = await visit(name)
    expect(page.status).toBe(404)
    expect(page.text).not.toContain(name)
  })

  test('leads to the subdomain until it is chosen', async () => {
    const { name } = await givenDomain()
    const { status, headers } = await visit(name, '/products?page=2')
    expect([status, headers['location']]).toEqual([308, `${shop.url}/products?page=2`])
    expect((await shop.visit('/')).status).toBe(200)
  })

  test('is the address of the shop once it is chosen, in its pages, too', async () => {
    const before = await shop.visit('/')
    expect(before.text).toContain(`<link rel="canonical" href="${shop.url}/">`)
    const domain = await givenDomain({ isPrimary: true })
    const second = await givenDomain()
    const page = await visit(domain.name)
    expect(page.status).toBe(200)
    expect(page.text).toContain('Rose balm')
    expect(page.text).toContain(`<link rel="canonical" href="http://${domain.name}/">`)
    expect(page.text).not.toContain('shops.example')
    for (const host of [`${shop.subDomain}.shops.example`, second.name]) {
      const { status, headers } = await visit(host, '/about')
      expect([status, headers['location']]).toEqual([308, `http://${domain.name}/about`])
    }
    const sitemap = await visit(domain.name, '/sitemap.xml')
    expect(sitemap.text).toContain(`<loc>http://${domain.name}/`)
    expect(sitemap.text).not.toContain('shops.example')
  })

  test('gives the subdomain back when it is no longer the address, or removed', async () => {
    const domain = await givenDomain({ isPrimary: true })
    await choose(domain, false)
    expect((await shop.visit('/')).text).toContain(`href="${shop.url}/"`)
    await choose(domain, true)
    await shop.api.delete(shop.at(`domains/${domain.id}`)).expect(200)
    expect((await visit(domain.name)).status).toBe(404)
    const page = await shop.visit('/')
    expect(page.status).toBe(200)
    expect(page.text).not.toContain(domain.name)
  })

  test('is only known exactly as it is stored', async () => {
    const { name } = await givenDomain({ isPrimary: true })
    const hosts = [
      name.toUpperCase(),
      `${name}.`,
      `${name}:80`,
      `a.${name}`,
      `${name}.evil.example`,
    ]
    for (const host of hosts) {
      const page = await visit(host, '/', { 'X-Forwarded-Host': name })
      expect([host, page.status]).toEqual([host, 404])
    }
  })

  test('takes forms of its own pages alone', async () => {
    const { name } = await givenDomain({ isPrimary: true })
    const send = (Origin: string) =>
      shop.send('/feedback', { message: 'Lovely' }, { Host: name, Origin })
    expect((await send(`http://${name}`)).status).toBeLessThan(400)
    expect((await send(shop.url)).status).toBe(403)
    expect((await send('https://evil.example')).status).toBe(403)
  })

  test('leaves the widget where pages of others load it from', async () => {
    await shop.design({ embedOrigins: ['https://news.example'] })
    const { name } = await givenDomain({ isPrimary: true })
    const before = `${shop.subDomain}.shops.example`
    const { status, text } = await visit(before, '/widget.js')
    expect([status, text.includes(`http://${name}`)]).toEqual([200, true])
    const path = `/v1/workspaces/${shop.workspaceId}/experience/bootstrap`
    const abroad = { Origin: 'https://news.example', 'X-Guest-Device-Id': 'device-0001' }
    expect((await visit(before, path, abroad)).status).toBe(200)
    expect((await visit(before, path)).status).toBe(401)
    // What a loaded widget asks next, of which a redirect to another origin would leave it nothing.
    const { slug } = await givenProduct(shop)
    for (const read of ['/assistant.json', `/widget/${slug}`]) {
      const state = await visit(before, read, { Origin: 'https://news.example' })
      const reader = state.headers['access-control-allow-origin']
      expect([read, state.status, reader]).toEqual([read, 200, 'https://news.example'])
    }
    const refused = await visit(before, '/assistant.json', { Origin: 'https://evil.example' })
    expect([refused.status, refused.body.code]).toEqual([403, 'origin_refused'])
  })

  test('brings guests to the experience operations, and agents to its endpoint', async () => {
    const { name } = await givenDomain({ isPrimary: true })
    const path = `/v1/workspaces/${shop.workspaceId}/experience/bootstrap`
    expect((await visit(name, path)).status).toBe(200)
    expect((await shop.visit(path)).status).toBe(401)
    const call = { jsonrpc: '2.0', id: 1, method: 'tools/list' }
    const asked = (host: string) =>
      fetchAt(`${service.urls.site}/mcp`, {
        method: 'POST',
        headers: {
          Host: host,
          'Content-Type': 'application/json',
          Accept: 'application/json, text/event-stream',
        },
        body: JSON.stringify(call),
      })
    expect((await asked(name)).status).toBe(200)
    expect((await asked(`${shop.subDomain}.shops.example`)).status).toBe(308)
  })

  test('waits for a person where it passes for a company, and takes nothing from the shop', async () => {
    const staff = await service.givenStaff()
    const name = `paypal-login.${unique('host')}.example`
    const { body: added } = await shop.api.post(shop.at('domains')).send({ name }).expect(200)
    expect(added.isNameApproved).toBe(false)
    names.records.set(added.recordName, [added.recordValue])
    const path = shop.at(`domains/${added.id}`)
    expect((await shop.api.post(`${path}/verify`).expect(200)).body.status).toBe('VERIFIED')
    expect([await ask(name), (await visit(name)).status]).toEqual([404, 404])
    const refused = await shop.api.put(path).send({ isPrimary: true }).expect(400)
    expect(refused.body.fieldErrors.isPrimary).toContain('We look at this name first')
    expect((await shop.visit('/')).status).toBe(200)

    const asked = await service.admin(staff).get('/api/admin/contact-requests').expect(200)
    expect(asked.body.contactRequests[0].message).toContain(name)
    const approval = `/api/admin/workspaces/${shop.workspaceId}`
    const before = await service.admin(staff).get(approval).expect(200)
    expect(before.body.workspace).toMatchObject({ isNameApproved: true, waitingDomains: [name] })
    const decide = (body: object) =>
      service.admin(staff).put(`${approval}/name`).send(body).expect(200)
    // The shop's own name is decided by itself, and a domain that was not looked at waits on.
    await decide({ isNameApproved: false })
    expect((await shop.visit('/')).status).toBe(403)
    await decide({ isNameApproved: true, domains: ['other.example'] })
    expect([await ask(name), (await shop.visit('/')).status]).toEqual([404, 200])
    const { body: decided } = await decide({ isNameApproved: true, domains: [name] })
    expect(decided.waitingDomains).toEqual([])
    const { body: audit } = await service
      .admin(staff)
      .get(`/api/admin/audit?search=${shop.workspaceId}`)
      .expect(200)
    expect(audit.entries[0]).toMatchObject({ before: { domains: null }, after: { domains: name } })
    expect(await ask(name)).toBe(200)
    expect((await choose(added, true)).body.isNameApproved).toBe(true)
    expect((await visit(name)).status).toBe(200)
  })

  test('shows nothing of a shop that is suspended', async () => {
    const { name } = await givenDomain({ isPrimary: true })
    await suspend()
    const page = await visit(name)
    expect(page.status).toBe(403)
    for (const secret of ['Rose balm', 'A workspace']) expect(page.text).not.toContain(secret)
  })
})

/** Node's own fetch does not let a program say which host it means. */
function fetchAt(
  url: string,
  {
    method = 'GET',
    headers = {},
    body = '',
  }: Partial<Record<'method' | 'body', string>> & {
    headers?: Record<string, string>
  },
): Promise<{ status: number }> {
  return new Promise((resolve, reject) => {
    rawRequest(url, { method, headers }, (response) => {
      response.resume().once('end', () => resolve({ status: response.statusCode ?? 0 }))
    })
      .once('error', reject)
      .end(body)
  })
}

async function ask(name: string, headers: Record<string, string> = {}): Promise<number> {
  const url = `${service.urls.ask}/ask?domain=${encodeURIComponent(name)}`
  return (await fetchAt(url, { headers })).status
}

describe('a proxy that asks for a certificate', () => {
  test('may have one for names of shops and verified domains', async () => {
    const { name } = await givenDomain()
    expect(await ask(`${shop.subDomain}.shops.example`)).toBe(200)
    expect(await ask(name)).toBe(200)
  })

  test('may have one for a name that is held for its shop', async () => {
    await shop.api
      .put(shop.at('workspace'))
      .send({ subDomain: unique('moved') })
      .expect(200)
    expect(await ask(`${shop.subDomain}.shops.example`)).toBe(200)
    service.advance(31 * 24 * 3600_000)
    expect(await ask(`${shop.subDomain}.shops.example`)).toBe(404)
  })

  test('may have none for any other name', async () => {
    const { name } = await givenDomain()
    const pending = `${unique('www')}.example.org`
    await shop.api.post(shop.at('domains')).send({ name: pending }).expect(200)
    const others = [
      '',
      pending,
      'shops.example',
      'example.org',
      'nobody.shops.example',
      `a.${shop.subDomain}.shops.example`,
      `*.shops.example`,
      `${shop.subDomain.toUpperCase()}.shops.example`,
      `${name}.`,
      `${name}:443`,
      ` ${name}`,
      `${name}\0`,
      'localhost',
      '127.0.0.1',
      "x' or 'a'='a",
      'a'.repeat(5000),
      ...Array.from({ length: 100 }, (_, index) => `shop-${index}.evil.example`),
    ]
    for (const other of others) expect([other, await ask(other)]).toEqual([other, 404])
  })

  test('may have none once the record has gone, or while nobody can say', async () => {
    const { name, recordName, recordValue, id } = await givenDomain({ isPrimary: true })
    const problem = async () =>
      ((await shop.api.get(shop.at(`domains/${id}`))).body as Domain).problem
    names.records.set(recordName, 'FAILS')
    expect([await ask(name), await problem()]).toEqual([404, 'NO_ANSWER'])
    names.records.delete(recordName)
    expect([await ask(name), await problem()]).toEqual([404, 'NO_RECORD'])
    // The shop stays where it is: only its next certificate is at stake.
    expect((await visit(name)).status).toBe(200)
    names.records.set(recordName, [recordValue])
    expect([await ask(name), await problem()]).toEqual([200, null])
  })

  test('may have twenty a day for the names of one shop', async () => {
    const limited = await startService({ env: { ...env, RATE_LIMIT_PER_MINUTE: '120' } })
    const { subDomain } = await givenOpenShop(limited)
    const url = `${limited.urls.ask}/ask?domain=${subDomain}.shops.example`
    const statuses: number[] = []
    for (let name = 0; name <= 20; name++) statuses.push((await fetchAt(url, {})).status)
    await limited.close()
    expect(statuses).toEqual([...Array.from({ length: 20 }, () => 200), 404])
  })

  test('may have none for a suspended shop', async () => {
    const { name } = await givenDomain()
    await suspend()
    expect(await ask(name)).toBe(404)
    expect(await ask(`${shop.subDomain}.shops.example`)).toBe(404)
  })

  test('may have none for a shop whose name waits for a person', async () => {
    const { name } = await givenDomain()
    await service.db
      .updateTable('sub_domains')
      .set({ is_approved: false })
      .where('name', '=', shop.subDomain)
      .execute()
    expect(await ask(name)).toBe(404)
    expect((await visit(name)).status).toBe(403)
  })

  test('is answered with one look for many who ask at once', async () => {
    const { name, recordName } = await givenDomain()
    const before = names.asked.filter((asked) => asked === recordName).length
    const statuses = await Promise.all(Array.from({ length: 20 }, () => ask(name)))
    expect(new Set(statuses)).toEqual(new Set([200]))
    const after = names.asked.filter((asked) => asked === recordName).length
    expect(after - before).toBeLessThan(20)
  })

  test('is on this machine, asks by itself and in one way', async () => {
    const { name } = await givenDomain()
    for (const header of ['X-Forwarded-For', 'X-Forwarded-Host', 'Forwarded', 'Via', 'X-Real-IP'])
      expect([header, await ask(name, { [header]: '127.0.0.1' })]).toEqual([header, 404])
    expect(await ask(name, { Host: 'evil.example' })).toBe(404)
    const { ask: at } = service.urls
    for (const path of ['/', '/ask', `/ask/?domain=${name}`, `/ask?domain=${name}&domain=${name}`])
      expect([path, (await fetchAt(`${at}${path}`, {})).status]).toEqual([path, 404])
    const post = await fetchAt(`${at}/ask?domain=${name}`, { method: 'POST' })
    expect(post.status).toBe(404)
  })

  test('finds no such path at the public origins', async () => {
    const { name } = await givenDomain({ isPrimary: true })
    const { api, dashboard, admin, site } = service.urls
    const path = `/ask?domain=${name}`
    for (const origin of [api, dashboard, admin, site])
      expect((await fetchAt(origin + path, {})).status).toBe(404)
    expect((await visit(name, path)).status).toBe(404)
  })
})
