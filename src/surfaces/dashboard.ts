import express from 'express'
import { authoriseMember } from '../access/access.ts'
import { authenticateSession } from '../access/sessions.ts'
import { preferredLanguages } from '../core/languages.ts'
import { nameOf, openSession } from '../domain/people/sessions.ts'
import { operations } from '../generated/operations.ts'
import type { OperationId } from '../operation.ts'
import { serveAppPages } from './pages/app_pages.ts'
import { createCheckoutPages } from './pages/checkout_pages.ts'
import { createStopMailPages } from './pages/stop_mail_pages.ts'
import { createUndoEmailPages } from './pages/undo_email_pages.ts'
import { createConsentPages } from './oauth/consent.ts'
import { serveGet } from './pages/pages.ts'
import { createSignInLinkPages, type SignInDoor } from './pages/sign_in_link_pages.ts'
import { ownCookie } from './http/cookies.ts'
import type { Surface } from './origin.ts'
import { shopAddress } from './shop_address.ts'
import { createOidcPages } from './oauth/oidc.ts'
import { requireOwnOrigin } from './call/own_origin.ts'
import type { Door, DoorCookies, Service } from './call/call.ts'
import type { Router } from './call/router.ts'

/**
 * The dashboard origin: a session cookie gives access to its own API and, depending on the role, to
 * the management operations under their `/v1` paths.
 */
export function createDashboardSurface(service: Service, router: Router): Surface {
  const { config } = service
  const cookies = {
    session: ownCookie('vitrine_session', config.dashboardUrl),
    browser: ownCookie('vitrine_known_browser', config.dashboardUrl),
  }
  const door = createDoor(config.dashboardUrl, cookies)
  const pages = express.Router()
  pages.use(createConsentPages(service, router, door))
  pages.use('/undo-email', createUndoEmailPages(service))
  pages.use('/stop-mails', createStopMailPages(service))
  pages.use('/sign-in-link', createSignInLinkPages(service, signInDoor(service, cookies)))
  // Pages of the release before request it here.
  serveGet(pages, '/api/workspaces/:workspaceId/activity', (request, response) => {
    const query = request.url.split('?')[1]
    const path = `/v1/workspaces/${encodeURIComponent(String(request.params.workspaceId))}/activity`
    response.redirect(308, query === undefined ? path : `${path}?${query}`)
  })
  serveAppPages(pages, {
    entry: 'dashboard',
    title: 'Vitrine',
    baseUrl: config.baseUrl,
    shopAddress: shopAddress(config, { subDomain: '*', domain: null }),
    hasPreviews: true,
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
    firstCalls: ['/api/config', '/api/session'],
    hasSession: (request) => cookies.session.read(request.headers.cookie) !== undefined,
  })
  if (service.payments.announce) pages.use('/checkout', createCheckoutPages(service))
  if (config.oidc) pages.use('/auth/oidc', createOidcPages(service, config.oidc, cookies))
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

function signInDoor(service: Service, cookies: DoorCookies): SignInDoor {
  const { environment, dashboardUrl } = service.config
  return {
    purpose: 'sign_in',
    origin: dashboardUrl,
    cookies,
    open(trx, email, headers) {
      const [language] = preferredLanguages(headers['accept-language'] ?? '')
      const circumstances = { environment, now: service.clock() }
      const person = { email, name: nameOf(email), language }
      return openSession(trx, circumstances, person, headers['user-agent'])
    },
  }
}

function createDoor(ownOrigin: string, cookies: DoorCookies): Door {
  return {
    counts: 'sessions',
    cookies,
    screen: (incoming) => requireOwnOrigin(incoming, ownOrigin),
    authorise: authoriseMember,
    // Before the call, the creator of a workspace has no role in it; afterwards they own it.
    actorType: ({ role }) => (role === null || role === 'owner' ? 'OWNER' : 'STAFF'),
    async authenticate({ service, db, incoming, now, workspaceId, headers }) {
      const token = cookies.session.read(incoming.headers.cookie as string | undefined)
      const circumstances = { environment: service.config.environment, now }
      const access = await authenticateSession(db, circumstances, token, workspaceId)
      if (access.extendedUntil && token !== undefined)
        headers['Set-Cookie'] = cookies.session.set(token, { expires: access.extendedUntil })
      return access
    },
  }
}
