import { expect } from 'vitest'
import type { Scene } from '../every_operation/fixtures.ts'
import { unique } from '../kit/service.ts'

export type Headers = Record<string, string>

export const newAddress = () => `${unique('customer')}@example.com`
const wrongFor = (code: string) => (code === '000000' ? '000001' : '000000')

export const invalid = {
  status: 401,
  code: 'code_invalid',
  message: 'The code is wrong, expired or used.',
}

/** Calls of customers in the current scene. */
export function customerCallsIn(scene: () => Scene) {
  const at = (path: string, place = scene()) =>
    `/v1/workspaces/${place.workspace.id}/experience/customer/${path}`
  const post = (path: string, body: object = {}, headers: Headers = {}) =>
    scene().service.api(scene().key).post(at(path)).set(headers).send(body)
  const get = (path: string, headers: Headers) =>
    scene().service.api(scene().key).get(at(path)).set(headers)
  const request = (email: string, change: object = {}, headers: Headers = {}) =>
    post('otp/request', { name: 'Ece Demir', email, ...change }, headers)
  const verify = (email: string, code: string) => post('otp/verify', { email, code })

  async function setChallenge(challenge: 'OFF' | 'GUESTS' | 'ALWAYS'): Promise<void> {
    const path = `/v1/workspaces/${scene().workspace.id}/website`
    await scene()
      .service.api(scene().key)
      .put(path)
      .send({ accessPolicy: { challenge } })
      .expect(200)
  }

  async function givenCode(email = newAddress(), change: object = {}) {
    expect((await request(email, change)).status).toBe(202)
    const code = await scene().service.codeFor(email)
    return { email, code, wrong: wrongFor(code) }
  }

  return { at, post, get, request, verify, setChallenge, givenCode }
}
