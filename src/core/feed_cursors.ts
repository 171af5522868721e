import { hash } from 'node:crypto'

/**
 * A place in a workspace's change feed, as clients keep it: a number and a checksum, so that a damaged
 * one, or one of another workspace, is recognised. It is no secret and opens nothing.
 */
export function feedCursor(workspaceId: string, number: number): string {
  return `c${number.toString(36)}-${checksumOf(workspaceId, number)}`
}

const form = /^c([0-9a-z]{1,10})-[\w-]{12}$/

/** The number in a cursor; undefined if the text is no cursor of this workspace. */
export function numberInCursor(workspaceId: string, cursor: string): number | undefined {
  const number = parseInt(form.exec(cursor)?.[1] ?? '', 36)
  return feedCursor(workspaceId, number) === cursor ? number : undefined
}

function checksumOf(workspaceId: string, number: number): string {
  return hash('sha256', `feed ${workspaceId} ${number}`, 'base64url').slice(0, 12)
}
