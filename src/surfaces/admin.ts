import express from 'express'
import { authenticateStaff } from '../access/staff.ts'
import { openStaffSession } from '../domain/administration/staff.ts'
import { operations } from '../generated/operations.ts'
import type { OperationId } from '../operation.ts'
import { serveAppPages } from './pages/app_pages.ts'
import { createSignInLinkPages, type SignInDoor } from './pages/sign_in_link_pages.ts'
import { ownCookie } from './http/cookies.ts'
import { pageStyle } from './pages/html.ts'
import type { Surface } from './origin.ts'
import { serveMetrics } from './endpoints/metrics.ts'
import { requireOwnOrigin } from './call/own_origin.ts'
import { serveGet } from './pages/pages.ts'
import { shopAddress } from './shop_address.ts'
import type { Door, DoorCookies, Service } from './call/call.ts'
import { headerOf } from './call/request_parts.ts'

const ownPaths = [
  '/',
  '/sign-in',
  '/accounts',
  '/accounts/:id',
  '/workspaces',
  '/workspaces/:id',
  '/workspaces/:id/design',
  '/sources',
  '/sources/:id',
  '/contact-requests',
  '/audit',
]

/**
 * The administration origin. Staff are separate from accounts: no account credential works here.
 */
export function createAdminSurface(service: Service): Surface {
  const { adminUrl, baseUrl } = service.config
  const cookies = {
    session: ownCookie('vitrine_staff', adminUrl),
    browser: ownCookie('vitrine_staff_browser', adminUrl),
  }
  const pages = express.Router()
  serveGet(pages, pageStyle.path, pageStyle.handler)
  pages.use('/sign-in-link', createSignInLinkPages(service, signInDoor(service, cookies)))
  serveAppPages(pages, {
    entry: 'admin',
    title: 'Vitrine administration',
    baseUrl,
    shopAddress: shopAddress(service.config, { subDomain: '*', domain: null }),
    paths: ownPaths,
    firstCalls: ['/api/admin/session'],
    hasSession: (request) => cookies.session.read(request.headers.cookie) !== undefined,
  })
  serveMetrics(pages, service, cookies.session)
  return {
    name: 'admin',
    door: createDoor(adminUrl, cookies),
    operations: (Object.keys(operations) as OperationId[]).filter(
      (id) => operations[id].surface === 'admin',
    ),
    flatUrls: false,
    crossOrigin: false,
    pages,
  }
}

function signInDoor(service: Service, cookies: DoorCookies): SignInDoor {
  const { environment, adminUrl } = service.config
  return {
    purpose: 'staff_sign_in',
    origin: adminUrl,
    cookies,
    open: (trx, email) => openStaffSession(trx, { environment, now: service.clock() }, email),
  }
}

function createDoor(ownOrigin: string, cookies: DoorCookies): Door {
  return {
    cookies,
    screen: (incoming) => requireOwnOrigin(incoming, ownOrigin),
    // Staff may call every operation; the audit records who did.
    authorise: () => undefined,
    actorType: () => 'SYSTEM',
    authenticate: ({ service, incoming, now }) => {
      const token = cookies.session.read(headerOf(incoming, 'cookie'))
      return authenticateStaff(service.db, { environment: service.config.environment, now }, token)
    },
  }
}
