import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  type Agent,
  type PendingAuthorization,
  type Browser,
  decide,
  loopbackUri,
  openBrowser,
  openRequest,
  registerAgent,
} from '../kit/agent_flow.ts'
import { type Person, startService, type TestService, unique } from '../kit/service.ts'

const minute = 60_000

let service: TestService
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service.close())

const publicUri = 'https://agent.example.com/callback'
const scope = 'workspaces:read products:read'

/** An agent's authorization request, pending in a browser. */
async function givenRequest(metadata: Parameters<typeof registerAgent>[1] = {}): Promise<{
  agent: Agent
  authorization: PendingAuthorization
  browser: Browser
  requestId: string
}> {
  const agent = await registerAgent(service, metadata)
  const authorization = await agent.begin({ scope })
  const browser = openBrowser(service)
  return { agent, authorization, browser, requestId: await openRequest(browser, authorization) }
}

const read = (person: Person, requestId: string) =>
  service.dashboard(person).get(`/api/consent/${requestId}`)

describe('get_consent_request', () => {
  test('states who asks, where the answer goes, each scope in words and the account', async () => {
    const person = await service.givenPerson()
    const { agent, requestId } = await givenRequest({ redirect_uris: [publicUri, loopbackUri] })
    const { status, body } = await read(person, requestId)
    expect(status).toBe(200)
    expect(body).toEqual({
      clientName: 'Shelf assistant',
      clientId: agent.client.client_id,
      redirectHost: 'agent.example.com',
      loopbackOnly: false,
      accountEmail: person.email,
      scopes: [
        {
          name: 'workspaces:read',
          description: 'List the workspaces you own and whether you may create more.',
        },
        {
          name: 'products:read',
          description: 'See products, inactive ones too, and their questions.',
        },
      ],
      workspaces: [],
      askFirst: false,
      expiresAt: new Date(service.now().getTime() + 15 * minute).toISOString(),
    })
  })

  test.each([
    ['that has no other address', [loopbackUri]],
    ['that also has a public address', [publicUri, loopbackUri]],
  ])('warns that the answer stays on this machine, for an agent %s', async (_what, uris) => {
    const agent = await registerAgent(service, { redirect_uris: uris })
    const browser = openBrowser(service)
    const authorization = await agent.begin({ scope, redirect_uri: loopbackUri })
    const requestId = await openRequest(browser, authorization)
    const person = await service.givenPerson()
    const { body } = await read(person, requestId)
    expect([body.loopbackOnly, body.redirectHost]).toEqual([true, '127.0.0.1:33418'])
    browser.signIn(person)
    const page = await browser.visit(`${service.config.dashboardUrl}/consent/${requestId}`)
    expect(page.body).toContain('runs on your own computer')
  })

  test('does not find an expired request', async () => {
    const person = await service.givenPerson()
    const { requestId } = await givenRequest()
    service.advance(15 * minute)
    expect((await read(person, requestId)).status).toBe(404)
    const decision = service.dashboard(person).post(`/api/consent/${requestId}`)
    expect((await decision.send({ decision: 'allow' })).status).toBe(404)
  })

  test('is refused if the source has been blocked meanwhile', async () => {
    const person = await service.givenPerson()
    const { requestId } = await givenRequest({ client_name: unique('blocked') })
    await service.db
      .updateTable('integration_sources')
      .set({ status: 'BLOCKED' })
      .where('name', 'like', 'blocked-%')
      .execute()
    expect((await read(person, requestId)).body.code).toBe('source_blocked')
    const decision = service.dashboard(person).post(`/api/consent/${requestId}`)
    expect((await decision.send({ decision: 'allow' })).body.code).toBe('source_blocked')
  })
})

describe('decide_consent', () => {
  test('refuses scopes that were not requested', async () => {
    const person = await service.givenPerson()
    const { requestId } = await givenRequest()
    const { status, body } = await service
      .dashboard(person)
      .post(`/api/consent/${requestId}`)
      .send({ decision: 'allow', scopes: ['workspaces:read', 'products:write'] })
    expect(status).toBe(400)
    expect(body.fieldErrors).toEqual({ scopes: 'Contains a scope that was not requested.' })
  })

  test('replaces its previous ticket when called again', async () => {
    const person = await service.givenPerson()
    const { requestId, browser } = await givenRequest()
    const first = await decide(service, person, requestId)
    const second = await decide(service, person, requestId)
    expect((await browser.visit(first)).status).toBe(400)
    expect((await browser.visit(second)).status).toBe(303)
  })

  test('issues a ticket that expires after 60 seconds', async () => {
    const { requestId, browser } = await givenRequest()
    const redirectTo = await decide(service, await service.givenPerson(), requestId)
    service.advance(minute)
    expect((await browser.visit(redirectTo)).status).toBe(400)
  })
})

describe('the consent page', () => {
  const pageOf = (requestId: string) => `${service.config.dashboardUrl}/consent/${requestId}`
  const form = (fields: Record<string, string>) => new URLSearchParams(fields)

  test('leads from sign-in with a code to the agent, without JavaScript', async () => {
    const { agent, authorization, browser, requestId } = await givenRequest()
    const email = `${unique('person')}@example.com`
    const page = pageOf(requestId)

    const signIn = await browser.visit(page)
    expect(signIn.status).toBe(200)
    expect(signIn.body).toContain('name="email"')
    const mailed = await browser.visit(page, form({ step: 'code', email }))
    expect([mailed.status, mailed.location]).toEqual([303, `/consent/${requestId}`])
    const code = await browser.visit(page)
    expect(code.body).toContain('autocomplete="one-time-code"')
    const wrong = await browser.visit(page, form({ step: 'session', email, code: 'nonsense' }))
    expect(wrong.status).toBe(400)
    expect(wrong.body).toContain('role="alert"')
    const right = form({ step: 'session', email, code: await service.codeFor(email) })
    const signedIn = await browser.visit(page, right)
    expect([signedIn.status, signedIn.location]).toEqual([303, `/consent/${requestId}`])

    const consentForm = await browser.visit(page)
    expect(consentForm.status).toBe(200)
    for (const text of ['Shelf assistant', agent.client.client_id, '127.0.0.1:33418', email])
      expect(consentForm.body).toContain(text)
    expect(consentForm.body).toContain('runs on your own computer')
    expect(consentForm.body).toContain('See products, inactive ones too, and their questions.')

    const none = await browser.visit(page, form({ step: 'decide', decision: 'allow' }))
    expect(none.status).toBe(400)
    expect(none.body).toContain('Tick at least one thing')
    const allowed = form({ step: 'decide', decision: 'allow', scopes: 'products:read' })
    const onward = await browser.visit(page, allowed)
    expect(onward.status).toBe(200)
    const [, url = ''] = /http-equiv="refresh" content="0; url=([^"]+)"/.exec(onward.body) ?? []
    expect(onward.body).toContain(`<a href="${url}">`)

    const { status, location } = await browser.visit(url.replaceAll('&amp;', '&'))
    expect(status).toBe(303)
    const tokens = await agent.exchange(authorization, new URL(location))
    expect(tokens.scope).toBe('products:read')
  })

  test('a decision to deny reaches the agent as access_denied, with state and issuer', async () => {
    const { authorization, browser, requestId } = await givenRequest()
    browser.signIn(await service.givenPerson())
    const denied = form({ step: 'decide', decision: 'deny', scopes: 'products:read' })
    const { body } = await browser.visit(pageOf(requestId), denied)
    const [, url = ''] = /<a href="([^"]+)"/.exec(body) ?? []
    const { location } = await browser.visit(url.replaceAll('&amp;', '&'))
    expect(location.startsWith(loopbackUri)).toBe(true)
    expect(Object.fromEntries(new URL(location).searchParams)).toEqual({
      error: 'access_denied',
      error_description: 'The person did not allow it.',
      state: authorization.state,
      iss: service.config.baseUrl,
    })
  })

  test('shows the markup in an agent’s name as text', async () => {
    const name = '<script>alert("x")</script><b title=\'y\'>'
    const { browser, requestId } = await givenRequest({ client_name: name })
    browser.signIn(await service.givenPerson())
    const { body } = await browser.visit(pageOf(requestId))
    expect(body).not.toContain('<script')
    expect(body).not.toContain('<b ')
    expect(body).toContain(
      '&lt;script&gt;alert(&quot;x&quot;)&lt;/script&gt;&lt;b title=&#39;y&#39;&gt;',
    )
  })

  test('cannot be framed, runs no script and loads only its own stylesheet', async () => {
    const { browser, requestId } = await givenRequest()
    const { headers, body } = await browser.visit(pageOf(requestId))
    expect(headers.get('cross-origin-embedder-policy')).toBe('require-corp')
    expect(headers.get('content-security-policy')).toBe(
      "default-src 'none'; style-src 'self'; img-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
    )
    expect(headers.get('x-frame-options')).toBe('DENY')
    expect(headers.get('cache-control')).toBe('no-store')
    // Under no-referrer a browser would send `Origin: null` with the page's own forms.
    expect(headers.get('referrer-policy')).toBe('same-origin')
    expect(body).not.toMatch(/<script|<style| style=| on[a-z]+=/)
    const [, path = ''] = /<link rel="stylesheet" href="([^"]+)"/.exec(body) ?? []
    const style = await browser.visit(service.config.dashboardUrl + path)
    expect([style.status, style.headers.get('content-type')]).toEqual([
      200,
      'text/css; charset=utf-8',
    ])
  })

  test.each(['https://site.example', 'null', undefined])(
    'refuses a form from the origin %s',
    async (origin) => {
      const { requestId } = await givenRequest()
      const person = await service.givenPerson()
      const response = await fetch(`${service.urls.dashboard}/consent/${requestId}`, {
        method: 'POST',
        headers: { Cookie: person.cookie, ...(origin === undefined ? {} : { Origin: origin }) },
        body: form({ step: 'decide', decision: 'allow', scopes: 'products:read' }),
      })
      expect(response.status).toBe(403)
      const { account_id } = await service.db
        .selectFrom('authorization_requests')
        .select('account_id')
        .orderBy('expires_at', 'desc')
        .executeTakeFirstOrThrow()
      expect(account_id).toBeNull()
    },
  )

  test('lets a person sign out and sign in with another account', async () => {
    const { browser, requestId } = await givenRequest()
    const person = await service.givenPerson()
    browser.signIn(person)
    const out = await browser.visit(pageOf(requestId), form({ step: 'sign_out' }))
    expect(out.status).toBe(303)
    const { body } = await browser.visit(pageOf(requestId))
    expect(body).toContain('name="email"')
    expect((await service.dashboard(person).get('/api/session')).status).toBe(401)
  })

  test('applies the sign-in limits: a second code within a minute is refused', async () => {
    const { browser, requestId } = await givenRequest()
    const email = `${unique('person')}@example.com`
    await browser.visit(pageOf(requestId), form({ step: 'code', email }))
    const again = await browser.visit(pageOf(requestId), form({ step: 'code', email }))
    expect([again.status, again.headers.get('retry-after')]).toEqual([429, '60'])
  })

  test('reports a request that is gone, and accepts only GET, HEAD and POST', async () => {
    const browser = openBrowser(service)
    browser.signIn(await service.givenPerson())
    const unknown = await browser.visit(pageOf('nonsense'))
    expect(unknown.status).toBe(404)
    expect(unknown.body).toContain('Connect again from the agent.')
    const url = `${service.urls.dashboard}/consent/nonsense`
    const other = await fetch(url, { method: 'DELETE' })
    expect([other.status, other.headers.get('allow')]).toEqual([405, 'GET, HEAD, POST'])
  })
})

describe('the consent page', () => {
  const formOf = (fields: Record<string, string>) => new URLSearchParams(fields)

  test('names the agent while a person signs in for it', async () => {
    const { browser, requestId } = await givenRequest({ client_name: 'Shelf & Co' })
    const page = `${service.config.dashboardUrl}/consent/${requestId}`
    expect((await browser.visit(page)).body).toContain('Sign in to connect Shelf &amp; Co')
    const email = `${unique('person')}@example.com`
    await browser.visit(page, formOf({ step: 'code', email }))
    const code = await browser.visit(page)
    expect(code.body).toContain('Sign in to connect Shelf &amp; Co')
    const unknown = await browser.visit(page.replace(requestId, 'x'.repeat(43)))
    expect(unknown.body).toContain('Sign in to connect an agent')
  })

  test('offers to let an agent read only, without unticking each scope', async () => {
    const person = await service.givenPerson()
    const agent = await registerAgent(service)
    const authorization = await agent.begin({ scope: `${scope} products:write tags:write` })
    const browser = openBrowser(service)
    browser.signIn(person)
    const page = `${service.config.dashboardUrl}/consent/${await openRequest(browser, authorization)}`
    expect((await browser.visit(page)).body).toContain('value="read">Read only</button>')
    const { body } = await browser.visit(page, formOf({ step: 'decide', decision: 'read' }))
    const [, next = ''] = /content="0; url=([^"]+)"/.exec(body) ?? []
    const { location } = await browser.visit(next.replaceAll('&amp;', '&'))
    expect((await agent.exchange(authorization, new URL(location))).scope).toBe(scope)
  })

  test('offers no such choice where nothing would be left or nothing left out', async () => {
    const person = await service.givenPerson()
    const agent = await registerAgent(service)
    for (const requested of [scope, 'products:write']) {
      const browser = openBrowser(service)
      browser.signIn(person)
      const authorization = await agent.begin({ scope: requested })
      const id = await openRequest(browser, authorization)
      const { body } = await browser.visit(`${service.config.dashboardUrl}/consent/${id}`)
      expect(body).not.toContain('value="read"')
    }
  })

  test.each([
    ['en', 'Ask me before anything is lost'],
    ['tr', 'Bir şey kaybolmadan önce bana sor'],
  ])(
    'has a tick in %s for an agent that must ask, kept in the connection',
    async (language, words) => {
      const person = await service.givenPerson()
      const profile = { name: 'Ada', phone: null, language }
      await service.dashboard(person).put('/api/account').send(profile).expect(200)
      const agent = await registerAgent(service)
      const authorization = await agent.begin({ scope: `${scope} products:write` })
      const browser = openBrowser(service)
      browser.signIn(person)
      const requestId = await openRequest(browser, authorization)
      const page = `${service.config.dashboardUrl}/consent/${requestId}`
      const unticked = '<input type="checkbox" name="askFirst" value="true"  />'
      const first = await browser.visit(page)
      expect(first.body).toContain(words)
      expect(first.body).toContain(unticked)
      const tick = { step: 'decide', decision: 'allow', askFirst: 'true' }
      const again = await browser.visit(page, formOf(tick))
      expect([again.status, again.body.includes(unticked)]).toEqual([400, false])
      const { body } = await browser.visit(page, formOf({ ...tick, scopes: 'products:write' }))
      expect((await read(person, requestId)).body.askFirst).toBe(true)
      const [, next = ''] = /content="0; url=([^"]+)"/.exec(body) ?? []
      const { location } = await browser.visit(next.replaceAll('&amp;', '&'))
      await agent.exchange(authorization, new URL(location))
      const { body: list } = await service.dashboard(person).get('/api/connections').expect(200)
      const connections = list.connections as { askFirst: boolean }[]
      expect(connections.map(({ askFirst }) => askFirst)).toEqual([true])
    },
  )

  test('has no such tick for an agent that can lose nothing', async () => {
    const { browser, requestId } = await givenRequest()
    browser.signIn(await service.givenPerson())
    const { body } = await browser.visit(`${service.config.dashboardUrl}/consent/${requestId}`)
    expect(body).not.toContain('askFirst')
  })

  test('lets an agent off unless it is told to ask', async () => {
    const person = await service.givenPerson()
    const { agent, authorization, browser, requestId } = await givenRequest()
    const { location } = await browser.visit(await decide(service, person, requestId))
    await agent.exchange(authorization, new URL(location))
    const { body } = await service.dashboard(person).get('/api/connections').expect(200)
    expect((body.connections as { askFirst: boolean }[])[0]?.askFirst).toBe(false)
  })
})
