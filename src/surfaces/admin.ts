import express from 'express'
import { authenticateStaff } from '../access/staff.ts'
import { operations } from '../generated/operations.ts'
import type { OperationId } from '../operation.ts'
import { serveAppPages } from './pages/app_pages.ts'
import { ownCookie, type OwnCookie } from './http/cookies.ts'
import { pageStyle } from './pages/html.ts'
import type { Surface } from './origin.ts'
import { serveMetrics } from './endpoints/metrics.ts'
import { requireOwnOrigin } from './call/own_origin.ts'
import { serveGet } from './pages/pages.ts'
import type { Door, Service } from './call/call.ts'
import { headerOf } from './call/request_parts.ts'

const ownPaths = [
  '/',
  '/sign-in',
  '/accounts',
  '/accounts/:id',
  '/workspaces',
  '/workspaces/:id',
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
  const cookie = ownCookie('vitrine_staff', adminUrl)
  const pages = express.Router()
  serveGet(pages, pageStyle.path, pageStyle.handler)
  serveAppPages(pages, {
    entry: 'admin',
    title: 'Vitrine administration',
    baseUrl,
    paths: ownPaths,
    hasSession: (request) => cookie.read(request.headers.cookie) !== undefined,
  })
  serveMetrics(pages, service, cookie)
  return {
    name: 'admin',
    door: createDoor(adminUrl, cookie),
    operations: (Object.keys(operations) as OperationId[]).filter(
      (id) => operations[id].surface === 'admin',
    ),
    flatUrls: false,
    crossOrigin: false,
    pages,
  }
}

function createDoor(ownOrigin: string, cookie: OwnCookie): Door {
  return {
    sessionCookie: (token, expires) => cookie.set(token, { expires }),
    screen: (incoming) => requireOwnOrigin(incoming, ownOrigin),
    // Staff may call every operation; the audit records who did.
    authorise: () => undefined,
    actorType: () => 'SYSTEM',
    authenticate: ({ service, incoming, now }) => {
      const token = cookie.read(headerOf(incoming, 'cookie'))
      return authenticateStaff(service.db, { environment: service.config.environment, now }, token)
    },
  }
}
