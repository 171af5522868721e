import express, { type Request, type Response } from 'express'
import { type RateLimit, rateLimits } from '../core/rate_limits.ts'
import { parsedUrl } from '../core/urls.ts'
import type { Seen, SiteFigures } from '../domain/site/site_figures.ts'
import type { FoundSite } from '../queries/site/found_sites.ts'
import { type Address, addressOf, type PageKind, keyOf } from '../site/address.ts'
import { drawPage } from '../site/draw.tsx'
import { createKeptPages, type DrawnPage } from '../site/kept_pages.ts'
import { createKnownShops } from '../site/known_shops.ts'
import type { SiteNames } from '../site/hosts.ts'
import { siteFile } from '../site/look/files.ts'
import { drawNotice, type NoticeKind } from '../site/notices.tsx'
import { findSaleLink, saleLinkOf } from '../site/sale_links.ts'
import { isByPerson, seenOn } from '../site/seen.ts'
import { createSiteFinder } from '../site/site_finder.ts'
import { widgetLoader } from '../site/widget.ts'
import { apiErrorFor } from './call/answers.ts'
import type { Service } from './call/call.ts'
import { readPublished } from './call/reads/databases.ts'
import { isWithinLimit } from './call/limits.ts'
import { requireOwnOrigin } from './call/own_origin.ts'
import type { Router } from './call/router.ts'
import { serveChallenges } from './endpoints/challenge.ts'
import type { Surface } from './origin.ts'
import { shopAddress } from './shop_address.ts'
import { createShopDoor, servedOperations } from './shops/door.ts'
import { answerPreflight, isEmbedded, openTo } from './shops/embedding.ts'
import { createFormReader } from './shops/forms.ts'
import { createShopMcp } from './shops/mcp.ts'
import { showPreview } from './shops/previews.ts'
import { sendFile, sendOwnPage, sendPage, toOthers } from './shops/sending.ts'
import { visitorCookies } from './shops/visitor_cookies.ts'
import { createVisitorPages, type OwnKind, type OwnRequest } from './shops/visitor_pages.ts'
import { exchangeOf, serveGet } from './pages/pages.ts'

/** Kinds of pages that are drawn for one visitor. */
const ownKinds = new Map<PageKind, OwnKind>([
  ['signIn', 'signIn'],
  ['account', 'account'],
  ['feedback', 'feedback'],
  ['report', 'report'],
])

/**
 * The origin of the shops: each has a name before `SITE_DOMAIN`, and its pages are drawn here from what is
 * published. The host says which shop it is; nothing else of the request reaches a page but its path and
 * the parameters that pages know. Only visitors who write or sign in get cookies.
 */
export function createSiteSurface(
  service: Service,
  router: Router,
  { siteDomain, figures }: { siteDomain: string; figures: SiteFigures },
): Surface {
  const { config, db, dbOf } = service
  const clock = () => service.clock()
  const urlOf = (names: SiteNames) => shopAddress(config, names) ?? ''
  const finder = createSiteFinder({ db, clock, siteDomain })
  const cookies = visitorCookies(config, urlOf({ subDomain: 'shop', domain: null }))
  const door = createShopDoor({ service, finder, cookies, figures, urlOf })
  const readForm = createFormReader()
  const knownShops = createKnownShops()
  // A shop has a share of the connections, as an account has.
  const dbFor = ({ workspaceId }: FoundSite) => dbOf(workspaceId, 'read')
  const shopOf = (site: FoundSite) => knownShops(dbFor(site), site, urlOf(site))
  const own = createVisitorPages({
    service,
    router,
    door,
    cookies,
    figures,
    readForm,
    urlOf,
    shopOf,
  })
  const kept = createKeptPages()
  const pages = express.Router()

  function pageOf(site: FoundSite, address: Address): Promise<DrawnPage> {
    const draw = async () => {
      const shop = await shopOf(site)
      return readPublished(service, site.workspaceId, (from) =>
        drawPage(from, shop, address, config),
      )
    }
    return address.kind === 'search' ? draw() : kept.read(site, keyOf(address), draw)
  }

  async function leave(site: FoundSite, request: Request, response: Response): Promise<boolean> {
    const asked = saleLinkOf(request.path)
    const sale = asked && (await findSaleLink(dbFor(site), site.workspaceId, asked))
    if (!sale) return false
    if (isCounted(request) && (await isWithin(rateLimits.clicksOfClient, site, response)))
      note(site, request, response, [
        ['click', sale.slug],
        ['shop', parsedUrl(sale.link)?.host ?? ''],
      ])
    response.set({ 'Cache-Control': 'no-store', 'X-Robots-Tag': 'noindex', ...toOthers })
    response.redirect(302, sale.link)
    return true
  }

  const isCounted = ({ method, headers }: Request) => method === 'GET' && isByPerson(headers)

  function note(site: FoundSite, request: Request, response: Response, seen: Seen): void {
    const { workspaceId, timeZone } = site
    const userAgent = request.headers['user-agent'] ?? ''
    const reader = { workspaceId, address: exchangeOf(response).clientIp, userAgent }
    figures.note(reader, seen, timeZone)
  }

  function isWithin(limit: RateLimit, site: FoundSite, response: Response): Promise<boolean> {
    return isWithinLimit(service, limit, `${site.workspaceId} ${exchangeOf(response).clientIp}`)
  }

  function notify(response: Response, kind: NoticeKind, site?: FoundSite, as?: number): undefined {
    const { status: usual, text, policy } = drawNotice(kind, config.baseUrl, site)
    const status = as ?? usual
    if (kind === 'away') response.set('Retry-After', '5')
    if (kind === 'busy') response.set('Retry-After', '60')
    sendOwnPage(response, { status, plain: Buffer.from(text), policy })
    return undefined
  }

  /** The shop that is open at this host; undefined if the request has been answered. */
  async function openShop(
    request: Request,
    response: Response,
    kind?: PageKind,
  ): Promise<FoundSite | undefined> {
    const found = await finder.find(request.headers.host)
    if (!found) return notify(response, 'nowhere')
    const { site, isCurrent } = found
    if (site.isSuspended) return notify(response, 'suspended')
    // Pages of others name the address of before, and run what they get from there.
    const isForOthers = kind === 'loader' || kind === 'widget'
    if (!isCurrent && !isForOthers) {
      const path = request.originalUrl.startsWith('/') ? request.originalUrl : '/'
      response.set('Cache-Control', 'no-store')
      response.redirect(308, urlOf(site) + path)
      return undefined
    }
    const { visibility } = site.website.accessPolicy
    if (!site.isVisible || visibility === 'CLOSED') return notify(response, 'closed', site)
    return site
  }

  /** Whether a shop for customers has been asked by a visitor who is none. */
  async function mustSignIn(asked: OwnRequest): Promise<boolean> {
    return isForCustomers(asked.site) && !(await own.customerOf(asked))
  }

  async function answer(request: Request, response: Response): Promise<void> {
    const file = siteFile(request.path)
    if (file) return sendFile(request, response, file)
    const address = addressOf(request.path, request.originalUrl.split('?')[1] ?? '')
    const site = await openShop(request, response, address.kind)
    if (!site) return
    const asked = { site, request, response }
    if (address.kind !== 'signIn' && (await mustSignIn(asked))) return own.askToSignIn(asked)
    const ownKind = ownKinds.get(address.kind)
    if (ownKind) return own.show(asked, ownKind)
    if (request.path.startsWith('/out/') && (await leave(site, request, response))) return
    const isSearch = address.kind === 'search'
    if (isSearch && !(await isWithin(rateLimits.searchesOfClient, site, response)))
      return notify(response, 'busy', site)
    if (address.kind === 'loader') return sendLoader(response, site)
    if (address.kind === 'widget') openWidget(site, request, response)
    const page = await pageOf(site, address)
    sendPage(request, response, page, { isShared: !isForCustomers(site) && !isSearch })
    if (!isCounted(request)) return
    const seen = seenOn(address, request.path, page, request.headers)
    if (seen.length > 0) note(site, request, response, seen)
  }

  function sendLoader(response: Response, site: FoundSite): void {
    const script = widgetLoader(site, urlOf(site)) ?? ''
    response.set({
      'Content-Type': 'text/javascript; charset=utf-8',
      // Its parts are named by their content: an old loader would ask for parts that are gone.
      'Cache-Control': 'public, max-age=300',
      'Cross-Origin-Resource-Policy': 'cross-origin',
    })
    response.end(script)
  }

  /** A page that the owner lists may read it. A cache must not give that page an answer for others. */
  function openWidget(site: FoundSite, { headers }: Request, response: Response): void {
    response.vary('Origin')
    if (headers.origin !== undefined && isEmbedded(site, headers.origin))
      openTo(headers.origin, (name, value) => response.set(name, value))
  }

  /** Takes a form of a page for one visitor. */
  async function take(request: Request, response: Response): Promise<void> {
    const site = await openShop(request, response)
    if (!site) return
    const kind = ownKinds.get(addressOf(request.path, '').kind)
    // Express takes /Sign-In/ for /sign-in, and no page of ours is called so.
    if (!kind) return notify(response, 'nowhere')
    requireOwnOrigin({ method: 'post', headers: request.headers }, urlOf(site))
    const asked = { site, request, response }
    if (kind !== 'signIn' && (await mustSignIn(asked))) return own.askToSignIn(asked)
    await own.take(asked, kind)
  }

  async function preview(request: Request, response: Response): Promise<void> {
    const found = await finder.find(request.headers.host)
    if (!found || found.site.isSuspended) return notify(response, 'nowhere')
    const url = urlOf(found.site)
    const isShown = await showPreview({ service, readForm }, found.site, url, {
      request,
      response,
    })
    if (!isShown) notify(response, 'refused')
  }

  /** Answers with a page whatever goes wrong. */
  const safely =
    (work: typeof answer): typeof answer =>
    async (request, response) => {
      try {
        await work(request, response)
      } catch (error) {
        exchangeOf(response).error = error
        if (response.headersSent) return void response.destroy()
        const { status } = apiErrorFor(error)
        if (status < 500) return notify(response, 'refused', undefined, status)
        notify(response, status === 503 ? 'away' : 'fault')
      }
    }

  serveChallenges(pages, service)
  pages.post('/preview', safely(preview))
  pages.post(['/sign-in', '/account', '/feedback', '/report'], safely(take))
  serveGet(pages, '/{*path}', safely(answer))
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

function isForCustomers({ website }: FoundSite): boolean {
  return website.accessPolicy.visibility === 'SIGN_IN'
}
