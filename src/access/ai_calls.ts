import { ApiError } from '../core/errors.ts'
import { type OpenShop, readShop } from '../domain/assistant/ai_chats.ts'
import { requireCatalogueOpen } from '../domain/site/site_access.ts'
import type { Visitor, VisitorCaller } from '../operation.ts'
import { requireVisitor } from './visitors.ts'

/** Whom an AI call is for, and the shop that it speaks for. */
export interface AiCall {
  visitor: Visitor
  shop: OpenShop
}

/**
 * Lets an AI call in: the site's policy first, then the visitor, then the mode. Answers speak of the
 * catalogue, so that whoever may not see the one gets none of the other.
 */
export async function admitAiCall(
  caller: VisitorCaller,
  mode: 'fast' | 'comprehensive',
): Promise<AiCall> {
  requireCatalogueOpen(caller)
  const visitor = requireVisitor(caller)
  const { workspaceId, accessPolicy } = caller.site
  if (visitor.type === 'GUEST' && !accessPolicy.guestAiEnabled)
    throw new ApiError('access_restricted', 'aiNeedsSignIn')
  const shop = await readShop(caller.db, workspaceId)
  if (!(mode === 'fast' ? shop.fastEnabled : shop.comprehensiveEnabled))
    throw new ApiError('ai_mode_disabled', ['aiModeOff', { mode }])
  return { visitor, shop }
}
