interface ChallengeParameters {
  nonce: string
  salt: string
  cost: number
  keyPrefix: string
  keyLength?: number
}

/** Attempts that the browser works on at once. */
const together = 16

/**
 * Solves the proof of work of a shop: finds the counter whose derived key begins as asked. Written out,
 * because the widget for it is larger than a page.
 */
export async function solveChallenge(
  shop: string,
  siteKey: string,
  action: 'chat' | 'sign_in',
): Promise<string> {
  const query = new URLSearchParams({ siteKey, action })
  const answer = await fetch(`${shop}/challenge?${query.toString()}`)
  if (!answer.ok) throw new Error('There is no challenge.')
  const challenge = (await answer.json()) as { parameters: ChallengeParameters }
  const { nonce, salt, cost, keyPrefix, keyLength = 32 } = challenge.parameters
  const derive = async (counter: number) => {
    const password = new Uint8Array([...bytesOf(nonce), 0, 0, 0, 0])
    new DataView(password.buffer).setUint32(password.length - 4, counter)
    const key = await crypto.subtle.importKey('raw', password, 'PBKDF2', false, ['deriveBits'])
    const effort = { name: 'PBKDF2', salt: bytesOf(salt), iterations: cost, hash: 'SHA-256' }
    const bits = await crypto.subtle.deriveBits(effort, key, keyLength * 8)
    return { counter, derivedKey: hexOf(new Uint8Array(bits)) }
  }
  for (let first = 0; ; first += together) {
    const counters = Array.from({ length: together }, (_, index) => first + index)
    const found = (await Promise.all(counters.map(derive))).find(({ derivedKey }) =>
      derivedKey.startsWith(keyPrefix),
    )
    if (found) return btoa(JSON.stringify({ challenge, solution: found }))
  }
}

function bytesOf(hex: string): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(hex.length / 2)
  for (let at = 0; at < bytes.length; at++) bytes[at] = parseInt(hex.slice(2 * at, 2 * at + 2), 16)
  return bytes
}

function hexOf(bytes: Uint8Array): string {
  return [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('')
}
