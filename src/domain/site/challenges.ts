import type { ChallengeAction } from '../../adapters/bot_challenge.ts'
import { ApiError } from '../../core/errors.ts'
import type { VisitorCaller } from '../../operation.ts'

/**
 * Asks for a solved challenge where the site's policy does: of everybody, of whoever is no customer,
 * or of nobody. A solution is used up by being shown, whatever becomes of the call.
 */
export async function requireChallenge(
  { site, visitor, botChallenge, clientIp, now }: VisitorCaller,
  token: string | undefined,
  action: ChallengeAction,
): Promise<void> {
  const { challenge } = site.accessPolicy
  if (challenge === 'OFF' || (challenge === 'GUESTS' && visitor?.type === 'CUSTOMER')) return
  if (token === undefined) throw new ApiError('challenge_required', 'challengeRequired')
  const use = { site: site.workspaceId, action, clientIp, now }
  if (!(await botChallenge.verify(token, use)))
    throw new ApiError('challenge_failed', 'challengeFailed')
}
