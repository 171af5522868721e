import { apiOrigin } from '../session.ts'

/**
 * The proof of work that is asked of whoever may be nobody, solved for one thing alone; where another
 * service checks visitors, there is none.
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
