import { createHash, createHmac, randomInt } from 'node:crypto'
import { createChallenge, type Payload, verifySolution } from 'altcha-lib'
import { deriveKey } from 'altcha-lib/algorithms/pbkdf2'
import type { ChallengeSettings } from '../core/config.ts'
import { ApiError } from '../core/errors.ts'

/** What a challenge is solved for. A solution made for one action opens no other. */
export const challengeActions = ['sign_in', 'chat', 'contact'] as const
export type ChallengeAction = (typeof challengeActions)[number]

/** The site of the dashboard's contact form, which is no workspace's. */
export const contactSite = 'contact'

/** What somebody who says that they are no robot is about to do. */
export interface ChallengeUse {
  /** The workspace, or the contact form of the dashboard. */
  site: string
  action: ChallengeAction
  clientIp: string
  now: Date
}

/** Proof that a person, or at least a patient machine, stands behind a call. */
export interface BotChallenge {
  /** What a page's widget is set up with. */
  siteKey(site: string): string
  /** Whether this token is good for this use; it is good once. */
  verify(token: string, use: ChallengeUse): Promise<boolean>
  /** Makes a challenge; absent where the challenge comes from somebody else's service. */
  issue?(site: string, action: ChallengeAction | undefined, now: Date): Promise<object>
}

/** Marks something as used until it expires; false when it was used before. */
export type Spend = (fingerprint: Buffer, expiresAt: Date) => Promise<boolean>

const validMilliseconds = 10 * 60_000
/** What a solution costs: the rounds of one attempt, and between how many attempts it lies. */
export interface Effort {
  cost: number
  least: number
  most: number
}
/** About 0.7 seconds of a browser's time. */
const usualEffort: Effort = { cost: 2000, least: 500, most: 1500 }

/** ALTCHA's proof of work, made and checked here: no other service sees the visitor. */
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
      // A challenge that was asked for without an action serves any, and still only one of them.
      if (data?.site !== site || (data.action !== undefined && data.action !== action)) return false
      if (typeof expiresAt !== 'number' || expiresAt * 1000 <= now.getTime()) return false
      const { verified } = await verifySolution({ challenge, solution, deriveKey, ...secrets })
      // The library takes the same solution again and again; the database takes it once.
      return verified && spend(fingerprintOf(challenge.signature), new Date(expiresAt * 1000))
    },
  }
}

/**
 * The widget's answer: base64 of JSON. What is none is an answer that is wrong, and so is one whose
 * signature is no text, which the library would stumble over.
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
  /** Turnstile repeats what the widget was set up with; hCaptcha knows neither. */
  action?: string
  cdata?: string
}

/**
 * Turnstile and hCaptcha speak the same protocol: a form post of secret, response and client, and a
 * verdict in JSON. Both take a token once, and so do we.
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
    // Who cannot be asked has not said that the token is wrong.
  }
  throw new ApiError('unavailable', 'challengeUnchecked', undefined, 5)
}
