import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { connectAgent } from './agent_flow.ts'
import { startService, type TestService } from './service.ts'

let service: TestService
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service.close())

describe('the token endpoint', () => {
  test('exchanges a code and rotates the refresh token that came with it', async () => {
    const person = await service.givenPerson()
    const { agent, refreshToken, scope } = await connectAgent(service, person)
    expect(scope).toBe('account:read workspaces:read')
    const next = await agent.refresh(refreshToken)
    expect(next).toEqual({
      access_token: expect.stringMatching(/^wsa_dev_[\w-]{49}$/),
      token_type: 'bearer',
      expires_in: 3600,
      scope,
      refresh_token: expect.stringMatching(/^wsr_dev_[\w-]{49}$/),
    })
    expect(next.refresh_token).not.toBe(refreshToken)
  })
})
