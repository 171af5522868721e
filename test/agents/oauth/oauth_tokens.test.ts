import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { authenticateToken } from '../../../src/access/tokens.ts'
import { ApiError } from '../../../src/core/errors.ts'
import { hashToken, newToken } from '../../../src/core/secrets.ts'
import type { ClientMetadata } from '../../../src/oauth/client_metadata.ts'
import { answerTokenRequest, type TokenParts } from '../../../src/oauth/tokens.ts'
import { deleteExpired } from '../../../src/queries/upkeep/expiry.ts'
import {
  type Agent,
  type PendingAuthorization,
  connectAgent,
  consent,
  registerAgent,
} from '../../kit/agent_flow.ts'
import { type Person, startService, type TestService, unique } from '../../kit/service.ts'

const minute = 60_000
const day = 24 * 60 * minute

let service: TestService
let agent: Agent
let name: string
let person: Person
beforeAll(async () => {
  service = await startService()
})
beforeEach(async () => {
  name = unique('agent')
  agent = await registerAgent(service, { client_name: name })
  person = await service.givenPerson()
})
afterAll(() => service.close())

/** Whether an access token is accepted, or the error code of its refusal. */
async function admission(token: string): Promise<string> {
  const { config, db } = service
  const circumstances = {
    environment: config.environment,
    now: service.now(),
    resource: `${config.baseUrl}/mcp`,
  }
  try {
    await authenticateToken(db, circumstances, `Bearer ${token}`, '')
    return 'admitted'
  } catch (error) {
    if (error instanceof ApiError) return error.code
    throw error
  }
}

/** An unused code, and the form that exchanges it. */
async function givenCode(): Promise<{
  authorization: PendingAuthorization
  form: Record<string, string>
}> {
  const authorization = await agent.begin()
  const callback = await consent(service, person, authorization)
  const form = {
    grant_type: 'authorization_code',
    code: callback.searchParams.get('code')!,
    redirect_uri: authorization.redirectUri,
    code_verifier: authorization.verifier,
  }
  return { authorization, form }
}

const refreshForm = (refresh_token: string, more: Record<string, string> = {}) => ({
  grant_type: 'refresh_token',
  refresh_token,
  ...more,
})

async function errorOf(form: Record<string, string>, asking = agent): Promise<string> {
  const { status, body } = await asking.askForTokens(form)
  return `${status} ${String(body.error)}`
}

const block = (status: 'BLOCKED' | 'APPROVED') =>
  service.db.updateTable('integration_sources').set({ status }).where('name', '=', name).execute()
const suspend = (status: 'SUSPENDED' | 'ACTIVE') =>
  service.db.updateTable('accounts').set({ status }).where('id', '=', person.accountId).execute()

describe('the exchange of a code', () => {
  test('gives a one-hour access token and a refresh token, stored only as hashes', async () => {
    const { form } = await givenCode()
    const { status, headers, body } = await agent.askForTokens(form)
    expect(status).toBe(200)
    expect(headers.get('cache-control')).toBe('no-store')
    expect(body).toEqual({
      access_token: expect.stringMatching(/^wsa_dev_[\w-]{49}$/),
      token_type: 'Bearer',
      expires_in: 3600,
      scope: 'account:read workspaces:read',
      refresh_token: expect.stringMatching(/^wsr_dev_[\w-]{49}$/),
    })
    const secrets = [String(body.access_token), String(body.refresh_token), form.code!]
    for (const table of ['access_tokens', 'refresh_tokens', 'authorization_codes', 'grants']) {
      const { rows } = await sql`select t::text as line from ${sql.table(table)} t`.execute(
        service.db,
      )
      for (const secret of secrets) expect(JSON.stringify(rows)).not.toContain(secret.slice(12))
    }
    const row = await service.db
      .selectFrom('access_tokens')
      .select('expires_at')
      .where('token_hash', '=', createHash('sha256').update(secrets[0]!).digest())
      .executeTakeFirstOrThrow()
    expect(row.expires_at).toBe(new Date(service.now().getTime() + 60 * minute).toISOString())
    expect(await admission(secrets[0]!)).toBe('admitted')
    service.advance(60 * minute)
    expect(await admission(secrets[0]!)).toBe('token_expired')
  })

  test('revokes the tokens of a code that is replayed', async () => {
    const { form } = await givenCode()
    const { body } = await agent.askForTokens(form)
    expect(await errorOf(form)).toBe('400 invalid_grant')
    expect(await admission(String(body.access_token))).toBe('token_revoked')
    expect(await errorOf(refreshForm(String(body.refresh_token)))).toBe('400 invalid_grant')
  })

  test('is refused after 60 seconds', async () => {
    const { form } = await givenCode()
    service.advance(minute)
    expect(await errorOf(form)).toBe('400 invalid_grant')
  })

  test.each<[string, Record<string, string>, string]>([
    ['another redirect_uri', { redirect_uri: 'http://127.0.0.1:33418/other' }, 'invalid_grant'],
    ['another port', { redirect_uri: 'http://127.0.0.1:33419/callback' }, 'invalid_grant'],
    ['no redirect_uri', { redirect_uri: '' }, 'invalid_request'],
    ['another verifier', { code_verifier: 'a'.repeat(43) }, 'invalid_grant'],
    ['a verifier that is too short', { code_verifier: 'a' }, 'invalid_grant'],
    ['no verifier', { code_verifier: '' }, 'invalid_request'],
    ['another code', { code: 'A'.repeat(43) }, 'invalid_grant'],
    ['no code', { code: '' }, 'invalid_request'],
    ['another resource', { resource: 'https://evil.example/mcp' }, 'invalid_target'],
    ['another grant type', { grant_type: 'password' }, 'unsupported_grant_type'],
    ['no grant type', { grant_type: '' }, 'invalid_request'],
  ])('with %s is refused and leaves the code unused', async (_what, changes, error) => {
    const { form } = await givenCode()
    expect(await errorOf({ ...form, ...changes })).toBe(`400 ${error}`)
    expect((await agent.askForTokens(form)).status).toBe(200)
  })

  test('does not accept the challenge as the verifier', async () => {
    const { form, authorization } = await givenCode()
    const challenge = authorization.url.searchParams.get('code_challenge')!
    expect(await errorOf({ ...form, code_verifier: challenge })).toBe('400 invalid_grant')
  })

  test('is refused to another client, and the code stays usable', async () => {
    const other = await registerAgent(service)
    const { form } = await givenCode()
    expect(await errorOf(form, other)).toBe('400 invalid_grant')
    expect((await agent.askForTokens(form)).status).toBe(200)
    expect(await errorOf(form, other)).toBe('400 invalid_grant')
  })

  test('is refused while the source is blocked or the account suspended, and works later', async () => {
    const { form } = await givenCode()
    await block('BLOCKED')
    expect(await errorOf(form)).toBe('403 access_denied')
    await block('APPROVED')
    await suspend('SUSPENDED')
    expect(await errorOf(form)).toBe('403 access_denied')
    await suspend('ACTIVE')
    expect((await agent.askForTokens(form)).status).toBe(200)
  })

  test('gives no refresh token to a client that did not register for it', async () => {
    agent = await registerAgent(service, { grant_types: ['authorization_code'] })
    const { form } = await givenCode()
    expect(Object.keys((await agent.askForTokens(form)).body)).not.toContain('refresh_token')
  })
})

describe('a refresh', () => {
  test('rotates the token, and both access tokens stay valid until they expire', async () => {
    const { accessToken, refreshToken } = await connectAgent(service, person, { agent })
    const next = await agent.refresh(refreshToken)
    expect(next.refresh_token).not.toBe(refreshToken)
    expect(await admission(accessToken)).toBe('admitted')
    expect(await admission(next.access_token)).toBe('admitted')
    expect((await agent.refresh(next.refresh_token!)).expires_in).toBe(3600)
  })

  test('and an exchange say 3600, however long the service takes to answer', async () => {
    const { form } = await givenCode()
    let ticks = 0
    const parts: TokenParts = {
      db: service.db,
      environment: 'development',
      resource: `${service.config.baseUrl}/mcp`,
      refreshGraceSeconds: 0,
      clock: () => new Date(service.now().getTime() + ++ticks),
      pause: () => Promise.resolve(),
      address: '127.0.0.1',
      cameFirst: true,
      isGone: () => false,
    }
    const metadata = agent.client as unknown as ClientMetadata
    const client = { id: agent.client.client_id, sourceId: '', metadata }
    const ask = (values: Record<string, string>) =>
      answerTokenRequest(parts, client, { values, repeated: new Set() })
    const first = await ask(form)
    const second = await ask(refreshForm(first.refresh_token!))
    expect([first.expires_in, second.expires_in]).toEqual([3600, 3600])
  })

  test('with a used token revokes the grant, and the revocation is committed', async () => {
    const { accessToken, refreshToken } = await connectAgent(service, person, { agent })
    const next = await agent.refresh(refreshToken)
    expect(await errorOf(refreshForm(refreshToken))).toBe('400 invalid_grant')
    for (const token of [accessToken, next.access_token])
      expect(await admission(token)).toBe('token_revoked')
    expect(await errorOf(refreshForm(next.refresh_token!))).toBe('400 invalid_grant')
    const { body } = await service.dashboard(person).get('/api/connections')
    expect(body.connections[0].revokedAt).toBe(service.now().toISOString())
  })

  test('may request fewer scopes, never more, and the next one has them all again', async () => {
    const scope = 'workspaces:read products:read'
    const { refreshToken } = await connectAgent(service, person, { agent, scope })
    const more = refreshForm(refreshToken, { scope: `${scope} products:write` })
    expect(await errorOf(more)).toBe('400 invalid_scope')
    const fewer = await agent.refresh(refreshToken, 'products:read openid')
    expect(fewer.scope).toBe('products:read')
    const { scopes } = await service.db
      .selectFrom('access_tokens')
      .select('scopes')
      .where('token_hash', '=', hashToken(fewer.access_token))
      .executeTakeFirstOrThrow()
    expect(scopes).toEqual(['products:read'])
    expect((await agent.refresh(fewer.refresh_token!)).scope).toBe(scope)
  })

  test('is refused once its grant ends after 90 days, as is the last access token', async () => {
    const { refreshToken } = await connectAgent(service, person, { agent })
    service.advance(90 * day - 10 * minute)
    const last = await agent.refresh(refreshToken)
    expect(last.expires_in).toBe(600)
    service.advance(10 * minute)
    expect(await admission(last.access_token)).toBe('token_expired')
    expect(await errorOf(refreshForm(last.refresh_token!))).toBe('400 invalid_grant')
  })

  test('of a blocked source is refused and works again after unblocking', async () => {
    const { refreshToken } = await connectAgent(service, person, { agent })
    await block('BLOCKED')
    expect(await errorOf(refreshForm(refreshToken))).toBe('403 access_denied')
    await block('APPROVED')
    await suspend('SUSPENDED')
    expect(await errorOf(refreshForm(refreshToken))).toBe('403 access_denied')
    await suspend('ACTIVE')
    expect((await agent.refresh(refreshToken)).token_type).toBe('bearer')
  })

  test('of a grant from an older consent is refused: the agent must reconnect', async () => {
    const { accessToken, refreshToken } = await connectAgent(service, person, { agent })
    await service.db
      .updateTable('grants')
      .set({ consent_version: 1 })
      .where('account_id', '=', person.accountId)
      .execute()
    expect(await errorOf(refreshForm(refreshToken))).toBe('400 invalid_grant')
    expect(await admission(accessToken)).toBe('token_expired')
  })

  test('accepts only a refresh token of this client and environment', async () => {
    const { accessToken, refreshToken } = await connectAgent(service, person, { agent })
    const other = await registerAgent(service)
    expect(await errorOf(refreshForm(refreshToken), other)).toBe('400 invalid_grant')
    for (const token of [
      accessToken,
      'nonsense',
      newToken('refreshToken', 'development'),
      newToken('refreshToken', 'production'),
    ])
      expect(await errorOf(refreshForm(token))).toBe('400 invalid_grant')
    expect((await agent.refresh(refreshToken)).token_type).toBe('bearer')
  })
})

describe('REFRESH_GRACE_SECONDS', () => {
  test('accepts a used token again for this long, and no longer', async () => {
    const kind = await startService({ env: { REFRESH_GRACE_SECONDS: '10' } })
    try {
      const owner = await kind.givenPerson()
      const connected = await connectAgent(kind, owner)
      const { refreshToken } = connected
      const first = await connected.agent.refresh(refreshToken)
      kind.advance(9_999)
      const second = await connected.agent.refresh(refreshToken)
      expect(second.refresh_token).not.toBe(first.refresh_token)
      for (const { refresh_token } of [first, second])
        expect((await connected.agent.refresh(refresh_token!)).token_type).toBe('bearer')
      // Counted from the first use, regardless of later ones.
      kind.advance(1)
      expect(await errorOf(refreshForm(refreshToken), connected.agent)).toBe('400 invalid_grant')
      const { body } = await kind.dashboard(owner).get('/api/connections')
      expect(body.connections[0].revokedAt).toBe(kind.now().toISOString())
    } finally {
      await kind.close()
    }
  })
})

describe('revocation', () => {
  test.each(['accessToken', 'refreshToken'] as const)(
    'by the %s ends the whole connection at the next call',
    async (which) => {
      const connected = await connectAgent(service, person, { agent })
      expect(await admission(connected.accessToken)).toBe('admitted')
      await agent.revoke(connected[which])
      expect(await admission(connected.accessToken)).toBe('token_revoked')
      expect(await errorOf(refreshForm(connected.refreshToken))).toBe('400 invalid_grant')
      await agent.revoke(connected[which])
    },
  )

  test('of a token that is unknown or of another client succeeds and changes nothing', async () => {
    const { accessToken } = await connectAgent(service, person, { agent })
    const other = await registerAgent(service)
    await other.revoke(accessToken)
    await other.revoke('nonsense')
    expect(await admission(accessToken)).toBe('admitted')
  })
})

describe('the sweep', () => {
  test('removes what has expired, and a replay is still detected', async () => {
    const { form } = await givenCode()
    await agent.askForTokens(form)
    const unused = await givenCode()
    await agent.begin()
    service.advance(2 * 60 * minute)
    await deleteExpired(service.db, service.now())
    const count = async (table: 'authorization_requests' | 'access_tokens') =>
      (await service.db.selectFrom(table).select('expires_at').execute()).length
    expect(await count('authorization_requests')).toBe(0)
    expect(await count('access_tokens')).toBe(0)
    const grants = () =>
      service.db
        .selectFrom('grants')
        .select(['revoked_at'])
        .where('account_id', '=', person.accountId)
        .execute()
    expect(await grants()).toEqual([{ revoked_at: null }])
    expect(await errorOf(unused.form)).toBe('400 invalid_grant')
    expect(await errorOf(form)).toBe('400 invalid_grant')
    expect(await grants()).toEqual([{ revoked_at: service.now().toISOString() }])
    await deleteExpired(service.db, service.now())
    expect(await grants()).toHaveLength(1)
  })
})
