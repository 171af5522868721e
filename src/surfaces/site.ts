import express, { type Request, type Response } from 'express'
import { ApiError } from '../core/errors.ts'
import { noneMatches } from '../core/etags.ts'
import { type RateLimit, rateLimits } from '../core/rate_limits.ts'
import type { FoundSite } from '../queries/site/shop_windows.ts'
import { type Address, addressOf, keyOf } from '../site/address.ts'
import { drawPage, type DrawnPage } from '../site/draw.tsx'
import { createKeptPages } from '../site/kept_pages.ts'
import { siteFile } from '../site/look/files.ts'
import { drawNotice, type NoticeKind } from '../site/notices.tsx'
import { countSaleClick, findSaleLink, isByPerson, saleLinkOf } from '../site/sale_links.ts'
import { createSiteFinder } from '../site/site_finder.ts'
import { apiErrorFor } from './call/answers.ts'
import type { Door, Service } from './call/call.ts'
import { isWithinLimit } from './call/limits.ts'
import type { Surface } from './origin.ts'
import { shopAddress } from './shop_address.ts'
import { exchangeOf, serveGet } from './pages/pages.ts'

/** No operation of the contract is served here, so nobody is admitted. */
const door: Door = {
  authenticate: () => Promise.reject(new ApiError('unauthenticated', 'credentialMalformed')),
  authorise: () => undefined,
  actorType: () => 'SYSTEM',
}

/**
 * The origin of the shops: each has a name before `SITE_DOMAIN`, and its pages are drawn here from what is
 * published. The host says which shop it is; nothing else of the request reaches a page but its path and
 * the parameters that pages know.
 */
export function createSiteSurface(service: Service, siteDomain: string): Surface {
  const { config, db, dbOf } = service
  const clock = () => service.clock()
  const urlOf = (subDomain: string) => shopAddress(config, subDomain) ?? ''
  const finder = createSiteFinder({ db, clock, siteDomain })
  const kept = createKeptPages()
  /** Pages that are being drawn: those who ask meanwhile wait for the same one. */
  const drawing = new Map<string, Promise<DrawnPage>>()
  const pages = express.Router()

  async function pageOf(site: FoundSite, address: Address): Promise<DrawnPage> {
    const key = `${site.workspaceId} ${site.version} ${keyOf(address)}`
    const found = kept.find(key)
    if (found) return { ...found, status: 200 }
    const isShared = address.kind !== 'search'
    const running = isShared ? drawing.get(key) : undefined
    if (running) return running
    // A shop has a share of the connections, as an account has.
    const places = { url: urlOf(site.subDomain), baseUrl: config.baseUrl }
    const drawn = drawPage(dbOf(site.workspaceId, 'read'), site, address, places)
    if (!isShared) return drawn
    drawing.set(key, drawn)
    try {
      const page = await drawn
      if (page.status === 200) kept.keep(key, page)
      return page
    } finally {
      drawing.delete(key)
    }
  }

  async function leave(site: FoundSite, request: Request, response: Response): Promise<boolean> {
    const asked = saleLinkOf(request.path)
    const sale =
      asked && (await findSaleLink(dbOf(site.workspaceId, 'read'), site.workspaceId, asked))
    if (!sale) return false
    if (
      request.method === 'GET' &&
      isByPerson(request.headers) &&
      (await isWithin(rateLimits.clicksOfClient, site, response))
    )
      await countSaleClick(dbOf(site.workspaceId, 'write'), site.workspaceId, sale, clock())
    response.set({ 'Cache-Control': 'no-store', 'X-Robots-Tag': 'noindex' })
    response.redirect(302, sale.link)
    return true
  }

  function isWithin(limit: RateLimit, site: FoundSite, response: Response): Promise<boolean> {
    return isWithinLimit(service, limit, `${site.workspaceId} ${exchangeOf(response).clientIp}`)
  }

  function notify(response: Response, kind: NoticeKind, site?: FoundSite): void {
    const { status, text, policy } = drawNotice(kind, config.baseUrl, site)
    if (kind === 'away') response.set('Retry-After', '5')
    if (kind === 'busy') response.set('Retry-After', '60')
    sendNotice(response, status, Buffer.from(text), policy)
  }

  async function answer(request: Request, response: Response): Promise<void> {
    const file = siteFile(request.path)
    if (file) return sendFile(request, response, file)
    const found = await finder.find(request.headers.host)
    if (!found) return notify(response, 'nowhere')
    const { site, name } = found
    if (site.isSuspended) return notify(response, 'suspended')
    if (site.subDomain !== name) {
      const path = request.originalUrl.startsWith('/') ? request.originalUrl : '/'
      response.set('Cache-Control', 'no-store').redirect(308, urlOf(site.subDomain) + path)
      return
    }
    const { visibility } = site.website.accessPolicy
    if (!site.isVisible || visibility === 'CLOSED') return notify(response, 'closed', site)
    if (visibility === 'SIGN_IN') return notify(response, 'signIn', site)
    if (request.path.startsWith('/out/') && (await leave(site, request, response))) return
    const address = addressOf(request.path, request.originalUrl.split('?')[1] ?? '')
    const isSearch = address.kind === 'search'
    if (isSearch && !(await isWithin(rateLimits.searchesOfClient, site, response)))
      return notify(response, 'busy', site)
    sendPage(request, response, await pageOf(site, address), address)
  }

  serveGet(pages, '/{*path}', async (request, response) => {
    try {
      await answer(request, response)
    } catch (error) {
      exchangeOf(response).error = error
      if (response.headersSent) return void response.destroy()
      notify(response, apiErrorFor(error).status === 503 ? 'away' : 'fault')
    }
  })
  return { name: 'site', door, operations: [], flatUrls: false, crossOrigin: false, pages }
}

/** Pages may be kept by anyone and must be asked for again each time: a change is seen at once. */
function sendPage(request: Request, response: Response, page: DrawnPage, { kind }: Address): void {
  const { status, type, etag, policy, isListed } = page
  const isKept = status === 200 && kind !== 'search'
  response.set('Cache-Control', isKept ? 'public, no-cache' : 'no-store')
  if (!isListed) response.set('X-Robots-Tag', 'noindex')
  if (policy !== undefined) setPolicy(response, policy)
  response.set('Vary', 'Accept-Encoding')
  if (isKept) {
    response.set('ETag', etag)
    const ifNoneMatch = request.get('If-None-Match')
    if (ifNoneMatch !== undefined && noneMatches(ifNoneMatch, etag.slice(2)))
      return void response.status(304).end()
  }
  response.status(status).set('Content-Type', type)
  sendBytes(request, response, page)
}

function sendFile(
  request: Request,
  response: Response,
  file: { type: string; plain: Buffer; brotli: Buffer | undefined },
): void {
  response.set({
    'Cache-Control': 'public, max-age=31536000, immutable',
    'Content-Type': file.type,
    Vary: 'Accept-Encoding',
  })
  sendBytes(request, response, file)
}

function sendBytes(
  request: Request,
  response: Response,
  { plain, brotli }: { plain: Buffer; brotli: Buffer | undefined },
): void {
  const isCompressed = brotli !== undefined && request.acceptsEncodings(['br']) === 'br'
  const bytes = isCompressed ? brotli : plain
  if (isCompressed) response.set('Content-Encoding', 'br')
  response.set('Content-Length', String(bytes.length)).end(bytes)
}

function sendNotice(response: Response, status: number, bytes: Buffer, policy: string): void {
  setPolicy(response, policy)
  response.set({ 'Cache-Control': 'no-store', 'X-Robots-Tag': 'noindex' })
  response.status(status).set('Content-Type', 'text/html; charset=utf-8')
  response.set('Content-Length', String(bytes.length)).end(bytes)
}

function setPolicy(response: Response, policy: string): void {
  response.set('Content-Security-Policy', policy)
  response.set('Cross-Origin-Embedder-Policy', 'require-corp')
  // Other shops learn which shop sent a visitor, and not which page.
  response.set('Referrer-Policy', 'strict-origin-when-cross-origin')
}
