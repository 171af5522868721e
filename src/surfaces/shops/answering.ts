import type { Request, Response } from 'express'
import { ApiError, errorBody } from '../../core/errors.ts'
import { type RateLimit, rateLimits } from '../../core/rate_limits.ts'
import { parsedUrl } from '../../core/urls.ts'
import type { Seen } from '../../domain/site/site_figures.ts'
import type { FoundSite } from '../../queries/site/found_sites.ts'
import { type Address, addressOf, keyOf, type PageKind } from '../../site/address.ts'
import { answeringNow } from '../../site/answering_now.ts'
import { drawPage } from '../../site/draw.tsx'
import type { DrawnPage } from '../../site/kept_pages.ts'
import { siteFile } from '../../site/look/files.ts'
import { findSaleLink, saleLinkOf } from '../../site/sale_links.ts'
import { isByPerson, seenOn } from '../../site/seen.ts'
import { widgetLoader } from '../../site/widget.ts'
import { isWithinLimit } from '../call/limits.ts'
import { requireOwnOrigin } from '../call/own_origin.ts'
import { readPublished } from '../call/reads/databases.ts'
import { exchangeOf } from '../pages/pages.ts'
import { isEmbedded, openTo } from './embedding.ts'
import { isForCustomers, mustSignIn, notify, openShop, type ShopContext } from './opening.ts'
import type { OwnRequest } from './own_request.ts'
import { showPreview } from './previews.ts'
import { sendFile, sendPage, toOthers } from './sending.ts'
import { askToSignIn, type OwnKind, showOwnPage, takeOwnForm } from './visitor_pages.ts'

/** Kinds of pages that are drawn for one visitor. */
const ownKinds = new Map<PageKind, OwnKind>([
  ['signIn', 'signIn'],
  ['account', 'account'],
  ['feedback', 'feedback'],
  ['report', 'report'],
])

/** Pages of a shop for customers that strangers get, too: each shows no more of it than its name. */
const openToAll = new Set<PageKind>(['signIn', 'report'])

/** What pages of others read that show the widget. */
const readByWidget = new Set<PageKind>(['widget', 'assistant'])

/** Answers a request for a page or a file of a shop. */
export async function answer(
  context: ShopContext,
  request: Request,
  response: Response,
): Promise<void> {
  const file = siteFile(request.path)
  if (file) return sendFile(request, response, file)
  const address = addressOf(request.path, request.originalUrl.split('?')[1] ?? '')
  const site = await openShop(context, request, response, address.kind)
  if (!site) return
  const asked = { site, request, response }
  if (!openToAll.has(address.kind) && (await mustSignIn(context, asked)))
    return askToSignIn(context, asked)
  const ownKind = ownKinds.get(address.kind)
  if (ownKind) return showOwnPage(context, asked, ownKind)
  if (request.path.startsWith('/out/') && (await leave(context, site, request, response))) return
  const isSearch = address.kind === 'search'
  if (isSearch && !(await isWithin(context, rateLimits.searchesOfClient, site, response)))
    return notify(context, response, 'busy', { site })
  if (address.kind === 'loader') return sendLoader(context, response, site)
  if (readByWidget.has(address.kind) && !admitPage(context, asked)) return
  if (address.kind === 'assistant') return sendState(context, asked)
  const page = await pageOf(context, site, address)
  sendPage(request, response, page, { isShared: !isForCustomers(site) && !isSearch })
  if (!isCounted(request)) return
  const seen = seenOn(address, request.path, page, request.headers)
  if (seen.length > 0) note(context, site, request, response, seen)
}

/** Takes a form of a page for one visitor. */
export async function take(
  context: ShopContext,
  request: Request,
  response: Response,
): Promise<void> {
  const address = addressOf(request.path, '')
  const site = await openShop(context, request, response, address.kind)
  if (!site) return
  const kind = ownKinds.get(address.kind)
  // Express takes /Sign-In/ for /sign-in, and no page of ours is called so.
  if (!kind) return notify(context, response, 'nowhere')
  requireOwnOrigin({ method: 'post', headers: request.headers }, context.urlOf(site))
  const asked = { site, request, response }
  if (!openToAll.has(kind) && (await mustSignIn(context, asked))) return askToSignIn(context, asked)
  await takeOwnForm(context, asked, kind)
}

export async function preview(
  context: ShopContext,
  request: Request,
  response: Response,
): Promise<void> {
  const found = await context.finder.find(request.headers.host)
  if (!found || found.site.isSuspended) return notify(context, response, 'nowhere')
  // Not at its own address, where a page elsewhere could lead visitors with a draft that nobody has judged.
  const shownIn = request.headers['sec-fetch-dest']
  if (shownIn !== undefined && shownIn !== 'iframe') return notify(context, response, 'refused')
  const url = context.urlOf(found.site)
  const isShown = await showPreview(context, found.site, url, { request, response })
  if (!isShown) notify(context, response, 'refused')
}

function pageOf(
  { service, shopOf, kept }: ShopContext,
  site: FoundSite,
  address: Address,
): Promise<DrawnPage> {
  const draw = async (earlier?: DrawnPage) => {
    const shop = await shopOf(site)
    return readPublished(service, site.workspaceId, (from) =>
      drawPage(from, shop, address, service.config, earlier),
    )
  }
  return address.kind === 'search' ? draw() : kept.read(site, keyOf(address), draw)
}

/** Leads to where a product is sold; false if there is no such link. */
async function leave(
  context: ShopContext,
  site: FoundSite,
  request: Request,
  response: Response,
): Promise<boolean> {
  const { workspaceId } = site
  const asked = saleLinkOf(request.path)
  const db = context.service.dbOf(workspaceId, 'read')
  const sale = asked && (await findSaleLink(db, workspaceId, asked))
  if (!sale) return false
  if (isCounted(request) && (await isWithin(context, rateLimits.clicksOfClient, site, response)))
    note(context, site, request, response, [
      ['click', sale.slug],
      ['shop', parsedUrl(sale.link)?.host ?? ''],
    ])
  response.set({ 'Cache-Control': 'no-store', 'X-Robots-Tag': 'noindex', ...toOthers })
  response.redirect(302, sale.link)
  return true
}

function isCounted({ method, headers }: Request): boolean {
  return method === 'GET' && isByPerson(headers)
}

function note(
  { figures }: ShopContext,
  { workspaceId, timeZone }: FoundSite,
  request: Request,
  response: Response,
  seen: Seen,
): void {
  const userAgent = request.headers['user-agent'] ?? ''
  const reader = { workspaceId, address: exchangeOf(response).clientIp, userAgent }
  figures.note(reader, seen, timeZone)
}

function isWithin(
  { service }: ShopContext,
  limit: RateLimit,
  { workspaceId }: FoundSite,
  response: Response,
): Promise<boolean> {
  return isWithinLimit(service, limit, `${workspaceId} ${exchangeOf(response).clientIp}`)
}

function sendLoader({ urlOf }: ShopContext, response: Response, site: FoundSite): void {
  const script = widgetLoader(site, urlOf(site)) ?? ''
  response.set({
    'Content-Type': 'text/javascript; charset=utf-8',
    // Its parts are named by their content: an old loader would ask for parts that are gone.
    'Cache-Control': isForCustomers(site) ? 'no-store' : 'public, max-age=300',
    'Cross-Origin-Resource-Policy': 'cross-origin',
  })
  response.end(script)
}

/**
 * Whether a page may read what the widget shows: one that the owner lists. Any other is told why not, which a
 * browser keeps from it by default. A cache must not give a page an answer for others.
 */
function admitPage({ urlOf }: ShopContext, { site, request, response }: OwnRequest): boolean {
  const { origin } = request.headers
  response.vary('Origin')
  if (origin === undefined || origin === urlOf(site)) return true
  openTo(origin, (name, value) => response.set(name, value))
  if (isEmbedded(site, origin)) return true
  const refusal = new ApiError('origin_refused', ['embedOriginUnlisted', { origin }])
  response.status(refusal.status).set('Cache-Control', 'no-store')
  response.json(errorBody(refusal, site.website.language))
  return false
}

async function sendState(context: ShopContext, { site, response }: OwnRequest): Promise<void> {
  const { service, shopOf } = context
  const db = service.dbOf(site.workspaceId, 'read')
  const { type, text } = await answeringNow(db, await shopOf(site), service.clock())
  response.set({ 'Cache-Control': 'no-store', 'X-Robots-Tag': 'noindex', 'Content-Type': type })
  response.end(text)
}
