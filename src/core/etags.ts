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

/** Whether `If-None-Match` lists this tag. Weak comparison: a proxy may have weakened the tag. */
export function noneMatches(header: string, etag: string): boolean {
  return tagsOf(header).some((tag) => tag === '*' || tag.replace(/^W\//, '') === etag)
}

/** Whether `If-Match` lists this tag. Strong comparison: a weak tag never matches. */
export function strictlyMatches(header: string, etag: string): boolean {
  return tagsOf(header).some((tag) => tag === '*' || tag === etag)
}

function tagsOf(header: string): string[] {
  return header.split(',').map((tag) => tag.trim())
}
