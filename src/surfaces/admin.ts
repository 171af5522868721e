import express from 'express'
import { ApiError } from '../core/errors.ts'
import type { Surface } from './http.ts'
import { serveGet } from './pages.ts'
import { welcomePage } from './welcome.ts'

/** The administration origin: for staff, who are no accounts. No credential of an account opens it. */
export function createAdminSurface(): Surface {
  const pages = express.Router()
  serveGet(pages, '/', welcomePage('Administration', 'For platform staff only.'))
  return {
    name: 'admin',
    door: {
      limitsConnections: false,
      authenticate: () => Promise.reject(new ApiError('unauthenticated', 'For staff only.')),
      authorise: () => undefined,
      actorType: () => 'SYSTEM',
    },
    operations: [],
    flatUrls: false,
    crossOrigin: false,
    pages,
  }
}
