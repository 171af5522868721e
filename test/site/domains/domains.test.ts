import { setImmediate } from 'node:timers/promises'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { components } from '../../../src/generated/types.ts'
import { givenShop, type Shop } from '../../kit/catalogue.ts'
import { createTxtLookup } from '../../../src/adapters/txt_records.ts'
import { newId } from '../../../src/core/ids.ts'
import { day } from '../../../src/core/time.ts'
import { sweepDomains } from '../../../src/domain/site/domains.ts'
import { type NameServer, startNameServer } from '../../kit/peers/name_server.ts'
import { all, tally } from '../../kit/races.ts'
import { failuresOf, whileRefused } from '../../upkeep/refused_rows.ts'
import { startService, type TestService, unique } from '../../kit/service.ts'

type Domain = components['schemas']['Domain']

let names: NameServer
let service: TestService
let shop: Shop
beforeAll(async () => {
  names = await startNameServer()
  const addresses = {
    SITE_DOMAIN: 'shops.example',
    BASE_URL: 'https://api.vitrine.example',
    DASHBOARD_URL: 'https://vitrine.example',
    ADMIN_URL: 'https://admin.vitrine-staff.com.tr',
  }
  service = await startService({ env: { DNS_SERVERS: names.address, ...addresses } })
})
afterAll(async () => {
  await service.close()
  await names.close()
})
beforeEach(async () => {
  shop = await givenShop(service)
})

const newName = () => `${unique('www')}.example.org`

async function add(to: Shop = shop, name = newName()): Promise<Domain> {
  return (await to.api.post(to.at('domains')).send({ name }).expect(200)).body as Domain
}

const verify = (domain: Domain, of: Shop = shop) =>
  of.api.post(of.at(`domains/${domain.id}/verify`))

const get = async (domain: Domain, of: Shop = shop) =>
  (await of.api.get(of.at(`domains/${domain.id}`)).expect(200)).body as Domain

/** Puts the record of each domain where it belongs, and nothing else. */
function publish(...domains: Domain[]): void {
  const { recordName } = domains[0]!
  names.records.set(
    recordName,
    domains.map(({ recordValue }) => recordValue),
  )
}

async function addVerified(to: Shop = shop): Promise<Domain> {
  const domain = await add(to)
  publish(domain)
  return (await verify(domain, to).expect(200)).body as Domain
}

describe('create_domain', () => {
  test('names the record that verifies the domain', async () => {
    const name = newName()
    const domain = await add(shop, name)
    expect(domain).toEqual({
      id: expect.stringMatching(/^dom_/) as string,
      name,
      status: 'PENDING',
      isPrimary: false,
      isNameApproved: true,
      recordName: `_vitrine.${name}`,
      recordValue: expect.stringMatching(/^vitrine-domain=[\w-]{22}$/) as string,
      problem: null,
      checkedAt: null,
      verifiedAt: null,
      createdAt: service.now().toISOString(),
    })
    const { body } = await shop.api.get(shop.at('domains')).expect(200)
    expect(body).toEqual({ isNameApproved: true, domains: [domain] })
  })

  test.each([
    ['WWW.Gül-Balm.Example.ORG.', 'www.xn--gl-balm-n2a.example.org'],
    ['bücher.example', 'xn--bcher-kva.example'],
    ['shop。example。org', 'shop.example.org'],
  ])('stores %s in its one form', async (given, name) => {
    expect((await add(shop, given)).name).toBe(name)
  })

  test.each([
    'localhost',
    'shop',
    'shop.local',
    'shop.internal',
    'printer.home.arpa',
    '127.0.0.1',
    '10.1.2.3',
    '0x7f.1',
    '2130706433.1',
    '[::1]',
    '1.2.3.400',
    '*.example.org',
    '_dmarc.example.org',
    'https://shop.example.org',
    'shop.example.org/path',
    'shop.example.org:8443',
    'user@shop.example.org',
    'shop..example.org',
    '-shop.example.org',
    'shop example.org',
    'shop%2eexample.org',
    `${'a'.repeat(64)}.example.org`,
    `${'übcdefghi.'.repeat(24)}org`,
  ])('refuses %s, which is no public host name', async (name) => {
    const answer = await shop.api.post(shop.at('domains')).send({ name })
    expect([answer.status, answer.body.fieldErrors?.name]).toEqual([
      400,
      expect.stringContaining('Give a public host name') as string,
    ])
  })

  test.each([
    'shops.example',
    'rose.shops.example',
    'a.b.shops.example',
    'api.vitrine.example',
    'vitrine.example',
    'login.vitrine.example',
    'admin.vitrine-staff.com.tr',
    'VITRINE.example.',
  ])('refuses %s, which is ours', async (name) => {
    const answer = await shop.api.post(shop.at('domains')).send({ name })
    expect([answer.status, answer.body.fieldErrors?.name]).toEqual([
      400,
      'This name belongs to the service. Give a domain of your own.',
    ])
  })

  test('takes five, also of eight at once, and each once', async () => {
    const answers = await all(8, () => shop.api.post(shop.at('domains')).send({ name: newName() }))
    expect(tally(answers)).toEqual({ 200: 5, '400 invalid_input': 3 })
    const other = await givenShop(service)
    const name = newName()
    const twins = await all(2, () => other.api.post(other.at('domains')).send({ name }))
    expect(tally(twins)).toEqual({ 200: 1, '409 duplicate': 1 })
  })

  test('lets several workspaces claim a name that none has verified', async () => {
    const [domain, other] = [await add(), await givenShop(service)]
    const claimed = await add(other, domain.name)
    expect(claimed.recordValue).not.toBe(domain.recordValue)
  })
})

describe('verify_domain', () => {
  test('finds the record', async () => {
    const domain = await add()
    publish(domain)
    service.advance(1000)
    const time = service.now().toISOString()
    const verified = { ...domain, status: 'VERIFIED', checkedAt: time, verifiedAt: time }
    expect((await verify(domain).expect(200)).body).toEqual(verified)
    expect(await get(domain)).toEqual(verified)
  })

  test('finds it among others, and in parts', async () => {
    const domain = await add()
    names.records.set(domain.recordName, ['v=spf1 -all', domain.recordValue, 'x'.repeat(700)])
    expect((await verify(domain)).body.status).toBe('VERIFIED')
  })

  test('says what is wrong, and verifies nothing', async () => {
    const domain = await add()
    const problem = async () => (await verify(domain).expect(200)).body as Domain
    expect(await problem()).toMatchObject({ status: 'PENDING', problem: 'NO_RECORD' })
    names.records.set(domain.recordName, ['vitrine-domain=another', `${domain.recordValue}x`])
    expect(await problem()).toMatchObject({ status: 'PENDING', problem: 'OTHER_VALUE' })
    names.records.set(domain.recordName, 'FAILS')
    expect(await problem()).toMatchObject({ status: 'PENDING', problem: 'NO_ANSWER' })
    // The record of the name itself says nothing.
    names.records.delete(domain.recordName)
    names.records.set(domain.name, [domain.recordValue])
    expect(await problem()).toMatchObject({ status: 'PENDING', problem: 'NO_RECORD' })
  })

  test('does not take a domain from a workspace whose record is still there', async () => {
    const domain = await addVerified()
    const other = await givenShop(service)
    const claimed = await add(other, domain.name)
    publish(domain, claimed)
    expect(tally([await verify(claimed, other)])).toEqual({ '409 duplicate': 1 })
    expect((await get(domain)).status).toBe('VERIFIED')
  })

  test('gives a domain that was sold to its new owner', async () => {
    const domain = await addVerified()
    await shop.api
      .put(shop.at(`domains/${domain.id}`))
      .send({ isPrimary: true })
      .expect(200)
    const other = await givenShop(service)
    const claimed = await add(other, domain.name)
    publish(claimed)
    // A name server that answers what stood there before would give it back to and fro.
    expect(tally([await verify(claimed, other)])).toEqual({ '409 duplicate': 1 })
    service.advance(day)
    expect((await verify(claimed, other).expect(200)).body.status).toBe('VERIFIED')
    expect(await get(domain)).toMatchObject({
      status: 'PENDING',
      isPrimary: false,
      problem: 'OTHER_VALUE',
    })
    const { subDomain } = (await shop.api.get(shop.at('workspace'))).body
    expect(await service.mailsTo(shop.person.email)).toMatchObject([
      {
        subject: `${domain.name} no longer leads to A workspace`,
        text: [
          `Another workspace has shown that ${domain.name} belongs to it, and the record of A workspace is no longer there. So ${domain.name} no longer opens the pages of the shop.`,
          `The shop is still open at ${subDomain}.shops.example.`,
          `If the domain is yours, publish the record again and verify it: https://vitrine.example/w/${shop.workspaceId}/website`,
        ].join('\n\n'),
      },
    ])
    expect(await service.mailsTo(other.person.email)).toEqual([])
  })

  test('gives a domain to one of many that ask at once', async () => {
    const name = newName()
    const shops = await Promise.all(Array.from({ length: 6 }, () => givenShop(service)))
    const domains = await Promise.all(shops.map((each) => add(each, name)))
    publish(...domains)
    const answers = await all(6, (index) => verify(domains[index]!, shops[index]))
    expect(tally(answers)).toEqual({ 200: 1, '409 duplicate': 5 })
    const found = service.db.selectFrom('site_domains').select('id').where('name', '=', name)
    expect(await found.where('verified_at', 'is not', null).execute()).toHaveLength(1)
  })

  test('keeps a domain verified whose record has gone, and says so', async () => {
    const domain = await addVerified()
    names.records.delete(domain.recordName)
    expect((await verify(domain)).body).toMatchObject({ status: 'VERIFIED', problem: 'NO_RECORD' })
  })
})

describe('the daily look at domains', () => {
  const sweep = () => {
    const lookUp = createTxtLookup([names.address])
    const { config } = service
    return sweepDomains(service.db, { lookUp, config, now: service.now() })
  }

  test('gives up one whose record is missing a day later, too', async () => {
    const [domain, other] = [await addVerified(), await addVerified()]
    await shop.api.put(shop.at(`domains/${domain.id}`)).send({ isPrimary: true })
    names.records.delete(domain.recordName)
    await sweep()
    expect(await get(domain)).toMatchObject({ status: 'VERIFIED', problem: null })
    service.advance(day + 1000)
    await sweep()
    expect(await get(domain)).toMatchObject({ isPrimary: true, problem: 'NO_RECORD' })
    await sweep()
    expect(await get(domain)).toMatchObject({ isPrimary: true, problem: 'NO_RECORD' })
    service.advance(day + 1000)
    await sweep()
    expect(await get(domain)).toMatchObject({ status: 'PENDING', isPrimary: false })
    expect(await get(other)).toMatchObject({ status: 'VERIFIED', problem: null })
  })

  test('mails the owners of one that is given up, once and in their language', async () => {
    const own = service.db.updateTable('accounts').where('email', '=', shop.person.email)
    await own.set({ language: 'tr' }).execute()
    const domain = await addVerified()
    names.records.delete(domain.recordName)
    for (let look = 0; look < 3; look++) {
      service.advance(day + 1000)
      await sweep()
    }
    const mails = await service.mailsTo(shop.person.email)
    expect(mails.map(({ subject }) => subject)).toEqual([
      `${domain.name} artık A workspace alanına gitmiyor`,
    ])
    expect(mails[0]!.text).toContain('iki gün üst üste bulunamadı')
  })

  test('goes on after one that cannot be noted, and looks at ten at a time', async () => {
    const rows = Array.from({ length: 12 }, (_, index) => ({
      id: newId('dom'),
      workspace_id: shop.workspaceId,
      name: newName(),
      token: 'token',
      created_at: service.now(),
      verified_at: service.now(),
      // The first one is due for longest.
      checked_at: new Date(service.now().getTime() - 30 * day + index),
    }))
    await service.db.insertInto('site_domains').values(rows).execute()
    let [looking, most] = [0, 0]
    const lookUp = async () => {
      most = Math.max(most, ++looking)
      await setImmediate()
      looking--
      return []
    }
    const { config, db } = service
    const look = () => sweepDomains(db, { lookUp, config, now: service.now() })
    const refused = { table: 'site_domains', rows: `new.id = '${rows[0]!.id}'` }
    await whileRefused(service, { ...refused, write: 'update' }, async () =>
      expect(await failuresOf(look)).toEqual(['This row is refused.']),
    )
    expect(most).toBe(10)
    const noted = await db
      .selectFrom('site_domains')
      .select('id')
      .where('workspace_id', '=', shop.workspaceId)
      .where('problem', '=', 'NO_RECORD')
      .execute()
    expect(new Set(noted.map(({ id }) => id))).toEqual(new Set(rows.slice(1).map(({ id }) => id)))
  })

  test('leaves one that nobody can say anything of', async () => {
    const domain = await addVerified()
    names.records.set(domain.recordName, 'FAILS')
    for (let look = 0; look < 3; look++) {
      service.advance(day + 1000)
      await sweep()
    }
    expect(await get(domain)).toMatchObject({ status: 'VERIFIED', problem: 'NO_ANSWER' })
  })
})

describe('update_domain', () => {
  const choose = (domain: Domain, isPrimary = true) =>
    shop.api.put(shop.at(`domains/${domain.id}`)).send({ isPrimary })

  test('makes one verified domain the address', async () => {
    const [first, second] = [await addVerified(), await addVerified()]
    expect((await choose(first).expect(200)).body.isPrimary).toBe(true)
    expect((await choose(second).expect(200)).body.isPrimary).toBe(true)
    expect((await get(first)).isPrimary).toBe(false)
    await choose(second, false).expect(200)
    expect((await get(second)).isPrimary).toBe(false)
  })

  test('chooses one of several that are chosen at once', async () => {
    const domains = [await addVerified(), await addVerified(), await addVerified()]
    const answers = await all(3, (index) => choose(domains[index]!))
    expect(tally(answers)).toEqual({ 200: 3 })
    const { body } = await shop.api.get(shop.at('domains'))
    expect((body.domains as Domain[]).filter(({ isPrimary }) => isPrimary)).toHaveLength(1)
  })

  test('refuses one that is not verified', async () => {
    const answer = await choose(await add())
    expect(answer.body.fieldErrors).toEqual({ isPrimary: 'Verify the domain first.' })
  })
})

describe('delete_domain', () => {
  test('frees the name for others, with another record', async () => {
    const domain = await addVerified()
    await shop.api.delete(shop.at(`domains/${domain.id}`)).expect(200)
    const other = await givenShop(service)
    const claimed = await add(other, domain.name)
    expect((await verify(claimed, other)).body.problem).toBe('OTHER_VALUE')
    publish(claimed)
    expect((await verify(claimed, other)).body.status).toBe('VERIFIED')
  })
})
