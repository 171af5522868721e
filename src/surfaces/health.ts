import type { Express } from 'express'
import { unavailable } from '../core/errors.ts'
import { pingDatabase } from '../queries/health.ts'
import type { Service } from './pipeline.ts'

/** /healthz says that the process answers, /readyz that it can serve: its database answers too. */
export function mountHealth(app: Express, { db }: Service, state: { draining: boolean }): void {
  app.get('/healthz', (_request, response) => {
    response.set('Cache-Control', 'no-store').json({ status: 'ok' })
  })
  app.get('/readyz', async (_request, response) => {
    if (state.draining) throw unavailable()
    await pingDatabase(db)
    response.set('Cache-Control', 'no-store').json({ status: 'ready' })
  })
}
