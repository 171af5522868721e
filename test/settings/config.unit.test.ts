import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, expect, expectTypeOf, test } from 'vitest'
import { type Config, readConfig } from '../../src/settings/config.ts'
import { everySetting } from '../../src/settings/settings.ts'
import { problemsOf, production } from './problems.ts'

describe('settings that are left out', () => {
  test('give a development service on ports 3000 to 3003', () => {
    expect(readConfig({})).toEqual({
      environment: 'development',
      apiPort: 3000,
      dashboardPort: 3001,
      adminPort: 3002,
      sitePort: 3003,
      baseUrl: 'http://localhost:3000',
      dashboardUrl: 'http://localhost:3001',
      adminUrl: 'http://localhost:3002',
      siteDomain: 'localhost:3003',
      dataDir: resolve('.data'),
      databaseUrl: undefined,
      databasePoolSize: 12,
      secretKey: undefined,
      smtpUrl: undefined,
      mailFrom: 'Vitrine <no-reply@localhost>',
      oidc: undefined,
      adminEmails: ['admin@example.com'],
      metricsToken: undefined,
      stripe: undefined,
      reservationSeconds: 300,
      starterCredits: 0,
      rateLimitPerMinute: 120,
      customerSessionDays: 365,
      conversationDays: 90,
      usageEventMonths: 14,
      drainSeconds: 0,
      maxConnections: 8000,
      maxConnectionsPerAddress: 1000,
      receiveSeconds: 60,
      sendSeconds: 60,
      pictureSeconds: 20,
      refreshGraceSeconds: 0,
      clientMetadataDocuments: true,
      nativeCallbacks: [],
      dnsServers: [],
      webConcurrency: 1,
      webhookLoopback: false,
      trustProxy: '0',
      logLevel: 'info',
      seedDemo: true,
    })
  })

  test('include empty ones, as in a copied file', () => {
    const empty = Object.fromEntries(everySetting.map(({ name }) => [name, '']))
    expect(readConfig(empty)).toEqual(readConfig({}))
  })

  test('of other programs are ignored', () => {
    expect(readConfig({ PORT: '1', NODE_ENV: 'production', PATH: '/bin' })).toEqual(readConfig({}))
  })
})

describe('settings that are given', () => {
  test('are parsed to their types', () => {
    const config = readConfig({
      API_PORT: '8080',
      RATE_LIMIT_PER_MINUTE: '600',
      WEB_CONCURRENCY: '4',
      SEED_DEMO: 'false',
      LOG_LEVEL: 'warn',
      TRUST_PROXY: '10.0.0.0/8, loopback',
      DATA_DIR: 'some/where',
      DATABASE_URL: 'postgresql://h/d',
      OIDC_ISSUER: 'https://id.example',
      OIDC_CLIENT_ID: 'a',
      OIDC_CLIENT_SECRET: 'b',
    })
    expect(config).toMatchObject({
      apiPort: 8080,
      rateLimitPerMinute: 600,
      webConcurrency: 4,
      seedDemo: false,
      logLevel: 'warn',
      trustProxy: '10.0.0.0/8, loopback',
      dataDir: resolve('some/where'),
      databaseUrl: 'postgresql://h/d',
      baseUrl: 'http://localhost:8080',
      oidc: { issuer: 'https://id.example', clientId: 'a', clientSecret: 'b' },
    })
  })

  test.each([
    ['https://Shop.Example', 'https://shop.example'],
    ['https://shop.example/', 'https://shop.example'],
    ['https://shop.example:443', 'https://shop.example'],
    ['http://shop.example:80/', 'http://shop.example'],
    ['http://localhost:3001/', 'http://localhost:3001'],
    ['https://bücher.example', 'https://xn--bcher-kva.example'],
  ])('normalise an origin like browsers: %s', (url, origin) => {
    const { baseUrl, dashboardUrl, adminUrl } = readConfig({
      BASE_URL: url,
      DASHBOARD_URL: url,
      ADMIN_URL: url,
    })
    expect([baseUrl, dashboardUrl, adminUrl]).toEqual([origin, origin, origin])
  })

  test('name callbacks of native agents one by one', () => {
    const [cursor, other] = ['cursor://anysphere.cursor-mcp/oauth/callback', 'com.example.app://cb']
    const { nativeCallbacks } = readConfig({ NATIVE_CALLBACKS: ` ${cursor},${other} ,` })
    expect(nativeCallbacks).toEqual([cursor, other])
  })

  test.each([
    ['https://a.example/cb', "has the scheme https, no agent's own"],
    ['http://127.0.0.1/cb', "has the scheme http, no agent's own"],
    ['javascript://a/%0aalert(1)', "has the scheme javascript, no agent's own"],
    ['DATA://text/html', "has the scheme data, no agent's own"],
    ['file:///etc/passwd', 'is not a URL'],
    ['javascript:alert(1)', 'is not a URL'],
    ['cursor://*/callback', 'has a wildcard'],
    ['cursor://user@agent/callback', 'has a user name'],
    ['cursor://agent/callback#part', 'has a fragment'],
    ['cursor', 'is not a URL'],
  ])('take no %s for such a callback', (callback, fault) => {
    expect(problemsOf({ NATIVE_CALLBACKS: `cursor://agent/callback,${callback}` })).toEqual([
      `NATIVE_CALLBACKS names ${callback}, which ${fault}.`,
    ])
  })

  test('name servers by their addresses, with or without a port', () => {
    const { dnsServers } = readConfig({ DNS_SERVERS: '127.0.0.1:5353, 9.9.9.9,[::1]:53' })
    expect(dnsServers).toEqual(['127.0.0.1:5353', '9.9.9.9', '[::1]:53'])
    expect(problemsOf({ DNS_SERVERS: '9.9.9.9,dns.example' })).toEqual([
      'DNS_SERVERS names dns.example, which is no address.',
    ])
  })

  test('are complete in production', () => {
    expect(readConfig(production)).toMatchObject({
      environment: 'production',
      baseUrl: 'https://api.shop.example',
      secretKey: 'k'.repeat(32),
    })
  })
})

test('the types of settings are inferred from their schemas', () => {
  expectTypeOf<Config['environment']>().toEqualTypeOf<'development' | 'production'>()
  expectTypeOf<Config['apiPort']>().toEqualTypeOf<number>()
  expectTypeOf<Config['databaseUrl']>().toEqualTypeOf<string | undefined>()
  expectTypeOf<Config['adminEmails']>().toEqualTypeOf<string[]>()
  expectTypeOf<NonNullable<Config['stripe']>>().branded.toEqualTypeOf<{
    secretKey: string
    webhookSecret: string
  }>()
  expectTypeOf<NonNullable<Config['ai']>>().branded.toEqualTypeOf<{
    provider: 'openai-compatible' | 'openai' | 'anthropic' | 'google'
    fastModel: string
    comprehensiveModel: string
    baseUrl: string | undefined
    apiKey: string | undefined
    timeoutSeconds: number
    reasoning: boolean
    responseFormat: 'auto' | 'json_schema' | 'json_object' | 'text'
    tools: 'auto' | 'true' | 'false'
  }>()
})

describe('settings that are wrong', () => {
  test('are all reported at once', () => {
    expect(
      problemsOf({
        ENVIRONMENT: 'staging',
        API_PORT: 'eighty',
        DASHBOARD_PORT: '70000',
        ADMIN_PORT: '-1',
        BASE_URL: 'https://a.example/path',
        DASHBOARD_URL: 'ftp://a',
        ADMIN_URL: 'shop.example',
        DATABASE_URL: 'mysql://a',
        SECRET_KEY: 'short',
        SMTP_URL: 'mail.example',
        OIDC_ISSUER: 'not a uri',
        RATE_LIMIT_PER_MINUTE: '0',
        WEB_CONCURRENCY: '1.5',
        LOG_LEVEL: 'loud',
        SEED_DEMO: 'maybe',
        OIDC_CLIENT_ID: 'x',
      }).map((problem) => problem.split(' ')[0]),
    ).toEqual([
      'ENVIRONMENT',
      'API_PORT',
      'DASHBOARD_PORT',
      'ADMIN_PORT',
      'BASE_URL',
      'DASHBOARD_URL',
      'ADMIN_URL',
      'DATABASE_URL',
      'SECRET_KEY',
      'SMTP_URL',
      'OIDC_ISSUER',
      'RATE_LIMIT_PER_MINUTE',
      'WEB_CONCURRENCY',
      'LOG_LEVEL',
      'SEED_DEMO',
      'OIDC_CLIENT_SECRET',
    ])
  })

  test('are reported in plain words, without their values', () => {
    const problems = problemsOf({ ENVIRONMENT: 'staging', SECRET_KEY: 'hunter2' })
    expect(problems).toEqual([
      'ENVIRONMENT must be one of development, production.',
      'SECRET_KEY must NOT have fewer than 32 characters.',
    ])
  })

  test.each([
    ['BASE_URL', 'http://a b'],
    ['BASE_URL', 'http://host:99999'],
    ['DASHBOARD_URL', 'http://[::1'],
    ['TRUST_PROXY', 'banana'],
    ['TRUST_PROXY', '10.0.0.0/99'],
  ])('are reported even if only their use would fail: %s=%s', (name, value) => {
    const problems = problemsOf({ [name]: value })
    expect(problems.map((problem) => problem.split(' ')[0])).toEqual([name])
  })

  test('of third-party sign-in are reported when some are missing', () => {
    expect(problemsOf({ OIDC_ISSUER: 'https://id.example' })).toEqual(
      ['OIDC_CLIENT_ID', 'OIDC_CLIENT_SECRET'].map(
        (name) =>
          `${name} is missing: third-party sign-in needs all of ` +
          'OIDC_ISSUER, OIDC_CLIENT_ID, OIDC_CLIENT_SECRET.',
      ),
    )
  })
})

describe('production', () => {
  test('has no defaults for required settings, and reports all missing ones at once', () => {
    expect(problemsOf({ ENVIRONMENT: 'production' })).toEqual([
      'SECRET_KEY must be set in production.',
      'DATABASE_URL must be set in production.',
      'SMTP_URL must be set in production.',
      'BASE_URL must be set in production.',
      'DASHBOARD_URL must be set in production.',
      'ADMIN_URL must be set in production.',
      'STRIPE_SECRET_KEY must be set in production.',
      'STRIPE_WEBHOOK_SECRET must be set in production.',
      'MAIL_FROM must be a real address in production.',
    ])
  })

  test.each(['BASE_URL', 'DASHBOARD_URL', 'ADMIN_URL'])('refuses a %s without https', (name) => {
    expect(problemsOf({ ...production, [name]: 'http://shop.example' })).toEqual([
      `${name} must be https in production.`,
    ])
  })

  test.each(Object.keys(production).filter((name) => name !== 'ENVIRONMENT'))(
    'refuses to start when only %s is missing',
    (name) => {
      const problems = problemsOf({ ...production, [name]: undefined })
      expect(problems.map((problem) => problem.split(' ')[0])).toEqual([name])
    },
  )
})

test('.env.example names every setting once, with its default', () => {
  const text = readFileSync(join(import.meta.dirname, '..', '..', '.env.example'), 'utf8')
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'))
  const pairs = lines.map((line) => line.split(/=(.*)/s).slice(0, 2) as [string, string])
  expect(pairs.map(([name]) => name)).toEqual(everySetting.map(({ name }) => name))
  expect(readConfig(Object.fromEntries(pairs))).toEqual(readConfig({}))
})

describe('OUTBOUND_PROXY', () => {
  test.each(['http://user:50%@proxy.example:3128', 'http://proxy.example:99999'])(
    'is refused at the start if it is %s, with which every fetch would fail',
    (OUTBOUND_PROXY) => {
      expect(problemsOf({ OUTBOUND_PROXY })).toEqual([
        'OUTBOUND_PROXY is not a valid address. A % in its password is written %25.',
      ])
    },
  )

  test('takes an escaped password', () => {
    const { outboundProxy } = readConfig({ OUTBOUND_PROXY: 'http://user:50%25@proxy.example:3128' })
    expect(outboundProxy).toBe('http://user:50%25@proxy.example:3128')
  })
})

describe('the domain of the shops', () => {
  const problems = (SITE_DOMAIN: string, others: Record<string, string> = {}) =>
    problemsOf({ ...production, ...others, SITE_DOMAIN })

  test('is off in production until it is set', () => {
    expect(readConfig(production).siteDomain).toBeUndefined()
    expect(readConfig({ ...production, SITE_DOMAIN: 'shops.example' }).siteDomain).toBe(
      'shops.example',
    )
  })

  test.each(['shop.example', 'sites.shop.example', 'api.shop.example', 'x.shop.example:8443'])(
    'must not share a registered domain with the other origins: %s',
    (domain) => {
      expect(problems(domain)).toEqual([
        'SITE_DOMAIN must not share its registered domain with the other addresses.',
      ])
    },
  )

  test('may have the same country and second level', () => {
    const others = {
      BASE_URL: 'https://api.vitrin.com.tr',
      DASHBOARD_URL: 'https://vitrin.com.tr',
      ADMIN_URL: 'https://admin.vitrin.com.tr',
    }
    expect(problems('dukkan.com.tr', others)).toEqual([])
    expect(problems('shops.vitrin.com.tr', others)).toHaveLength(1)
  })

  test.each(['https://shops.example', 'Shops.example', 'shops.example/', '.shops.example'])(
    'is a plain lower-case name: %s is not',
    (domain) => expect(problems(domain)).toHaveLength(1),
  )
})

test('a replica needs the address of its primary', () => {
  const DATABASE_REPLICA_URL = 'postgres://two.example/shop'
  expect(problemsOf({ DATABASE_REPLICA_URL })).toEqual([
    'DATABASE_REPLICA_URL is of no use to the embedded database: set DATABASE_URL.',
  ])
  const DATABASE_URL = 'postgres://one.example/shop'
  expect(problemsOf({ DATABASE_URL, DATABASE_REPLICA_URL })).toEqual([])
})
