import { afterAll, beforeAll, expect, test } from 'vitest'
import { decide, openBrowser, openRequest, registerAgent } from '../../kit/agent_flow.ts'
import { createDatabase } from '../../kit/database.ts'
import { startService, type TestService } from '../../kit/service.ts'

const callback = 'cursor://anysphere.cursor-mcp/oauth/callback'
const other = 'https://www.cursor.com/agents/mcp/oauth/callback'

/** Two services on one database: the operator has allowed the callback in one of them. */
let database: Awaited<ReturnType<typeof createDatabase>>
let allowing: TestService
let service: TestService
beforeAll(async () => {
  database = await createDatabase()
  service = await startService({ databaseUrl: database.url })
  allowing = await startService({
    databaseUrl: database.url,
    env: { NATIVE_CALLBACKS: `${callback}, windsurf://codeium.windsurf/oauth-callback` },
  })
})
afterAll(async () => {
  await allowing.close()
  await service.close()
  await database.drop()
})

test('a callback of its own scheme that the operator allows gets the code', async () => {
  const agent = await registerAgent(allowing, { redirect_uris: [callback, other] })
  expect(agent.client.redirect_uris).toEqual([callback, other])
  const person = await allowing.givenPerson()
  const pending = await agent.begin({ scope: 'workspaces:read' })
  const browser = openBrowser(allowing)
  const requestId = await openRequest(browser, pending)
  const { location } = await browser.visit(await decide(allowing, person, requestId))
  expect(location.startsWith(`${callback}?code=`)).toBe(true)
  expect((await agent.exchange(pending, new URL(location))).scope).toBe('workspaces:read')
})

test('the consent page shows the whole address and says that any program can claim it', async () => {
  const agent = await registerAgent(allowing, { redirect_uris: [callback] })
  const person = await allowing.givenPerson()
  const browser = openBrowser(allowing)
  const requestId = await openRequest(browser, await agent.begin({ scope: 'workspaces:read' }))
  const { body } = await allowing.dashboard(person).get(`/api/consent/${requestId}`).expect(200)
  expect([body.redirectHost, body.loopbackOnly]).toEqual([callback, true])
  browser.signIn(person)
  const page = await browser.visit(`${allowing.config.dashboardUrl}/consent/${requestId}`)
  expect(page.body).toContain(`<code>${callback}</code>`)
  expect(page.body).toContain('Any program there can use this name.')
})

test.each([
  `${callback}/`,
  `${callback}?x=1`,
  'cursor://anysphere.cursor-mcp/other',
  'CURSOR://anysphere.cursor-mcp/oauth/callback',
  'cursor://anysphere.cursor-mcp:1/oauth/callback',
  'windsurf://elsewhere/oauth-callback',
  'javascript://anysphere.cursor-mcp/oauth/callback',
])('%s is not that callback', async (uri) => {
  const registration = registerAgent(allowing, { redirect_uris: [uri] })
  await expect(registration).rejects.toMatchObject({ error: 'invalid_redirect_uri' })
  const agent = await registerAgent(allowing, { redirect_uris: [callback] })
  const { url } = await agent.begin({ redirect_uri: uri })
  const { status, location } = await openBrowser(allowing).visit(url.href)
  expect([status, location]).toEqual([400, ''])
})

test('is refused by default, and once it is no longer allowed', async () => {
  const registration = registerAgent(service, { redirect_uris: [callback] })
  await expect(registration).rejects.toMatchObject({ error: 'invalid_redirect_uri' })
  const dropped = await registerAgent(service, { redirect_uris: [callback, other] })
  expect(dropped.client.redirect_uris).toEqual([other])
  const registered = await registerAgent(allowing, { redirect_uris: [callback] })
  const { url } = await registered.begin()
  expect((await openBrowser(service).visit(url.href)).status).toBe(400)
})
