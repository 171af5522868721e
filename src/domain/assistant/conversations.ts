import type { Transaction } from 'kysely'
import { notFound } from '../../core/errors.ts'
import { hashToken, isThreadOf, newThreadToken, requireEnvironment } from '../../core/secrets.ts'
import type { Database } from '../../db/schema.ts'
import type { Visitor, VisitorCaller } from '../../operation.ts'
import {
  appendTurns,
  getTurns,
  insertThread,
  type StoredTurn,
} from '../../queries/assistant/threads.ts'
import type { Turn } from './ai_model.ts'

/** A visitor's conversation in one workspace, existing or new. */
export interface Conversation {
  threadId: string
  isNew: boolean
  history: readonly Turn[]
}

const maxTurns = 20
const maxTurnCharacters = 4000

/** Refuses a conversation of the other environment, before anything is read for the call. */
export function requireOwnThread({ config }: VisitorCaller, threadId: string | undefined): void {
  if (threadId !== undefined) requireEnvironment(threadId, 'thread', config.environment)
}

/**
 * The visitor's conversation with this id, or a new one. Conversations of other visitors are not
 * found.
 */
export async function openConversation(
  { db, config, site }: VisitorCaller,
  visitor: Visitor,
  threadId: string | undefined,
): Promise<Conversation> {
  const { secretKey, environment } = config
  const owner = { workspaceId: site.workspaceId, visitorId: visitor.id }
  if (threadId === undefined) {
    const fresh = newThreadToken(secretKey, environment, owner)
    return { threadId: fresh, isNew: true, history: [] }
  }
  if (!isThreadOf(secretKey, environment, owner, threadId)) throw notFound('conversation')
  const history = await getTurns(db, { ...owner, tokenHash: hashToken(threadId) })
  return { threadId, isNew: false, history }
}

/** Stores the turns in the transaction that charges for them. Pictures are never stored. */
export async function keepTurns(
  trx: Transaction<Database>,
  { site, clock }: VisitorCaller,
  visitor: Visitor,
  { threadId, isNew }: Conversation,
  texts: { visitor: string; assistant: string },
): Promise<void> {
  const tokenHash = hashToken(threadId)
  const turns: StoredTurn[] = [
    { role: 'visitor', text: storable(texts.visitor) },
    { role: 'assistant', text: storable(texts.assistant) },
  ]
  const address = { workspaceId: site.workspaceId, visitorId: visitor.id, tokenHash }
  if (isNew) await insertThread(trx, address, turns, clock())
  else await appendTurns(trx, address, turns, { limit: maxTurns, now: clock() })
}

/** Truncates model output and removes NULs and lone surrogates, which PostgreSQL cannot store. */
function storable(text: string): string {
  const cut = text.length > maxTurnCharacters ? text.slice(0, maxTurnCharacters) : text
  return cut.replaceAll('\0', '').toWellFormed()
}
