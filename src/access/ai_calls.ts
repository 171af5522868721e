import { ApiError } from '../core/errors.ts'
import { type OpenShop, readShop } from '../domain/assistant/ai_chats.ts'
import { requireCatalogueOpen } from '../domain/site/site_access.ts'
import type { Visitor, VisitorCaller } from '../operation.ts'
import { requireVisitor } from './visitors.ts'

/** The visitor of an AI call, and the shop it is about. */
export interface AiCall {
  visitor: Visitor
  shop: OpenShop
}

/**
 * Admits an AI call: checks the site's policy, then the visitor, then the mode. Answers quote the
 * catalogue, so they require access to it.
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
