import type { IncomingMessage } from 'node:http'
import { authoriseIntegration, type IntegrationAccess } from '../../access/access.ts'
import { authenticateToken } from '../../access/tokens.ts'
import { ApiError } from '../../core/errors.ts'
import { isLoopbackUrl } from '../../core/public_urls.ts'
import { rateLimits } from '../../core/rate_limits.ts'
import type { Door, Service } from '../call/call.ts'
import { consumeAndTell } from '../call/limits.ts'

/** The door of one request at `/mcp`, which remembers whom it has let in. */
export interface AgentDoor extends Door {
  access: IntegrationAccess | undefined
  /** Refuses whoever is no live connection that may come in, and counts nothing. */
  identify(): Promise<IntegrationAccess>
  /** Lets in a request that calls no tool, and counts it. */
  admit(headers: Record<string, string | string[]>): Promise<void>
}

/** What a connection must be allowed to do anything at all. */
const anything = { scope: null, tag: '', inWorkspace: false }

/** Access tokens of this very resource, and nothing else, open the agents' endpoint. */
export function createAgentDoor(service: Service, request: IncomingMessage): AgentDoor {
  const { db, config } = service
  const { environment } = config
  const resource = `${config.baseUrl}/mcp`
  const { authorization } = request.headers
  const authenticate = () => {
    const circumstances = { environment, now: service.clock(), resource }
    return authenticateToken(db, circumstances, authorization, '')
  }

  const door: AgentDoor = {
    access: undefined,
    limitsConnections: true,
    async authenticate({ now, workspaceId }) {
      const circumstances = { environment, now, resource }
      const access = await authenticateToken(db, circumstances, authorization, workspaceId)
      door.access = access
      return access
    },
    authorise: (access, demand) => authoriseIntegration(access as IntegrationAccess, demand),
    actorType: () => 'AGENT',
    async identify() {
      const access = await authenticate()
      authoriseIntegration(access, anything)
      return access
    },
    async admit(headers) {
      const access = await authenticate()
      door.access = access
      await consumeAndTell({ service, headers }, rateLimits.connection, access.connectionId)
      authoriseIntegration(access, anything)
    },
  }
  return door
}

/** A page of any other site must not speak for whoever looks at it; software sends no Origin. */
export function requireKnownOrigin({ headers }: IncomingMessage, { config }: Service): void {
  const { origin } = headers
  if (origin === undefined || origin === config.baseUrl || origin === config.dashboardUrl) return
  if (config.environment === 'development' && isLoopbackUrl(origin)) return
  throw new ApiError('origin_refused', 'Pages of this origin may not call here.')
}
