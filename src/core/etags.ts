import { createHash } from 'node:crypto'

/** The entity tag of a representation: a hash of the very text that is sent. */
export function etagOf(json: string): string {
  return `"${createHash('sha256').update(json).digest('base64url').slice(0, 22)}"`
}

/** Whether a list of entity tags, as `If-Match` and `If-None-Match` carry it, names this one. */
export function etagMatches(header: string, etag: string): boolean {
  if (header.trim() === '*') return true
  return header.split(',').some((candidate) => candidate.trim().replace(/^W\//, '') === etag)
}
