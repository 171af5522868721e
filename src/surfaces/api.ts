import express from 'express'
import { authoriseIntegration } from '../access/access.ts'
import { authenticateKey } from '../access/keys.ts'
import { authenticatePage, isOfPage } from '../access/pages.ts'
import { authenticateVisit } from '../access/visitors.ts'
import { operations } from '../generated/operations.ts'
import type { OperationId } from '../operation.ts'
import { serveChallenges } from './endpoints/challenge.ts'
import { createDocs } from './endpoints/docs.ts'
import { serveDocuments } from './endpoints/documents.ts'
import type { Endpoint } from './http/exchange.ts'
import type { Surface } from './origin.ts'
import { createMediaFiles } from './endpoints/media_files.ts'
import { createOAuthPages } from './oauth/endpoints.ts'
import { serveGet } from './pages/pages.ts'
import type { Door, Service } from './call/call.ts'
import { headerOf } from './call/request_parts.ts'
import { createWebhooks } from './endpoints/webhooks.ts'

/**
 * The API origin. Management and experience operations require an account key, except those the
 * contract marks as public. Agents use `/mcp`.
 */
export function createApiSurface(service: Service, mcp: Endpoint): Surface {
  const { config } = service
  const pages = express.Router()
  serveDocuments(pages, config)
  serveChallenges(pages, service)
  pages.use('/docs', createDocs(config))
  pages.use(createOAuthPages(service))
  pages.use('/media', createMediaFiles(service))
  pages.use('/webhooks', createWebhooks(service))
  serveGet(pages, '/', (_request, response) => response.redirect('/docs/'))
  return {
    name: 'api',
    door,
    operations: servedOperations(),
    flatUrls: true,
    crossOrigin: true,
    pages,
    endpoint: mcp,
  }
}

const surfaces = new Set<string>(['management', 'experience'])

function servedOperations(): OperationId[] {
  return (Object.keys(operations) as OperationId[]).filter((id) => {
    const { surface, toolOnly } = operations[id]
    return surfaces.has(surface) && !toolOnly
  })
}

const door: Door = {
  challenge: 'Bearer',
  counts: 'connections',
  authenticate: ({ service, db, incoming, now, workspaceId, operationId }) => {
    const { config } = service
    const authorization = headerOf(incoming, 'authorization')
    if (operations[operationId].surface !== 'experience')
      return authenticateKey(
        db,
        { environment: config.environment, now },
        authorization,
        workspaceId,
      )
    const isBootstrap = operationId === 'get_bootstrap'
    const circumstances = { config, now, workspaceId, isBootstrap }
    const headers = {
      authorization,
      visitorToken: headerOf(incoming, 'x-visitor-token'),
      deviceId: headerOf(incoming, 'x-guest-device-id'),
      guestToken: headerOf(incoming, 'x-guest-token'),
    }
    return isOfPage(authorization)
      ? authenticatePage(db, circumstances, headers, headerOf(incoming, 'origin'))
      : authenticateVisit(db, circumstances, headers)
  },
  authenticateAlone: (service, headers) => {
    const circumstances = { environment: service.config.environment, now: service.clock() }
    return authenticateKey(service.db, circumstances, headerOf({ headers }, 'authorization'), '')
  },
  authorise: authoriseIntegration,
  actorType: () => 'API_KEY',
}
