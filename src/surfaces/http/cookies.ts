import { parse, serialize } from 'cookie'
import type { OwnCookie } from '../call/call.ts'

/**
 * A cookie that only its origin sets and reads, hidden from scripts. On https its name has the
 * prefix that makes browsers refuse it from other hosts, sibling domains included. Lax, because
 * people return through links from an issuer or a mail.
 */
export function ownCookie(name: string, origin: string): OwnCookie {
  const secure = origin.startsWith('https:')
  const fullName = secure ? `__Host-${name}` : name
  const attributes = { httpOnly: true, sameSite: 'lax', path: '/', secure } as const
  return {
    set: (value, lifetime) => serialize(fullName, value, { ...attributes, ...lifetime }),
    read: (header) => parse(header ?? '')[fullName],
  }
}
