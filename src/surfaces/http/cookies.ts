import { parse, serialize } from 'cookie'

export interface OwnCookie {
  /** The `Set-Cookie` that gives the cookie this value, for so long. */
  set(value: string, lifetime: { expires: Date } | { maxAge: number }): string
  /** The value in a `Cookie` header. */
  read(header: string | undefined): string | undefined
}

/**
 * A cookie that only its own origin sets and reads, and no script. On https its name carries the
 * prefix by which a browser refuses it from any other host, sibling domains included. Lax, because
 * people come back from an issuer's or a mail's link.
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
