import { setImmediate } from 'node:timers/promises'
import type { Kysely } from 'kysely'
import type { Database } from '../db/schema.ts'
import type { FoundSite } from '../queries/site/found_sites.ts'
import { findSiteAt, hostOf } from './hosts.ts'

/** How long a shop stays open while the database cannot be asked about it. */
const rememberedMilliseconds = 60_000
const maxRemembered = 1000

interface RememberedSite {
  site: FoundSite
  at: number
}

export interface FoundHost {
  site: FoundSite
  /** Whether the site's pages are at this host; else they are at another. */
  isCurrent: boolean
}

/**
 * Finds the site that a host names. While the database is away, a site that was open within the last
 * minute is found as it was, so that pages in memory outlast a failover.
 */
export function createSiteFinder(parts: {
  db: Kysely<Database>
  clock: () => Date
  siteDomain: string
}) {
  const { db, clock, siteDomain } = parts
  const remembered = new Map<string, RememberedSite>()
  /** What is being read again, by host and the version that had been seen before. */
  const reading = new Map<string, Promise<FoundSite | undefined>>()

  function remember(host: string, site: FoundSite | undefined): void {
    remembered.delete(host)
    if (!site) return
    remembered.set(host, { site, at: clock().getTime() })
    const [oldest] = remembered.keys()
    if (remembered.size > maxRemembered && oldest !== undefined) remembered.delete(oldest)
  }

  const findNow = (host: string, last?: FoundSite) =>
    findSiteAt(db, siteDomain, host, { now: clock(), last })

  /**
   * A distributed database may read the version later than what stands beside it. What is read once a version
   * has been seen is of that version or a later one, for all who have seen it meanwhile.
   */
  async function readAgain(host: string, version: string): Promise<FoundSite | undefined> {
    const key = `${host} ${version}`
    const known = reading.get(key)
    if (known) return known
    const found = findNow(host).then((site) => site && { ...site, version })
    reading.set(key, found)
    try {
      return await found
    } finally {
      reading.delete(key)
    }
  }

  const foundAt = (host: string, site: FoundSite): FoundHost => ({
    site,
    isCurrent: hostOf(siteDomain, site) === host,
  })

  async function read(host: string): Promise<FoundHost | undefined> {
    const last = remembered.get(host)
    try {
      let site = await findNow(host, last?.site)
      if (site && site.version !== last?.site.version) site = await readAgain(host, site.version)
      remember(host, site)
      return site && foundAt(host, site)
    } catch (error) {
      if (!last || clock().getTime() - last.at > rememberedMilliseconds) throw error
      return foundAt(host, last.site)
    }
  }

  /** Hosts that are read once all who ask in this turn of the event loop have asked. */
  const asked = new Map<string, Promise<FoundHost | undefined>>()

  return {
    /** Many visitors of one shop share a reading, which begins after each of them has asked. */
    find(host: string | undefined): Promise<FoundHost | undefined> {
      if (host === undefined) return Promise.resolve(undefined)
      const shared = asked.get(host)
      if (shared) return shared
      const found = setImmediate().then(() => {
        asked.delete(host)
        return read(host)
      })
      asked.set(host, found)
      return found
    },
  }
}

export type SiteFinder = ReturnType<typeof createSiteFinder>
