import express from 'express'
import { authoriseMember } from '../access/access.ts'
import { authenticateSession } from '../access/sessions.ts'
import { operations } from '../generated/operations.ts'
import type { OperationId } from '../operation.ts'
import { serveAppPages } from './pages/app_pages.ts'
import { createCheckoutPages } from './pages/checkout_pages.ts'
import { createUndoEmailPages } from './pages/undo_email_pages.ts'
import { createConsentPages } from './oauth/consent.ts'
import { ownCookie, type OwnCookie } from './http/cookies.ts'
import type { Surface } from './origin.ts'
import { createOidcPages, type SessionCookie } from './oauth/oidc.ts'
import { requireOwnOrigin } from './call/own_origin.ts'
import type { Door, Service } from './call/call.ts'
import type { Router } from './call/router.ts'

/**
 * The dashboard origin: a session cookie gives access to its own API and, depending on the role, to
 * the management operations under their `/v1` paths.
 */
export function createDashboardSurface(service: Service, router: Router): Surface {
  const { config } = service
  const cookie = ownCookie('vitrine_session', config.dashboardUrl)
  const sessionCookie: SessionCookie = (token, expires) => cookie.set(token, { expires })
  const door = createDoor(config.dashboardUrl, cookie, sessionCookie)
  const pages = express.Router()
  pages.use(createConsentPages(service, router, door))
  pages.use('/undo-email', createUndoEmailPages(service))
  serveAppPages(pages, {
    entry: 'dashboard',
    title: 'Vitrine',
    baseUrl: config.baseUrl,
    paths: [
      '/',
      '/sign-in',
      '/account',
      '/integrations',
      '/invitations',
      '/new-workspace',
      '/contact',
      '/w/*page',
    ],
    hasSession: (request) => cookie.read(request.headers.cookie) !== undefined,
  })
  if (service.payments.announce) pages.use('/checkout', createCheckoutPages(service))
  if (config.oidc) pages.use('/auth/oidc', createOidcPages(service, config.oidc, sessionCookie))
  return {
    name: 'dashboard',
    door,
    operations: servedOperations(),
    flatUrls: false,
    crossOrigin: false,
    pages,
  }
}

function servedOperations(): OperationId[] {
  return (Object.keys(operations) as OperationId[]).filter((id) => {
    const { surface, auth, toolOnly } = operations[id]
    if (surface === 'dashboard') return true
    return surface === 'management' && auth !== 'none' && !toolOnly
  })
}

function createDoor(ownOrigin: string, cookie: OwnCookie, sessionCookie: SessionCookie): Door {
  return {
    counts: 'sessions',
    sessionCookie,
    screen: (incoming) => requireOwnOrigin(incoming, ownOrigin),
    authorise: authoriseMember,
    // The creator of a workspace has no role in it before the call, and owns it afterwards.
    actorType: ({ role }) => (role === null || role === 'owner' ? 'OWNER' : 'STAFF'),
    async authenticate({ service, incoming, now, workspaceId, headers }) {
      const token = cookie.read(incoming.headers.cookie as string | undefined)
      const circumstances = { environment: service.config.environment, now }
      const access = await authenticateSession(service.db, circumstances, token, workspaceId)
      if (access.extendedUntil && token !== undefined)
        headers['Set-Cookie'] = sessionCookie(token, access.extendedUntil)
      return access
    },
  }
}
