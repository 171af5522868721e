import { expect } from 'vitest'
import { type TestService, unique } from '../kit/service.ts'

export const newAddress = () => `${unique('visitor')}@example.com`
export const wrongFor = (code: string) => (code === '000000' ? '000001' : '000000')

/** Requests sign-in codes at the service's dashboard, and reads the mailed codes. */
export function signInCodesOf(service: () => TestService) {
  const request = (email: string) => service().dashboard().post('/api/session/code').send({ email })

  async function givenCode(email = newAddress()) {
    expect((await request(email)).status).toBe(202)
    const code = await service().codeFor(email)
    return { email, code, wrong: wrongFor(code) }
  }

  return { request, givenCode }
}
