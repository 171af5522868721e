import { type Challenge, solveChallenge } from 'altcha-lib'
import { deriveKey } from 'altcha-lib/algorithms/pbkdf2'
import type { TestService } from './service.ts'

/** The ALTCHA widget's payload: base64 of the challenge and its solution. */
export async function solutionOf(challenge: Challenge): Promise<string> {
  const solution = await solveChallenge({ challenge, deriveKey })
  return Buffer.from(JSON.stringify({ challenge, solution })).toString('base64')
}

/** Fetches a challenge like a page and solves it. */
export async function solvedChallenge(
  service: TestService,
  siteKey: string,
  action?: string,
): Promise<string> {
  const query = new URLSearchParams({ siteKey, ...(action ? { action } : {}) })
  const { body } = await service.api().get(`/challenge?${query.toString()}`).expect(200)
  return solutionOf(body as Challenge)
}
