import express, { type Router } from 'express'
import { unavailable } from '../../core/errors.ts'
import { pingDatabase } from '../../queries/upkeep/health.ts'
import type { OriginState } from '../http/exchange.ts'
import { serveGet } from '../pages/pages.ts'
import type { Service } from '../call/call.ts'

/**
 * /healthz: the process is up. /readyz: it can serve, because its database takes writes. A service whose
 * callers occupy all other connections is busy, which is no reason to take it out of service.
 */
export function createHealth({ probe }: Pick<Service, 'probe'>, state: OriginState): Router {
  const health = express.Router()
  let pinging: Promise<void> | undefined
  serveGet(health, '/healthz', (_request, response) => {
    response.set('Cache-Control', 'no-store').json({ status: 'ok' })
  })
  serveGet(health, '/readyz', async (_request, response) => {
    if (state.draining) throw unavailable()
    // Probes that arrive together share one query.
    pinging ??= pingDatabase(probe).finally(() => (pinging = undefined))
    await pinging
    response.set('Cache-Control', 'no-store').json({ status: 'ready' })
  })
  return health
}
