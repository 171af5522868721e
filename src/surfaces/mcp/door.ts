import type { IncomingMessage } from 'node:http'
import { authoriseIntegration, type IntegrationAccess } from '../../access/access.ts'
import { authenticateToken } from '../../access/tokens.ts'
import { ApiError } from '../../core/errors.ts'
import { isLoopbackUrl } from '../../core/public_urls.ts'
import type { Door, Service } from '../call/call.ts'
import { countConnection, refuseExhausted } from '../call/limits.ts'
import type { Exchange } from '../http/exchange.ts'

/** The door of one request at `/mcp`; remembers the authenticated access. */
export interface AgentDoor extends Door {
  access: IntegrationAccess | undefined
  /** Authenticates without consuming rate limit. */
  identify(headers: Record<string, string | string[]>): Promise<IntegrationAccess>
  /** Authenticates a request that does not call a tool, and consumes rate limit. */
  admit(headers: Record<string, string | string[]>): Promise<void>
}

/** The minimum a connection needs for any request. */
const minimumDemand = { scope: null, tag: '', inWorkspace: false }

/** The agents' endpoint only accepts access tokens issued for this resource. */
export function createAgentDoor(
  service: Service,
  { request, place }: Pick<Exchange, 'request' | 'place'>,
): AgentDoor {
  const { db, config } = service
  const { environment } = config
  const resource = `${config.baseUrl}/mcp`
  const { authorization } = request.headers
  const counted = { service, access: undefined, incoming: request }
  const authenticate = () => {
    const circumstances = { environment, now: service.clock(), resource }
    return authenticateToken(db, circumstances, authorization, '')
  }

  const door: AgentDoor = {
    access: undefined,
    counts: 'connections',
    async authenticate({ db: measured, now, workspaceId }) {
      const circumstances = { environment, now, resource }
      const access = await authenticateToken(measured, circumstances, authorization, workspaceId)
      door.access = access
      return access
    },
    authorise: authoriseIntegration,
    actorType: () => 'AGENT',
    async identify(headers) {
      refuseExhausted({ ...counted, headers }, 'management')
      const access = await authenticate()
      place.identified()
      authoriseIntegration(access, minimumDemand)
      return access
    },
    async admit(headers) {
      const call = { ...counted, headers }
      refuseExhausted(call, 'management')
      const access = await authenticate()
      door.access = access
      await countConnection(call, access, 'management')
      place.identified()
      authoriseIntegration(access, minimumDemand)
    },
  }
  return door
}

/** CSRF: other sites' pages must not call for their visitors. Other software sends no Origin. */
export function requireKnownOrigin({ headers }: IncomingMessage, { config }: Service): void {
  const { origin } = headers
  if (origin === undefined || origin === config.baseUrl || origin === config.dashboardUrl) return
  if (config.environment === 'development' && isLoopbackUrl(origin)) return
  throw new ApiError('origin_refused', 'originRefused')
}
