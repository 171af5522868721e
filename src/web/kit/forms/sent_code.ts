/** An address that a code was sent to, or that its owner says has one. */
export interface SentCode {
  email: string
  /** When another code may be requested; undefined if this page requested none. */
  resendAt?: number
}

const storageKey = 'vitrine-code'
/** How long a code is valid. */
const validMilliseconds = 10 * 60_000

/** The code under way in this tab; only that for `onlyEmail` if it is given. */
export function sentCode(onlyEmail?: string): SentCode | undefined {
  try {
    const stored = JSON.parse(sessionStorage.getItem(storageKey) ?? 'null') as
      | (SentCode & { at: number })
      | null
    if (!stored || Date.now() - stored.at > validMilliseconds) return undefined
    if (onlyEmail !== undefined && stored.email !== onlyEmail) return undefined
    const { email, resendAt } = stored
    return resendAt === undefined ? { email } : { email, resendAt }
  } catch {
    return undefined
  }
}

export function rememberSentCode(sent: SentCode): void {
  try {
    sessionStorage.setItem(storageKey, JSON.stringify({ ...sent, at: Date.now() }))
  } catch {
    // Storage may be blocked; then a reload asks for the address again.
  }
}

export function forgetSentCode(): void {
  try {
    sessionStorage.removeItem(storageKey)
  } catch {
    // Storage may be blocked; see above.
  }
}
