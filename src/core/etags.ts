import { createHash, hash } from 'node:crypto'

/** The entity tag of a representation: a hash of the exact text that is sent. */
export function etagOf(json: string | Buffer): string {
  return `"${hash('sha256', json, 'base64url').slice(0, 22)}"`
}

/** The entity tag of a representation that is read in parts: the same as that of the whole text. */
export async function etagOfParts(parts: AsyncIterable<string | Buffer>): Promise<string> {
  const whole = createHash('sha256')
  for await (const part of parts) whole.update(part)
  return `"${whole.digest('base64url').slice(0, 22)}"`
}

/**
 * Whether `If-None-Match` or `If-Match` lists this tag. A weak one is as good: it is the tag of the same
 * JSON, weakened because that was compressed on its way, here or by a proxy.
 */
export function listsTag(header: string, etag: string): boolean {
  const tags = header.split(',').map((tag) => tag.trim())
  return tags.some((tag) => tag === '*' || tag.replace(/^W\//, '') === etag)
}
