import type { Request, Response } from 'express'
import { findShopVisitor, keepSignedIn } from '../../access/visitors.ts'
import type { SiteFigures } from '../../domain/site/site_figures.ts'
import { operations } from '../../generated/operations.ts'
import type { OperationId } from '../../operation.ts'
import type { FoundSite } from '../../queries/site/found_sites.ts'
import { asPage } from '../../site/draw.tsx'
import type { SiteNames } from '../../site/hosts.ts'
import type { SentForm } from '../../site/pages/visitor.tsx'
import type { Shop, ShopPage } from '../../site/shop.ts'
import type { MailedAddress } from '../pages/mailed_address.ts'
import { callFromPage, type CallParts, type Refusal } from '../pages/page_calls.ts'
import type { ReadForm } from './forms.ts'
import { sendOwnPage } from './sending.ts'
import type { VisitorCookies } from './visitor_cookies.ts'

/** What the pages of visitors are answered with. */
export interface VisitorContext extends CallParts {
  cookies: VisitorCookies
  figures: SiteFigures
  readForm: ReadForm
  urlOf: (names: SiteNames) => string
  shopOf: (site: FoundSite) => Promise<Shop>
  mailed: MailedAddress
}

/** A request to a shop for a page of its visitor. */
export interface OwnRequest {
  site: FoundSite
  request: Request
  response: Response
}

/** The customer who is signed in here, whose session is extended. */
export async function customerOf(
  { service, cookies }: Pick<VisitorContext, 'service' | 'cookies'>,
  { site, request }: Pick<OwnRequest, 'site' | 'request'>,
) {
  const { config, db } = service
  const { workspaceId } = site
  const circumstances = { config, now: service.clock(), workspaceId }
  const credentials = cookies.read(request.headers.cookie)
  if (credentials.session === undefined) return undefined
  const visitor = await findShopVisitor(db, circumstances, credentials)
  if (visitor?.type !== 'CUSTOMER') return undefined
  await keepSignedIn(db, { site: { workspaceId }, visitor }, circumstances)
  return visitor
}

export function call<T>(
  context: VisitorContext,
  own: OwnRequest,
  operationId: OperationId,
  { body, names = {} }: { body?: unknown; names?: Record<string, string> } = {},
) {
  const isInShop = operations[operationId].path.includes('{workspaceId}')
  const params = isInShop ? { workspaceId: own.site.workspaceId, ...names } : names
  // Refusals and mails speak the shop's language, as the page does.
  const headers = { 'accept-language': own.site.website.language }
  return callFromPage<T>(context, own, { operationId, params, body, headers })
}

export async function draw(
  { shopOf, service }: VisitorContext,
  { site, response }: OwnRequest,
  make: (shop: Shop) => ShopPage,
  status = 200,
): Promise<void> {
  const shop = await shopOf(site)
  const page = await asPage(shop, make(shop), service.config)
  sendOwnPage(response, { ...page, status })
}

/** What is wrong, at the fields that the form shows, or else of the whole. */
export function faultsOf({ message, fieldErrors }: Refusal, shown: readonly string[]): SentForm {
  const faults = Object.entries(fieldErrors)
  if (faults.length > 0 && faults.every(([name]) => shown.includes(name)))
    return { faults: fieldErrors }
  return { fault: faults[0]?.[1] ?? message }
}

export function setRetryAfter({ response }: OwnRequest, { retryAfter }: Refusal): void {
  if (retryAfter !== undefined) response.set('Retry-After', retryAfter)
}

/** By a GET, which can be reloaded. */
export function redirect({ response }: OwnRequest, path: string): void {
  response.set('Cache-Control', 'no-store').redirect(303, path)
}
