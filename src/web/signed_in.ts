import { Failure } from './api.ts'

/** The server marks the document if the browser sent a session. */
export const mayBeSignedIn = (): boolean =>
  document.querySelector('meta[name="vitrine-session"]') !== null

/** Treats 401, an ended session, as signed out; rethrows anything else. */
export function ignoreSignedOut(error: unknown): undefined {
  if (!(error instanceof Failure) || error.status !== 401) throw error
}
