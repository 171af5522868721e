import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createLog } from '../../src/core/log.ts'
import { secretFields, secretHeaders } from '../../src/generated/operations.ts'
import { exchange, requestText } from '../kit/raw_http.ts'
import { type Person, startService, type TestService } from '../kit/service.ts'

const secretPart = 'aSecretOf43Characters-AndTheChecksumBehindIt-0123'

/** A credential of every kind, current or planned, in either environment. */
const credentials = ['wsk', 'wsd', 'wsu', 'wsa', 'wsr', 'wsv', 'wsg', 'wst', 'wss'].flatMap(
  (prefix) => ['dev', 'live'].map((environment) => `${prefix}_${environment}_${secretPart}`),
)

let service: TestService
let owner: Person
let fault: unknown
beforeAll(async () => {
  service = await startService({
    handlers: {
      list_templates: () =>
        Promise.resolve().then(() => {
          throw fault
        }),
    },
  })
  owner = await service.givenPerson()
})
afterAll(() => service.close())

/** The lines written since, once all answers are sent. */
async function linesDuring(work: () => Promise<unknown>): Promise<Record<string, unknown>[]> {
  const start = service.logged().length
  await work()
  const { headers } = await service.api().get('/healthz')
  const lines = () => service.logged().slice(start)
  const last = () => lines().some((line) => line.requestId === headers['x-request-id'])
  await expect.poll(last).toBe(true)
  return lines()
}

const requestLine = (lines: Record<string, unknown>[]) =>
  lines.find((line) => line.msg === 'request' && line.path !== '/healthz')

describe('the log line of a request', () => {
  test('names request, operation, caller and outcome, but no query', async () => {
    const { id, key } = await service.givenKey(owner)
    let requestId: unknown
    const lines = await linesDuring(async () => {
      const { headers } = await service.api(key).get('/v1/workspaces?page=1&pageSize=2')
      requestId = headers['x-request-id']
    })
    const line = requestLine(lines)
    expect(line).toEqual({
      level: 30,
      msg: 'request',
      requestId,
      surface: 'api',
      method: 'GET',
      status: 200,
      path: '/v1/workspaces',
      operation: 'list_workspaces',
      connectionId: id,
      time: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      milliseconds: expect.any(Number),
      databaseMilliseconds: expect.any(Number),
      waitMilliseconds: expect.any(Number),
      bytes: expect.any(Number),
    })
  })

  test('of a refusal names its code but not its message', async () => {
    const line = requestLine(await linesDuring(() => service.api().get('/v1/workspaces')))
    expect(line).toMatchObject({ level: 30, status: 401, errorCode: 'unauthenticated' })
    expect(line).not.toHaveProperty('err')
  })

  test('of an internal error has the cause, and the caller gets one sentence', async () => {
    const { key } = await service.givenKey(owner)
    fault = Object.assign(new Error('the reason'), { code: '42P01', detail: 'Key (email)=(a@b.c)' })
    const lines = await linesDuring(async () => {
      const { status, body } = await service.api(key).get('/v1/templates')
      expect([status, body]).toEqual([
        500,
        {
          status: 500,
          code: 'internal',
          message: 'Something went wrong on our side. The request id helps us find out what.',
        },
      ])
    })
    const line = requestLine(lines)
    expect(line).toMatchObject({
      level: 50,
      operation: 'list_templates',
      err: { type: 'Error', message: 'the reason', code: '42P01' },
    })
    expect((line!.err as { stack: string }).stack).toContain('log.test.ts')
    expect(JSON.stringify(line)).not.toContain('a@b.c')
  })

  test('shares its request id with the lines of its handler', async () => {
    const lines = await linesDuring(() =>
      service.dashboard().post('/api/session/code').send({ email: 'ids@example.com' }),
    )
    const { requestId } = requestLine(lines) ?? {}
    const codeLine = lines.find((line) => line.msg === 'A code was mailed.')
    expect(codeLine).toMatchObject({ requestId, operation: 'request_session_code' })
  })
})

describe('a one-time code', () => {
  test('is in the log in development', async () => {
    const email = 'developer@example.com'
    const lines = await linesDuring(() =>
      service.dashboard().post('/api/session/code').send({ email }),
    )
    const code = await service.codeFor(email)
    const line = lines.find((each) => each.msg === 'A code was mailed.')
    expect(line).toMatchObject({ email, sixDigits: code })
  })

  test('is never in the log in production, sent or received, right or wrong', async () => {
    const production = await startService({
      env: {
        ENVIRONMENT: 'production',
        SECRET_KEY: 'x'.repeat(32),
        MAIL_FROM: 'a@example.com',
        DATABASE_URL: 'postgres://stated',
        SMTP_URL: 'smtp://stated',
        BASE_URL: 'https://api.example',
        DASHBOARD_URL: 'https://example.com',
        ADMIN_URL: 'https://admin.example',
        STRIPE_SECRET_KEY: 'sk_live_x',
        STRIPE_WEBHOOK_SECRET: 'whsec_stated_here',
      },
    })
    const email = 'customer@example.com'
    const post = (path: string, body: object) => production.dashboard().post(path).send(body)
    expect((await post('/api/session/code', { email })).status).toBe(202)
    const code = await production.codeFor(email)
    const wrong = code === '493817' ? '493818' : '493817'
    expect((await post('/api/session', { email, code: wrong })).status).toBe(401)
    expect((await post('/api/session', { email, code })).status).toBe(200)
    await production.close()
    const log = JSON.stringify(production.logged())
    expect(log).toContain('create_session')
    expect(log).not.toContain(code)
    expect(log).not.toContain(wrong)
  })
})

describe('a credential', () => {
  test('has exactly the field names that the contract marks as secret', () => {
    expect([...secretFields].sort()).toEqual([
      'billingEmailCode',
      'challengeToken',
      'code',
      'guestToken',
      'key',
      'secret',
      'token',
    ])
    expect(secretHeaders).toEqual(['x-guest-device-id', 'x-guest-token', 'x-visitor-token'])
  })

  test.each(credentials)('is in no line, wherever the request has it: %s', async (token) => {
    const json = { 'Content-Type': 'application/json' }
    const escaped = token.replaceAll('_', '%5F')
    const allEscaped = token.replaceAll(
      /[^-]/g,
      (letter) => `%${letter.charCodeAt(0).toString(16)}`,
    )
    const own = { Cookie: owner.cookie, Origin: service.config.dashboardUrl }
    const requests = [
      'Authorization',
      'Cookie',
      'X-Visitor-Token',
      'X-Guest-Token',
      'Idempotency-Key',
      'User-Agent',
      'Origin',
      'Referer',
      'X-Request-Id',
      'X-Workspace-Id',
      'If-Match',
    ].map((name) => requestText('GET', '/v1/workspaces', { headers: { [name]: token } }))
    requests.push(
      requestText('GET', '/v1/workspaces', { headers: { Authorization: `Bearer ${token}` } }),
      requestText('GET', '/v1/session', { headers: { Cookie: `vitrine_session=${token}` } }),
      requestText('GET', `/v1/workspaces?page=${token}`),
      requestText('GET', `/v1/workspaces?${token}=1`),
      requestText('GET', `/nothing?access_token=${token}`),
      requestText('GET', `/v1/workspaces/${token}/workspace`),
      requestText('GET', `/${token}`),
      requestText('GET', `/docs/${token}`),
      requestText('GET', `/v1/workspaces/${escaped}/workspace`),
      requestText('GET', `/${escaped}`),
      requestText('GET', `/v1/workspaces/${allEscaped}/workspace`),
      requestText('PUT', `/v1/uploads/${token}`),
      requestText('PUT', `/v1/uploads/${allEscaped}`),
      requestText('PUT', `/v1/uploads/%77${token.slice(1)}`),
      requestText('GET', `/v1/uploads/${allEscaped}`),
      requestText('GET', `http://${token}:${token}@localhost/`),
      requestText(token, '/'),
      `${token}\r\n\r\n`,
    )
    const bodies = [{ name: token }, { [token]: token }, { code: token, key: token }, token]
    for (const body of bodies)
      requests.push(
        requestText('POST', '/v1/workspaces', { headers: json, body: JSON.stringify(body) }),
        requestText('POST', '/api/keys', {
          headers: { ...own, ...json },
          body: JSON.stringify(body),
        }),
      )
    const lines = await linesDuring(async () => {
      for (const bytes of requests)
        for (const url of [service.urls.api, service.urls.dashboard]) await exchange(url, bytes)
    })
    expect(lines.length).toBeGreaterThan(requests.length)
    expect(JSON.stringify(lines)).not.toContain(secretPart)
    expect(JSON.stringify(lines).toLowerCase()).not.toContain(allEscaped.slice(-60).toLowerCase())
  })

  test.each(credentials)('is in no line, whatever error contains it: %s', async (token) => {
    const { key } = await service.givenKey(owner)
    const parts = { headers: { authorization: token, cookie: token }, body: { code: '493817' } }
    const faults: unknown[] = [
      new Error(`No such token: ${token}`),
      new Error('wrapped', { cause: new Error(token) }),
      new AggregateError([new Error(token)], token),
      Object.assign(new Error('with parts'), parts, { detail: token }),
      Object.assign(new Error('of the database'), { detail: token, where: token, code: '22P02' }),
      parts,
      token,
    ]
    const lines = await linesDuring(async () => {
      for (const each of faults) {
        fault = each
        expect((await service.api(key).get('/v1/templates')).status).toBe(500)
      }
    })
    expect(lines.filter((line) => line.status === 500)).toHaveLength(faults.length)
    expect(JSON.stringify(lines)).not.toContain(secretPart)
    expect(JSON.stringify(lines)).not.toContain('493817')
  })
})

describe('the id of a consent request', () => {
  const id = 'aSecretOf43Characters-ThatOneBrowserHolds_0'

  test.each([
    ['GET', '/consent/'],
    ['POST', '/consent/'],
    ['GET', '/CONSENT/'],
    ['GET', '/%63onsent/'],
    ['GET', '/api/consent/'],
    ['POST', '/api/consent/'],
    ['DELETE', '/api/consent/'],
  ])('is in no line of %s %s', async (method, path) => {
    const headers = { Cookie: owner.cookie, Origin: service.config.dashboardUrl }
    const allEscaped = id.replaceAll(/[^-]/g, (letter) => `%${letter.charCodeAt(0).toString(16)}`)
    const lines = await linesDuring(async () => {
      for (const segment of [id, `${id}/`, allEscaped])
        await exchange(service.urls.dashboard, requestText(method, path + segment, { headers }))
    })
    const paths = lines.flatMap((line) => (line.surface === 'dashboard' ? line.path : []))
    expect(paths).toHaveLength(3)
    for (const logged of paths)
      expect(String(logged).toLowerCase()).toMatch(/^(\/api)?\/consent\/\[redacted\]\/?$/)
    expect(JSON.stringify(lines)).not.toContain(id)
  })
})

describe('a careless line', () => {
  const logText = (write: (log: ReturnType<typeof createLog>) => void): string => {
    const lines: string[] = []
    write(createLog('trace', { write: (line) => void lines.push(line) }))
    return lines.join('')
  }

  test.each([...secretFields])('does not show the field %s of a body', (field) => {
    const body = { [field]: 'a secret value', name: 'a name' }
    const text = logText((log) => {
      log.info({ body }, 'as it came')
      log.info({ request: { body } }, 'with its request')
    })
    expect(text).not.toContain('a secret value')
    expect(text.match(/a name/g)).toHaveLength(2)
    expect(text.match(/\[redacted\]/g)).toHaveLength(2)
  })

  test.each(['authorization', 'cookie', 'set-cookie', 'x-visitor-token', 'x-guest-token'])(
    'does not show the header %s',
    (name) => {
      const headers = { [name]: 'a secret value', accept: 'text/html' }
      const text = logText((log) => {
        log.info(headers, 'alone')
        log.info({ headers }, 'as they came')
        log.warn({ request: { headers } }, 'with their request')
        log.child({ headers }).info('bound')
      })
      expect(text).not.toContain('a secret value')
      expect(text.match(/text\/html/g)).toHaveLength(4)
    },
  )

  test.each(credentials)('does not show %s, wherever it is', (token) => {
    const text = logText((log) => {
      log.info(`Key ${token} was used.`)
      log.info({ token, list: [token], deep: { deeper: { deepest: token } } }, 'nested')
      log.child({ token }).error({ err: new Error(token) }, token)
    })
    expect(text).not.toContain(secretPart)
    expect(text).toContain('was used.')
  })

  test('shows values that only resemble a credential', () => {
    const harmless = ['ws_01k9x5wd8ceq9s2m4h0v3t7b1n', 'wsk_dev_3q2-', 'news_dev_release', 'wsk']
    const text = logText((log) => log.info({ harmless }, harmless.join(' ')))
    expect(JSON.parse(text)).toMatchObject({ harmless, msg: harmless.join(' ') })
  })
})

test('what failed for several says why', () => {
  const lines: string[] = []
  const log = createLog('warn', { write: (line) => void lines.push(line) })
  const cause = Object.assign(new Error('It is refused.'), { code: '23514', detail: 'A row.' })
  log.warn({ err: new AggregateError([cause], 'Some are left.') }, 'The sweep failed.')
  const [{ err }] = lines.map((line) => JSON.parse(line)) as [{ err: Record<string, unknown> }]
  expect(err).toMatchObject({
    message: 'Some are left.',
    errors: [{ type: 'Error', message: 'It is refused.', code: '23514' }],
  })
  expect(lines[0]).not.toContain('A row.')
})

test('an error that another one caused shows that one, too', () => {
  const lines: string[] = []
  const log = createLog('warn', { write: (line) => void lines.push(line) })
  const cause = Object.assign(new Error('spawn EMFILE'), { code: 'EMFILE', detail: 'A row.' })
  log.warn({ err: new Error('There is no decoder.', { cause }) }, 'No files were made.')
  const [{ err }] = lines.map((line) => JSON.parse(line)) as [{ err: Record<string, unknown> }]
  expect(err).toMatchObject({ cause: { type: 'Error', message: 'spawn EMFILE', code: 'EMFILE' } })
  expect(lines[0]).not.toContain('A row.')
})
