import { hash } from 'node:crypto'

/** The entity tag of a representation: a hash of the very text that is sent. */
export function etagOf(json: string | Buffer): string {
  return `"${hash('sha256', json, 'base64url').slice(0, 22)}"`
}

/** Whether `If-None-Match` names this tag. A weakened tag still says that a copy may be used. */
export function noneMatches(header: string, etag: string): boolean {
  return tagsOf(header).some((tag) => tag === '*' || tag.replace(/^W\//, '') === etag)
}

/** Whether `If-Match` names this tag. A write needs the very representation: weak tags never fit. */
export function strictlyMatches(header: string, etag: string): boolean {
  return tagsOf(header).some((tag) => tag === '*' || tag === etag)
}

function tagsOf(header: string): string[] {
  return header.split(',').map((tag) => tag.trim())
}
