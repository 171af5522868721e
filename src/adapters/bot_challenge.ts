import { createHash, createHmac, randomInt } from 'node:crypto'
import { createChallenge, type Payload, verifySolution } from 'altcha-lib'
import { deriveKey } from 'altcha-lib/algorithms/pbkdf2'
import type { ChallengeSettings } from '../settings/config.ts'
import { ApiError } from '../core/errors.ts'
import { minute } from '../core/time.ts'

/** What a challenge protects. A solution for one action is not valid for another. */
export const challengeActions = ['sign_in', 'chat', 'contact'] as const
export type ChallengeAction = (typeof challengeActions)[number]

/** Site key of the dashboard's contact form, which belongs to no workspace. */
export const contactSite = 'contact'

/** The use a solution is presented for. */
export interface ChallengeUse {
  /** The workspace, or the dashboard's contact form. */
  site: string
  action: ChallengeAction
  clientIp: string
  now: Date
}

/** Makes automated calls expensive. */
export interface BotChallenge {
  /** The site key for the page's widget. */
  siteKey(site: string): string
  /** Whether the token is valid for this use. A token is valid once. */
  verify(token: string, use: ChallengeUse): Promise<boolean>
  /** Issues a challenge; absent if a third-party service issues them. */
  issue?(site: string, action: ChallengeAction | undefined, now: Date): Promise<object>
}

/** Marks a solution as used until it expires; false if it was used before. */
export type Spend = (fingerprint: Buffer, expiresAt: Date) => Promise<boolean>

const validMilliseconds = 10 * minute
/** Cost of a solution: rounds per attempt, and the range of attempts. */
export interface Effort {
  cost: number
  least: number
  most: number
}
/** About 0.7 s in a browser. */
const usualEffort: Effort = { cost: 2000, least: 500, most: 1500 }

/** ALTCHA proof of work, self-hosted: no third party sees the visitor. */
export function altchaChallenge(
  secretKey: string,
  spend: Spend,
  effort: Effort = usualEffort,
): BotChallenge {
  const secret = (purpose: string) =>
    createHmac('sha256', secretKey).update(`challenge ${purpose}`).digest('base64url')
  const secrets = { hmacSignatureSecret: secret('form'), hmacKeySignatureSecret: secret('answer') }

  return {
    siteKey: (site) => site,
    issue: (site, action, now) =>
      createChallenge({
        algorithm: 'PBKDF2/SHA-256',
        cost: effort.cost,
        deriveKey,
        ...secrets,
        counter: randomInt(effort.least, effort.most),
        expiresAt: new Date(now.getTime() + validMilliseconds),
        data: { site, ...(action ? { action } : {}) },
      }),
    async verify(token, { site, action, now }) {
      const payload = payloadOf(token)
      if (!payload) return false
      const { challenge, solution } = payload
      const { data, expiresAt } = challenge.parameters
      // A challenge issued without an action is valid for any action, but only once.
      if (data?.site !== site || (data.action !== undefined && data.action !== action)) return false
      if (typeof expiresAt !== 'number' || expiresAt * 1000 <= now.getTime()) return false
      const { verified } = await verifySolution({ challenge, solution, deriveKey, ...secrets })
      // The library accepts the same solution repeatedly; the database accepts it once.
      return verified && spend(fingerprintOf(challenge.signature), new Date(expiresAt * 1000))
    },
  }
}

/**
 * Decodes the widget's payload, base64 of JSON. A malformed payload is a wrong answer; so is one
 * whose signature is not a string, which would make the library throw.
 */
function payloadOf(token: string): Payload | undefined {
  try {
    const value = JSON.parse(
      Buffer.from(token, 'base64').toString('utf8'),
    ) as Partial<Payload> | null
    const parameters: unknown = value?.challenge?.parameters
    if (typeof parameters !== 'object' || parameters === null) return undefined
    if (typeof value?.challenge?.signature !== 'string') return undefined
    return typeof value?.solution === 'object' ? (value as Payload) : undefined
  } catch {
    return undefined
  }
}

function fingerprintOf(text: string | undefined): Buffer {
  return createHash('sha256')
    .update(text ?? '')
    .digest()
}

const remote = {
  turnstile: 'https://challenges.cloudflare.com/turnstile/v0/siteverify',
  hcaptcha: 'https://api.hcaptcha.com/siteverify',
} as const

const answerMilliseconds = 3000

interface RemoteVerdict {
  success: boolean
  /** Turnstile echoes the widget's parameters; hCaptcha does not. */
  action?: string
  cdata?: string
}

/**
 * Turnstile and hCaptcha share a protocol: a form post with secret, response and client address,
 * answered with a JSON verdict. Both accept a token once, and so do we.
 */
export function remoteChallenge(
  settings: ChallengeSettings,
  spend: Spend,
  verifyUrl: string = remote[settings.provider],
): BotChallenge {
  return {
    siteKey: () => settings.siteKey,
    async verify(token, { site, action, clientIp, now }) {
      const form = { secret: settings.secretKey, response: token, remoteip: clientIp }
      const own = settings.provider === 'hcaptcha' ? { sitekey: settings.siteKey } : {}
      const verdict = await ask(verifyUrl, new URLSearchParams({ ...form, ...own }))
      if (!verdict.success) return false
      if (verdict.action && verdict.action !== action) return false
      if (verdict.cdata && verdict.cdata !== site) return false
      return spend(fingerprintOf(token), new Date(now.getTime() + validMilliseconds))
    },
  }
}

async function ask(url: string, body: URLSearchParams): Promise<RemoteVerdict> {
  try {
    const signal = AbortSignal.timeout(answerMilliseconds)
    const answer = await fetch(url, { method: 'POST', body, signal, redirect: 'error' })
    const verdict = (await answer.json()) as Partial<RemoteVerdict> | null
    if (typeof verdict?.success === 'boolean') return verdict as RemoteVerdict
  } catch {
    // An unreachable provider says nothing about the token.
  }
  throw new ApiError('unavailable', 'challengeUnchecked', undefined, 5)
}
