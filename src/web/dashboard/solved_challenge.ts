import { apiOrigin } from '../session.ts'

/**
 * Solves the proof of work that protects an anonymous call, for one action only; undefined if a
 * third-party service issues the challenges.
 */
export async function solvedChallenge(
  siteKey: string | null,
  action: 'chat' | 'contact',
): Promise<string | undefined> {
  const query = new URLSearchParams({ siteKey: siteKey ?? '', action })
  const response = await fetch(`${apiOrigin()}/challenge?${query.toString()}`)
  if (!response.ok) return undefined
  const [{ solveChallenge }, { deriveKey }] = await Promise.all([
    import('altcha-lib'),
    import('altcha-lib/algorithms/web/pbkdf2'),
  ])
  const challenge = (await response.json()) as Parameters<typeof solveChallenge>[0]['challenge']
  const solution = await solveChallenge({ challenge, deriveKey })
  return btoa(JSON.stringify({ challenge, solution }))
}
