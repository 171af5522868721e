import type { Access } from '../../access/access.ts'
import type { RateVerdict } from '../../adapters/rate_store.ts'
import { bearerOf, hashToken } from '../../core/secrets.ts'

/** Credentials that have used up a limit. */
export interface Exhausted {
  remember(credential: Credential, access: Access, verdict: RateVerdict): void
  /** What is known of a credential whose window has not ended. */
  find(credential: Credential): { access: Access; verdict: RateVerdict } | undefined
}

interface Credential {
  authorization: string | undefined
  /** The name of the limit: a credential has one for each part of the API. */
  limit: string
}

const maxRemembered = 10_000

/**
 * Refuses an exhausted credential without a query until its window ends: a client that floods the service
 * must not keep the database busy. The count is full, so skipping it loses nothing. If the key is revoked
 * meanwhile, its client hears of the limit first and of the revocation afterwards.
 */
export function createExhausted(): Exhausted {
  const remembered = new Map<string, { access: Access; verdict: RateVerdict }>()

  return {
    remember(credential, access, verdict) {
      const name = nameOf(credential)
      remembered.delete(name)
      remembered.set(name, { access, verdict })
      if (remembered.size > maxRemembered) remembered.delete(remembered.keys().next().value!)
    },
    find(credential) {
      // Usually there is none, which saves the hash.
      if (remembered.size === 0) return undefined
      const name = nameOf(credential)
      const found = remembered.get(name)
      if (!found) return undefined
      const milliseconds = found.verdict.resetsAt - Date.now()
      if (milliseconds > 0) {
        const resetSeconds = Math.ceil(milliseconds / 1000)
        return { access: found.access, verdict: { ...found.verdict, resetSeconds } }
      }
      remembered.delete(name)
      return undefined
    },
  }
}

/** Its hash: secrets are not kept in memory for longer than a call. */
function nameOf({ authorization, limit }: Credential): string {
  return `${limit} ${hashToken(bearerOf(authorization) ?? '').toString('base64')}`
}
