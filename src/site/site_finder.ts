import type { Kysely } from 'kysely'
import type { Database } from '../db/schema.ts'
import { findSite, type FoundSite } from '../queries/site/shop_windows.ts'

/** How long a shop stays open while the database cannot be asked about it. */
const rememberedMilliseconds = 60_000
const maxRemembered = 1000

const label = /^[a-z0-9][a-z0-9-]{1,30}[a-z0-9]$/

interface Remembered {
  site: FoundSite
  at: number
}

/**
 * Finds the site that a host names: one label before the domain of the sites, exactly as it is stored.
 * While the database is away, a site that was open within the last minute is found as it was, so that
 * pages in memory outlast a failover.
 */
export function createSiteFinder(parts: {
  db: Kysely<Database>
  clock: () => Date
  siteDomain: string
}) {
  const { db, clock, siteDomain } = parts
  const remembered = new Map<string, Remembered>()

  function nameIn(host: string | undefined): string | undefined {
    const end = `.${siteDomain}`
    if (!host?.endsWith(end)) return undefined
    const name = host.slice(0, -end.length)
    return label.test(name) ? name : undefined
  }

  function remember(name: string, site: FoundSite | undefined): void {
    remembered.delete(name)
    if (!site) return
    remembered.set(name, { site, at: clock().getTime() })
    const [oldest] = remembered.keys()
    if (remembered.size > maxRemembered && oldest !== undefined) remembered.delete(oldest)
  }

  return {
    async find(host: string | undefined): Promise<{ site: FoundSite; name: string } | undefined> {
      const name = nameIn(host)
      if (name === undefined) return undefined
      const now = clock()
      try {
        const site = await findSite(db, { name, now })
        remember(name, site)
        return site && { site, name }
      } catch (error) {
        const last = remembered.get(name)
        if (!last || now.getTime() - last.at > rememberedMilliseconds) throw error
        return { site: last.site, name }
      }
    },
  }
}

export type SiteFinder = ReturnType<typeof createSiteFinder>
