import type { Kysely } from 'kysely'
import type { Database } from '../../src/db/schema.ts'
import type { MailServer } from './loopback_mail.ts'
import type { Store } from './loopback_store.ts'

/** A shop whose owner attacks, or is bothered. */
export interface Target {
  workspaceId: string
  apiKey: string
  /** An agent's access token. */
  token: string
}

/** The addresses of a service with the usual limits. */
export interface UsualService {
  api: string
  dashboard: string
  /** What its pages take for their own origin. */
  dashboardUrl: string
}

/** A running service, on loopback, and what an attack needs to know of it. */
export interface Scene {
  /** The address of the API; always loopback. */
  origin: string
  /** Another process with the same data and the usual limits, which trusts one proxy. */
  usual: UsualService
  attacker: Target
  /** For what would take too long over HTTP, such as the attacker's own long texts. */
  db: Kysely<Database>
  /** Where the service keeps media. */
  store: Pick<Store, 'hang' | 'resume'>
  /** Where the service sends mails. */
  mail: Pick<MailServer, 'take' | 'next'>
  /** How many times an attack is tried: its `full` number, or fewer in a test. */
  times: (full: number) => number
  /** How long the owner of an address waits for a code: longer in a test, which measures nothing. */
  codeMilliseconds: number
  /** How long another account's picture may take, for nine of ten of them; longer in a test, too. */
  uploadMilliseconds: number
  /** How long an attacker's own writes may take, for 99 of 100 of them; longer in a test, too. */
  writeMilliseconds: number
}

/** How many requests were sent, and how many of them refused. */
export interface AttackOutcome {
  sent: number
  refused: number
  /** What the attack achieved, if it did. */
  broken?: string | undefined
}

/** What an attack may cost at most. */
export interface Allowed {
  /** The longest that a call of another account may take. */
  milliseconds: number
  /** Times the p90 before the attack that a call of another account may take. */
  timesQuietP90: number
  /** Memory of the service beyond what it had before, in each of its processes. */
  megabytes: number
}

/** One row of the table: something that a cheap client tries. */
export interface Attack {
  name: string
  /** What is tried, in a few words. */
  tried: string
  /** What it may cost, if that is less than for others. */
  allowed?: Partial<Allowed>
  /** Whether it attacks the service with the usual limits, where another account is then watched. */
  isUsual?: boolean
  /** What the attacker does beforehand on the same machine, which is no part of the attack. */
  prepare?: () => Promise<void>
  run: (scene: Scene) => Promise<AttackOutcome>
}

/** A request whose answer is read and dropped; the status, or 0 if the connection ended. */
export async function statusOf(
  { origin }: Pick<Scene, 'origin'>,
  path: string,
  init: RequestInit & { token: string },
): Promise<number> {
  const headers = { Authorization: `Bearer ${init.token}`, ...init.headers }
  try {
    const response = await fetch(`${origin}${path}`, {
      ...init,
      headers,
      signal: AbortSignal.any([AbortSignal.timeout(30_000), ...(init.signal ? [init.signal] : [])]),
    })
    for await (const part of response.body ?? []) void part
    return response.status
  } catch {
    return 0
  }
}

export function outcomeOf(statuses: number[]): AttackOutcome {
  const refused = statuses.filter((status) => status < 200 || status >= 300)
  return { sent: statuses.length, refused: refused.length }
}
