import type { Request, Response } from 'express'
import { ownCookie } from '../http/cookies.ts'

/** As long as a mailed code or link is valid. */
const maxAge = 10 * 60

/** The address that was just mailed, for the request that the person is signing in for. */
export interface MailedAddress {
  remember(response: Response, requestId: string, email: string): void
  forget(response: Response): void
  of(request: Request, requestId: string): string | undefined
}

/**
 * Keeps the address between the form that requests a mail and the page that takes its code, so that this
 * page can be reloaded. In a cookie, because an address in the URL would stay in histories and logs.
 */
export function mailedAddressAt(origin: string): MailedAddress {
  const cookie = ownCookie('vitrine_mailed', origin)
  return {
    remember(response, requestId, email) {
      const encoded = Buffer.from(email).toString('base64url')
      response.append('Set-Cookie', cookie.set(`${requestId}.${encoded}`, { maxAge }))
    },
    forget(response) {
      response.append('Set-Cookie', cookie.set('', { maxAge: 0 }))
    },
    of(request, requestId) {
      const [ofRequest, encoded] = cookie.read(request.headers.cookie)?.split('.') ?? []
      if (ofRequest !== requestId || !encoded) return undefined
      return Buffer.from(encoded, 'base64url').toString()
    },
  }
}
