import type { Request, Response } from 'express'
import type { FoundSite } from '../../queries/site/found_sites.ts'
import type { PageKind } from '../../site/address.ts'
import type { KeptPages } from '../../site/kept_pages.ts'
import { drawNotice, type NoticeKind } from '../../site/notices.tsx'
import type { SiteFinder } from '../../site/site_finder.ts'
import { apiErrorFor } from '../call/answers.ts'
import { exchangeOf } from '../pages/pages.ts'
import { customerOf, type OwnRequest, type VisitorContext } from './own_request.ts'
import { sendOwnPage } from './sending.ts'

/** What the pages of all shops are answered with. */
export interface ShopContext extends VisitorContext {
  finder: SiteFinder
  kept: KeptPages
}

/** What pages of others ask for by the address of before, and run or read where they are: a redirect takes it from them. */
const forOthers = new Set<PageKind>(['loader', 'widget', 'assistant'])

export type Work = (context: ShopContext, request: Request, response: Response) => Promise<void>

/** The shop that is open at this host; undefined if the request has been answered. */
export async function openShop(
  context: ShopContext,
  request: Request,
  response: Response,
  kind?: PageKind,
): Promise<FoundSite | undefined> {
  const { finder, urlOf } = context
  const found = await finder.find(request.headers.host)
  if (!found) return notify(context, response, 'nowhere')
  const { site, isCurrent } = found
  if (site.isSuspended) return notify(context, response, 'suspended')
  if (!isCurrent && !(kind && forOthers.has(kind))) {
    const path = request.originalUrl.startsWith('/') ? request.originalUrl : '/'
    response.set('Cache-Control', 'no-store')
    response.redirect(308, urlOf(site) + path)
    return undefined
  }
  if (isClosed(site) && kind !== 'report') return notify(context, response, 'closed', { site })
  return site
}

function isClosed({ isVisible, website }: FoundSite): boolean {
  return !isVisible || website.accessPolicy.visibility === 'CLOSED'
}

export function isForCustomers({ website }: FoundSite): boolean {
  return website.accessPolicy.visibility === 'SIGN_IN'
}

/** Whether a visitor sees nothing of a shop but its report page, which is open to all visitors. */
export async function isShutTo(context: VisitorContext, asked: OwnRequest): Promise<boolean> {
  return isClosed(asked.site) || mustSignIn(context, asked)
}

/** Whether a shop for customers has been asked by a visitor who is none. */
export async function mustSignIn(context: VisitorContext, asked: OwnRequest): Promise<boolean> {
  return isForCustomers(asked.site) && !(await customerOf(context, asked))
}

export function notify(
  { service }: Pick<ShopContext, 'service'>,
  response: Response,
  kind: NoticeKind,
  { site, status: as }: { site?: FoundSite; status?: number } = {},
): undefined {
  const { status: usual, text, policy } = drawNotice(kind, service.config.baseUrl, site)
  const status = as ?? usual
  if (kind === 'away') response.set('Retry-After', '5')
  if (kind === 'busy') response.set('Retry-After', '60')
  sendOwnPage(response, { status, plain: Buffer.from(text), policy })
  return undefined
}

/** Answers with a page whatever goes wrong. */
export function safely(context: ShopContext, work: Work) {
  return async (request: Request, response: Response): Promise<void> => {
    try {
      await work(context, request, response)
    } catch (error) {
      exchangeOf(response).error = error
      if (response.headersSent) return void response.destroy()
      const { status } = apiErrorFor(error)
      if (status < 500) return notify(context, response, 'refused', { status })
      notify(context, response, status === 503 ? 'away' : 'fault')
    }
  }
}
