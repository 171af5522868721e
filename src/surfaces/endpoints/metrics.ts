import { createHash, timingSafeEqual } from 'node:crypto'
import type { Request, Router } from 'express'
import { authenticateStaff } from '../../access/staff.ts'
import { metricsType, readMetrics } from '../../core/metrics.ts'
import { bearerOf } from '../../core/secrets.ts'
import { serveGet } from '../pages/pages.ts'
import type { OwnCookie, Service } from '../call/call.ts'

/** `GET /metrics`: for staff, and for a collector with METRICS_TOKEN. */
export function serveMetrics(pages: Router, service: Service, cookie: OwnCookie): void {
  serveGet(pages, '/metrics', async (request, response) => {
    if (!holdsToken(request, service.config.metricsToken)) {
      const circumstances = { environment: service.config.environment, now: service.clock() }
      const token = cookie.read(request.headers.cookie)
      await authenticateStaff(service.db, circumstances, token)
    }
    const text = await readMetrics()
    response.set({ 'Cache-Control': 'no-store', 'Content-Type': metricsType }).send(text)
  })
}

function holdsToken({ headers }: Request, expected: string | undefined): boolean {
  const token = bearerOf(headers.authorization)
  if (expected === undefined || token === undefined) return false
  const digest = (text: string) => createHash('sha256').update(text).digest()
  return timingSafeEqual(digest(token), digest(expected))
}
