import type { Kysely } from 'kysely'
import { minute } from '../../core/time.ts'
import type { Database } from '../../db/schema.ts'
import { isHostedAddress } from '../../queries/agents/agent_addresses.ts'

interface Verdict {
  until: number
  isHosted: Promise<boolean>
}

const rememberedMilliseconds = minute
const maxRemembered = 10_000

/**
 * Whether agents of several accounts connect from an address. The answer is cached for a minute: an address
 * beyond its limits must not cause a query with each request.
 */
export function createHostedAddresses(
  db: Kysely<Database>,
  clock: () => Date,
): (address: string) => Promise<boolean> {
  const verdicts = new Map<string, Verdict>()
  return (address) => {
    const now = clock()
    const known = verdicts.get(address)
    if (known && known.until > now.getTime()) return known.isHosted
    const isHosted = isHostedAddress(db, address, now)
    // An error is no answer, so it is not cached.
    isHosted.catch(() => verdicts.delete(address))
    verdicts.delete(address)
    verdicts.set(address, { until: now.getTime() + rememberedMilliseconds, isHosted })
    const [oldest] = verdicts.keys()
    if (verdicts.size > maxRemembered && oldest !== undefined) verdicts.delete(oldest)
    return isHosted
  }
}
