import { parse, serialize } from 'cookie'

export interface OwnCookie {
  /** The `Set-Cookie` header that sets this value with this lifetime. */
  set(value: string, lifetime: { expires: Date } | { maxAge: number }): string
  /** The value from a `Cookie` header. */
  read(header: string | undefined): string | undefined
}

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
