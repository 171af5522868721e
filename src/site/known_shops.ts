import type { Kysely } from 'kysely'
import type { Database } from '../db/schema.ts'
import type { FoundSite } from '../queries/site/found_sites.ts'
import { loadShop, type Shop } from './shop.ts'

const maxKnown = 200

interface KnownShop {
  version: string
  url: string
  shop: Promise<Shop>
}

/**
 * Shops as they were loaded last, with the version of their pages: what every page of a shop shows is read
 * once for all pages that are drawn after a change.
 */
export function createKnownShops(max = maxKnown) {
  const shops = new Map<string, KnownShop>()

  return function shopOf(db: Kysely<Database>, site: FoundSite, url: string): Promise<Shop> {
    const { workspaceId, version } = site
    const known = shops.get(workspaceId)
    const isCurrent = known?.version === version && known.url === url
    const current = isCurrent ? known : { version, url, shop: loadShop(db, site, url) }
    // The order of a map is that of insertion: what was used moves to its end.
    shops.delete(workspaceId)
    shops.set(workspaceId, current)
    current.shop.catch(() => shops.get(workspaceId) === current && shops.delete(workspaceId))
    if (shops.size > max) shops.delete(shops.keys().next().value!)
    return current.shop
  }
}
