import { randomUUID } from 'node:crypto'
import type { Request } from 'express'
import type { BrowserCredentials } from '../../access/visitors.ts'
import { newGuestToken } from '../../core/secrets.ts'
import { day } from '../../core/time.ts'
import type { ServiceConfig } from '../../operation.ts'
import { ownCookie } from '../http/cookies.ts'

const guestMilliseconds = 90 * day
/** The longest that browsers allow. The session itself has its own end, which moves with its use. */
const sessionSeconds = (400 * day) / 1000

/** A new guest of a shop, and the cookie by which the shop will recognise them. */
export interface NewGuest {
  deviceId: string
  cookie: string
}

/**
 * What a shop stores in a visitor's browser, for its own host alone: nothing while they only read, a
 * guest's token from their first question on, a session after they signed in.
 */
export function visitorCookies(config: ServiceConfig, origin: string) {
  const session = ownCookie('vitrine_customer', origin)
  const guest = ownCookie('vitrine_guest', origin)
  return {
    signIn: (token: string) => session.set(token, { maxAge: sessionSeconds }),
    signOut: () => session.set('', { maxAge: 0 }),
    forgetGuest: () => guest.set('', { maxAge: 0 }),
    read(header: Request['headers']['cookie']): BrowserCredentials {
      const [deviceId, token] = guest.read(header)?.split('.') ?? []
      return {
        session: session.read(header),
        guest: deviceId && token ? { deviceId, token } : undefined,
      }
    },
    newGuest(workspaceId: string, now: Date): NewGuest {
      const deviceId = randomUUID()
      const expires = new Date(now.getTime() + guestMilliseconds)
      const { secretKey, environment } = config
      const token = newGuestToken(secretKey, environment, { workspaceId, deviceId }, expires)
      return { deviceId, cookie: guest.set(`${deviceId}.${token}`, { expires }) }
    },
  }
}

export type VisitorCookies = ReturnType<typeof visitorCookies>
