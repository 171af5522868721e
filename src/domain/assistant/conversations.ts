import type { Transaction } from 'kysely'
import { notFound } from '../../core/errors.ts'
import { cutText } from '../../core/changes.ts'
import {
  hashToken,
  isThreadOf,
  newThreadToken,
  requireEnvironment,
  threadSeed,
} from '../../core/secrets.ts'
import { storableText } from '../../core/text.ts'
import type { Database } from '../../db/schema.ts'
import type { components } from '../../generated/types.ts'
import type { Visitor, VisitorCaller } from '../../operation.ts'
import { listProductSummaries } from '../../queries/catalogue/search/catalogue_search.ts'
import {
  appendTurns,
  getThread,
  getTurns,
  insertThread,
  type StoredTurn,
  type ThreadState,
} from '../../queries/assistant/threads.ts'
import type { Citation, Turn } from './ai_model.ts'

/** A visitor's conversation in one workspace, existing or new. */
export interface Conversation {
  threadId: string
  isNew: boolean
  history: readonly Turn[]
}

const maxTurns = 20
const maxTitleCharacters = 80

/** What was said, and what about. */
export interface SaidTurns extends Pick<ThreadState, 'kind' | 'productId'> {
  visitor: string
  assistant: string
  citations: readonly Citation[]
}

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

const roles = { visitor: 'VISITOR', assistant: 'ASSISTANT' } as const

/** What was said to a visitor, and the products that it is about; what it cites of products is published. */
export async function readConversation(
  { db, site }: VisitorCaller,
  visitor: Visitor,
  threadId: string,
): Promise<components['schemas']['Thread']> {
  const { workspaceId } = site
  const address = { workspaceId, visitorId: visitor.id, tokenHash: hashToken(threadId) }
  const thread = await getThread(db, address)
  const cited = thread.turns.flatMap(({ citations = [] }) =>
    citations.flatMap(({ productId }) => productId ?? []),
  )
  const about = [...(thread.productId === null ? [] : [thread.productId]), ...cited]
  const products = await listProductSummaries(db, workspaceId, about)
  const published = new Set(products.map(({ id }) => id))
  const turns = thread.turns.map(
    ({ role, text, citations = [], createdAt = thread.createdAt }) => ({
      role: roles[role],
      text,
      citations: citations.filter(
        ({ productId }) => productId === null || published.has(productId),
      ),
      createdAt,
    }),
  )
  return { threadId, turns, products }
}

/** Stores the turns in the transaction that charges for them. Pictures are never stored. */
export async function keepTurns(
  trx: Transaction<Database>,
  { site, clock }: VisitorCaller,
  visitor: Visitor,
  { threadId, isNew }: Conversation,
  said: SaidTurns,
): Promise<void> {
  const tokenHash = hashToken(threadId)
  const now = clock()
  const createdAt = now.toISOString()
  const citations = said.citations.map(({ productId, sentence }) => ({
    productId,
    sentence: storableText(sentence),
  }))
  const turns: StoredTurn[] = [
    {
      role: 'visitor',
      text: storableText(said.visitor),
      createdAt,
      ...(visitor.isTrial && { isTrial: true }),
    },
    { role: 'assistant', text: storableText(said.assistant), citations, createdAt },
  ]
  const address = { workspaceId: site.workspaceId, visitorId: visitor.id, tokenHash }
  const state = {
    seed: threadSeed(threadId),
    kind: said.kind,
    productId: said.productId,
    title: cutText(storableText(said.visitor).replace(/\s+/g, ' ').trim(), maxTitleCharacters),
  }
  if (isNew) await insertThread(trx, address, state, turns, now)
  else await appendTurns(trx, address, state, turns, { limit: maxTurns, now })
}
