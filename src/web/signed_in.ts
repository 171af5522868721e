import { Failure } from './api.ts'

/** The server has told in the document whether the browser sent a session. */
export const mayBeSignedIn = (): boolean =>
  document.querySelector('meta[name="vitrine-session"]') !== null

/** Takes the refusal of a session that has ended as nobody; anything else stays a failure. */
export function nobodyOrThrow(thrown: unknown): undefined {
  if (!(thrown instanceof Failure) || thrown.status !== 401) throw thrown
}
