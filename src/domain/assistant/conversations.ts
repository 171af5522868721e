import type { Transaction } from 'kysely'
import { notFound } from '../../core/errors.ts'
import { hashToken, isThreadOf, newThreadToken } from '../../core/secrets.ts'
import type { Database } from '../../db/schema.ts'
import type { Visitor, VisitorCaller } from '../../operation.ts'
import {
  appendTurns,
  getTurns,
  insertThread,
  type StoredTurn,
} from '../../queries/assistant/threads.ts'
import type { Turn } from './ai_model.ts'

/** A conversation of one visitor in one workspace, old or about to begin. */
export interface Conversation {
  threadId: string
  isNew: boolean
  history: readonly Turn[]
}

const maxTurns = 20
const maxTurnCharacters = 4000

/** The visitor's conversation of this id, or a new one. Anybody else's is not there. */
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

/** Keeps what was said, with the transaction that charges for it. Pictures are never among it. */
export async function keepTurns(
  trx: Transaction<Database>,
  { site, clock }: VisitorCaller,
  visitor: Visitor,
  { threadId, isNew }: Conversation,
  said: { visitor: string; assistant: string },
): Promise<void> {
  const tokenHash = hashToken(threadId)
  const turns: StoredTurn[] = [
    { role: 'visitor', text: storable(said.visitor) },
    { role: 'assistant', text: storable(said.assistant) },
  ]
  const address = { workspaceId: site.workspaceId, visitorId: visitor.id, tokenHash }
  if (isNew) await insertThread(trx, address, turns, clock())
  else await appendTurns(trx, address, turns, maxTurns)
}

/** What models say is cut, and PostgreSQL stores neither NUL nor half a character. */
function storable(text: string): string {
  const cut = text.length > maxTurnCharacters ? text.slice(0, maxTurnCharacters) : text
  return cut.replaceAll('\0', '').toWellFormed()
}
