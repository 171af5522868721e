import createClient from 'openapi-fetch'
import { parameterLimits } from '../../../generated/limits.ts'
import type { paths } from '../../../generated/types.ts'
import { api, ask, type Schemas } from '../../api.ts'
import { language, texts } from '../../language.ts'
import { apiOrigin } from '../../session.ts'
import { day } from '../../time.ts'
import { solvedChallenge } from '../solved_challenge.ts'

type ChatRequest = Schemas['ProductChatRequest']

/** A guest of the workspace's site, with everything a shop's backend would hold for it. */
export interface Guest {
  products: Schemas['Product'][]
  ask: (
    question: Omit<ChatRequest, 'challengeToken' | 'productName'>,
  ) => Promise<Schemas['ProductChatAnswer']>
  /** Revokes the trial's key. */
  leave: () => void
}

const base = '/v1/workspaces/{workspaceId}/experience'

const trialScopes = ['storefront:read', 'visitors:write', 'ai:write'] as const

/**
 * Calls the experience API as a shop's backend does, with a one-day key limited to that. Every
 * trial is a new guest, so it uses only its own quota.
 */
export async function becomeGuest(workspaceId: string): Promise<Guest> {
  await revokeOrphanedKeys()
  const created = await ask(
    api.POST('/api/keys', {
      body: { name: texts('chat')('keyName'), scopes: [...trialScopes], expiresInDays: 1 },
    }),
  )
  const leave = () => revoke(created.id)
  try {
    return { ...(await visit(workspaceId, created.key)), leave }
  } catch (error) {
    leave()
    throw error
  }
}

/**
 * `keepalive`, so it is sent even while the page closes. If it is lost, the next trial retries it.
 */
function revoke(id: string): void {
  const call = api.DELETE('/api/keys/{id}', { params: { path: { id } }, keepalive: true })
  call.catch(() => undefined)
}

/** Revokes orphaned keys of trials whose browser crashed. */
async function revokeOrphanedKeys(): Promise<void> {
  // Live trials are among the newest keys.
  const query = { pageSize: parameterLimits.PageSize.maximum }
  const { keys } = await ask(api.GET('/api/keys', { params: { query } }))
  for (const key of keys) if (isLiveTrial(key)) revoke(key.id)
}

/**
 * Trial keys are recognised by their name, scopes and lifetime of one day. One created in another
 * language is missed and expires within the day.
 */
function isLiveTrial({ name, scopes, createdAt, expiresAt, revokedAt }: Schemas['Key']): boolean {
  const lifetime = Date.parse(expiresAt) - Date.parse(createdAt)
  const isTrial =
    name === texts('chat')('keyName') &&
    scopes.length === trialScopes.length &&
    trialScopes.every((scope) => scopes.includes(scope)) &&
    lifetime <= day
  return isTrial && revokedAt === null && Date.parse(expiresAt) > Date.now()
}

async function visit(workspaceId: string, key: string): Promise<Omit<Guest, 'leave'>> {
  const headers = { Authorization: `Bearer ${key}`, 'Accept-Language': language() }
  const shop = createClient<paths>({ baseUrl: apiOrigin(), headers, credentials: 'omit' })
  const device = { 'X-Guest-Device-Id': crypto.randomUUID() }
  const path = { workspaceId }
  const site = await ask(shop.GET(`${base}/bootstrap`, { params: { path, header: device } }))
  const header = { ...device, 'X-Guest-Token': site.guestToken ?? '' }
  const query = { pageSize: parameterLimits.PageSize.maximum }
  const { products } = await ask(shop.GET(`${base}/products`, { params: { path, header, query } }))
  const { challenge } = site.accessPolicy
  return {
    products,
    ask: async (question) => {
      const token =
        challenge === 'OFF' ? undefined : await solvedChallenge(site.challengeSiteKey, 'chat')
      const body = { ...question, ...(token === undefined ? {} : { challengeToken: token }) }
      // A lost answer is not charged twice.
      const headerWithKey = { ...header, 'Idempotency-Key': crypto.randomUUID() }
      return ask(
        shop.POST(`${base}/chat/product`, { params: { path, header: headerWithKey }, body }),
      )
    },
  }
}
