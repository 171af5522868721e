import type { ChallengeAction } from '../../adapters/bot_challenge.ts'
import { ApiError } from '../../core/errors.ts'
import type { VisitorCaller } from '../../operation.ts'

/**
 * Enforces the site's challenge policy: ALWAYS, GUESTS or OFF. Presenting a solution consumes it,
 * whatever the outcome of the call.
 */
export async function requireChallenge(
  { site, visitor, botChallenge, clientIp, now }: VisitorCaller,
  token: string | undefined,
  action: ChallengeAction,
): Promise<void> {
  const { challenge } = site.accessPolicy
  if (challenge === 'OFF' || (challenge === 'GUESTS' && visitor?.type === 'CUSTOMER')) return
  if (token === undefined) {
    const reason = botChallenge.issue ? 'challengeRequired' : 'challengeRequiredElsewhere'
    throw new ApiError('challenge_required', reason)
  }
  const use = { site: site.workspaceId, action, clientIp, now }
  if (!(await botChallenge.verify(token, use)))
    throw new ApiError('challenge_failed', 'challengeFailed')
}
