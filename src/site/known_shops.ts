import type { Kysely } from 'kysely'
import type { Database } from '../db/schema.ts'
import type { FoundSite } from '../queries/site/shop_windows.ts'
import { loadShop, type Shop } from './shop.ts'

const maxKnown = 200

/**
 * Shops as they were loaded last, by the version of their pages: what every page of a shop shows is read
 * once for all pages that are drawn after a change.
 */
export function createKnownShops(max = maxKnown) {
  const shops = new Map<string, Promise<Shop>>()

  return function shopOf(db: Kysely<Database>, site: FoundSite, url: string): Promise<Shop> {
    const key = `${site.workspaceId} ${site.version} ${url}`
    const shop = shops.get(key) ?? loadShop(db, site, url)
    // The order of a map is that of insertion: what was used moves to its end.
    shops.delete(key)
    shops.set(key, shop)
    shop.catch(() => shops.delete(key))
    if (shops.size > max) shops.delete(shops.keys().next().value!)
    return shop
  }
}
