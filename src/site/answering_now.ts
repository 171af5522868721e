import type { Kysely } from 'kysely'
import type { Database } from '../db/schema.ts'
import { faceAnalysisCost, productChatCost, routineChatCost } from '../domain/credits/ai_costs.ts'
import { utcDay } from '../domain/site/visits.ts'
import { getSpendableCredits } from '../queries/credits/quotas.ts'
import type { Written } from './documents/documents.ts'
import type { Shop } from './shop.ts'

/**
 * Which chats would be answered now. Pages are kept for all visitors and do not say it: credits come and go with
 * every answer. Their scripts ask before a visitor has typed, and without making them a guest.
 */
export async function answeringNow(
  db: Kysely<Database>,
  { workspaceId, assistant }: Pick<Shop, 'workspaceId' | 'assistant'>,
  now: Date,
): Promise<Written> {
  const { isOn, hasRoutines, hasFaces, level } = assistant
  const credits = await getSpendableCredits(db, { workspaceId, day: utcDay(now), now })
  const kinds = [
    { kind: 'product', isOn, cost: productChatCost(level) },
    { kind: 'routine', isOn: hasRoutines, cost: routineChatCost(level, 0) },
    { kind: 'analyze-face', isOn: hasFaces, cost: faceAnalysisCost() },
  ]
  const answers = kinds.filter((each) => each.isOn && each.cost <= credits).map(({ kind }) => kind)
  return { type: 'application/json', text: JSON.stringify({ answers }) }
}
