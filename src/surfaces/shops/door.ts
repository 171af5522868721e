import type { Access, Visit } from '../../access/access.ts'
import { deviceAt } from '../../access/pages.ts'
import { findShopVisitor, guestIdOf } from '../../access/visitors.ts'
import { ApiError } from '../../core/errors.ts'
import { rateLimits } from '../../core/rate_limits.ts'
import type { SiteFigures } from '../../domain/site/site_figures.ts'
import { operations } from '../../generated/operations.ts'
import type { OperationId, Site, Visitor } from '../../operation.ts'
import type { FoundSite } from '../../queries/site/found_sites.ts'
import { isByPerson } from '../../site/seen.ts'
import type { SiteNames } from '../../site/hosts.ts'
import type { SiteFinder } from '../../site/site_finder.ts'
import type { Call, Door, Service } from '../call/call.ts'
import { consumeLimit } from '../call/limits.ts'
import { isFromOtherSite, requireOwnOrigin } from '../call/own_origin.ts'
import { headerOf } from '../call/request_parts.ts'
import { isEmbedded, openTo } from './embedding.ts'
import type { VisitorCookies } from './visitor_cookies.ts'

/** The operations that scripts of a shop's pages call. Forms call the others inside the service. */
export const servedOperations: OperationId[] = [
  'get_bootstrap',
  'get_thread',
  'chat_about_product',
  'chat_about_routine',
  'analyze_face',
]

/** Those of them that the widget calls from other sites' pages. */
const embedded = new Set<OperationId>(['get_bootstrap', 'get_thread', 'chat_about_product'])

/** Those that read: their answers tell of the shop, or repeat what it has said. */
const reads = new Set<OperationId>(['get_bootstrap', 'get_thread'])

/** Operations that make a stranger a guest. */
const meetsGuests = new Set<OperationId>(['get_bootstrap', 'create_feedback'])

interface DoorParts {
  service: Service
  finder: SiteFinder
  cookies: VisitorCookies
  figures: SiteFigures
  urlOf: (names: SiteNames) => string
}

/**
 * The door of the shops' own pages to the experience operations: the host identifies the shop, cookies the
 * visitor. There is no account key, so visitors are also limited by their address.
 */
export function createShopDoor(parts: DoorParts): Door {
  const { service, figures } = parts
  return {
    authenticate: (call) => authenticate(parts, call),
    authorise({ workspaceStatus }) {
      if (workspaceStatus !== 'ACTIVE')
        throw new ApiError('workspace_inactive', 'workspaceSuspended')
    },
    async guard({ operationId, workspaceId, incoming }) {
      const limit = limitOf(operationId)
      if (limit) await consumeLimit(service, limit, `${workspaceId} ${incoming.clientIp}`)
    },
    // Not in the widget: its visitors are on other sites' pages, where no sale links are followed.
    answered({ operationId, workspaceId, incoming, access }) {
      const isAtHome = access?.visit?.site.from === 'pages'
      if (!isAtHome || operations[operationId].scope !== 'ai:write') return
      if (!isByPerson(incoming.headers)) return
      const userAgent = headerOf(incoming, 'user-agent') ?? ''
      figures.noteAnswer({ workspaceId, address: incoming.clientIp, userAgent })
    },
    isPublic: true,
    actorType: () => 'SYSTEM',
  }
}

async function authenticate(parts: DoorParts, call: Call): Promise<Access> {
  const { incoming, workspaceId, operationId, headers } = call
  const found = await parts.finder.find(headerOf(incoming, 'host'))
  const elsewhere = new ApiError('unauthenticated', 'credentialMalformed')
  if (found?.site.workspaceId !== workspaceId) throw elsewhere
  const { site } = found
  const origin = headerOf(incoming, 'origin')
  const ownOrigin = parts.urlOf(site)
  // The list may contain an address that has since become the shop's own.
  const isAbroad = origin !== undefined && origin !== ownOrigin
  if (isAbroad && isEmbedded(site, origin) && embedded.has(operationId)) {
    openTo(origin, (name, value) => (headers[name] = value))
    const abroad = await visitorAbroad(parts, call, origin)
    return accessTo(site, { site: siteOf(site, 'widget'), ...abroad })
  }
  // The widget may have been loaded before the shop's address changed; the shop's own pages have moved.
  if (!found.isCurrent) throw elsewhere
  requireOwnOrigin(incoming, ownOrigin)
  // Here, too, other sites' pages may read nothing.
  if (isAbroad) throw new ApiError('origin_refused', ['sendFromOrigin', { origin: ownOrigin }])
  const visitor = await visitorAtHome(parts, call, site)
  // On the shop's own pages, cookies identify the visitor: any client could use a token for a device
  // that it only names.
  return accessTo(site, {
    site: siteOf(site, 'pages'),
    visitor,
    deviceId: null,
    refusal: undefined,
  })
}

async function visitorAtHome(
  { service, cookies }: DoorParts,
  call: Call,
  site: FoundSite,
): Promise<Visitor | null> {
  const { db, config } = service
  const { incoming, operationId, workspaceId, now, headers } = call
  const credentials = cookies.read(headerOf(incoming, 'cookie'))
  const visitor = await findShopVisitor(db, { config, now, workspaceId }, credentials)
  if (reads.has(operationId)) requireOpen(site, visitor)
  if (visitor || !meetsGuests.has(operationId)) return visitor
  // Else any page could use up the guests of its readers' addresses, one for each picture that it names.
  if (isFromOtherSite(incoming)) throw new ApiError('origin_refused', 'originRefused')
  await meetGuest(service, call)
  const { deviceId, cookie } = cookies.newGuest(workspaceId, now)
  headers['Set-Cookie'] = cookie
  return guestOf(workspaceId, deviceId)
}

/**
 * A guest on another site's page, known by a token instead of a cookie. The device belongs to that page's
 * origin, so the token is worthless on any other.
 */
async function visitorAbroad(
  { service }: DoorParts,
  call: Call,
  origin: string,
): Promise<Omit<Visit, 'site'>> {
  const { db, config } = service
  const { incoming, operationId, workspaceId, now } = call
  const deviceId = deviceAt(origin, headerOf(incoming, 'x-guest-device-id'))
  if (deviceId === undefined) return { visitor: null, refusal: undefined }
  const token = headerOf(incoming, 'x-guest-token')
  const guest = token === undefined ? undefined : { deviceId, token }
  const circumstances = { config, now, workspaceId }
  const known = await findShopVisitor(db, circumstances, { session: undefined, guest })
  if (known || operationId !== 'get_bootstrap')
    return { visitor: known, deviceId, refusal: undefined }
  await meetGuest(service, call)
  return { visitor: guestOf(workspaceId, deviceId), deviceId, refusal: undefined }
}

function meetGuest(service: Service, { workspaceId, incoming }: Call): Promise<void> {
  return consumeLimit(service, rateLimits.guestsOfClient, `${workspaceId} ${incoming.clientIp}`)
}

function guestOf(workspaceId: string, deviceId: string): Visitor {
  return { type: 'GUEST', id: guestIdOf(workspaceId, deviceId), deviceId, isTrial: false }
}

/**
 * Unlike in the API, there is no key and so no backend that may see a closed shop; and only customers see a
 * shop that is for customers.
 */
function requireOpen({ isVisible, website }: FoundSite, visitor: Visitor | null): void {
  const { visibility } = website.accessPolicy
  if (!isVisible || visibility === 'CLOSED') throw new ApiError('unauthenticated', 'siteClosed')
  if (visibility === 'SIGN_IN' && visitor?.type !== 'CUSTOMER')
    throw new ApiError('unauthenticated', 'catalogueNeedsSignIn')
}

function limitOf(operationId: OperationId) {
  if (operationId === 'request_customer_code') return rateLimits.customerCodesOfClient
  const { scope, method } = operations[operationId]
  if (scope === 'ai:write') return rateLimits.chatsOfClient
  return method === 'get' ? undefined : rateLimits.writesOfClient
}

/** Shops share the connections as accounts do, each under its own id. */
function accessTo({ workspaceId, isSuspended }: FoundSite, visit: Visit): Access {
  return {
    connectionId: `site/${workspaceId}`,
    accountId: workspaceId,
    accountStatus: 'ACTIVE',
    role: null,
    memberStatus: null,
    workspaceStatus: isSuspended ? 'SUSPENDED' : 'ACTIVE',
    visit,
  }
}

function siteOf(found: FoundSite, from: NonNullable<Site['from']>): Site {
  const { workspaceId, name, isVisible, subDomain, website } = found
  const { accessPolicy } = website
  return {
    workspaceId,
    workspaceName: name,
    isVisible,
    accessPolicy,
    front: { subDomain, website },
    from,
  }
}
