import express from 'express'
import type { SiteFigures } from '../domain/site/site_figures.ts'
import type { FoundSite } from '../queries/site/found_sites.ts'
import type { SiteNames } from '../site/hosts.ts'
import { createKeptPages } from '../site/kept_pages.ts'
import { createKnownShops } from '../site/known_shops.ts'
import { createSiteFinder } from '../site/site_finder.ts'
import type { Service } from './call/call.ts'
import type { Router } from './call/router.ts'
import { serveChallenges } from './endpoints/challenge.ts'
import type { Surface } from './origin.ts'
import { mailedAddressAt } from './pages/mailed_address.ts'
import { serveGet } from './pages/pages.ts'
import { shopAddress } from './shop_address.ts'
import { answer, preview, take } from './shops/answering.ts'
import { createShopDoor, servedOperations } from './shops/door.ts'
import { answerPreflight } from './shops/embedding.ts'
import { createFormReader } from './shops/forms.ts'
import { createShopMcp } from './shops/mcp.ts'
import { safely, type ShopContext } from './shops/opening.ts'
import { visitorCookies } from './shops/visitor_cookies.ts'

/**
 * The origin of the shops: each has a name before `SITE_DOMAIN`, and its published pages are drawn here.
 * The host identifies the shop; apart from that, only the path and known parameters of a request affect a
 * page. Only visitors who write or sign in get cookies.
 */
export function createSiteSurface(
  service: Service,
  router: Router,
  { siteDomain, figures }: { siteDomain: string; figures: SiteFigures },
): Surface {
  const { config, db, dbOf } = service
  const urlOf = (names: SiteNames) => shopAddress(config, names) ?? ''
  const anyShop = urlOf({ subDomain: 'shop', domain: null })
  const finder = createSiteFinder({ db, clock: () => service.clock(), siteDomain })
  const cookies = visitorCookies(config, anyShop)
  const door = createShopDoor({ service, finder, cookies, figures, urlOf })
  const knownShops = createKnownShops()
  // Each shop has a share of the connections, as each account does.
  const shopOf = (site: FoundSite) => knownShops(dbOf(site.workspaceId, 'read'), site, urlOf(site))
  const context: ShopContext = {
    service,
    router,
    door,
    finder,
    cookies,
    figures,
    urlOf,
    shopOf,
    readForm: createFormReader(),
    mailed: mailedAddressAt(anyShop),
    kept: createKeptPages(),
  }
  const pages = express.Router()
  serveChallenges(pages, service)
  pages.post('/preview', safely(context, preview))
  pages.post(['/sign-in', '/account', '/feedback', '/report'], safely(context, take))
  serveGet(pages, '/{*path}', safely(context, answer))
  return {
    name: 'site',
    door,
    operations: servedOperations,
    flatUrls: false,
    crossOrigin: false,
    preflight: (request, response) => answerPreflight(finder, request, response),
    pages,
    endpoint: createShopMcp({ service, finder, urlOf }),
  }
}
