import createClient from 'openapi-fetch'
import { parameterLimits } from '../../../generated/limits.ts'
import type { paths } from '../../../generated/types.ts'
import { api, ask, type Schemas } from '../../api.ts'
import { texts } from '../../language.ts'
import { apiOrigin } from '../../session.ts'
import { day } from '../../time.ts'
import { solvedChallenge } from '../solved_challenge.ts'

type ChatRequest = Schemas['ProductChatRequest']

/** A guest of the workspace's own site, with everything that a shop's backend would hold for one. */
export interface Guest {
  products: Schemas['Product'][]
  ask: (
    question: Omit<ChatRequest, 'challengeToken' | 'productName'>,
  ) => Promise<Schemas['ProductChatAnswer']>
  /** Takes the trial's key away. */
  leave: () => void
}

const base = '/v1/workspaces/{workspaceId}/experience'

const trialScopes = ['storefront:read', 'visitors:write', 'ai:write'] as const

/**
 * Calls the experience API as a shop's backend does, with a key of one day that can do nothing else.
 * The guest is a new one each time, so that nobody's quota but its own is used.
 */
export async function becomeGuest(workspaceId: string): Promise<Guest> {
  await revokeLeftBehind()
  const made = await ask(
    api.POST('/api/keys', {
      body: { name: texts('chat')('keyName'), scopes: [...trialScopes], expiresInDays: 1 },
    }),
  )
  const leave = () => revoke(made.id)
  try {
    return { ...(await visit(workspaceId, made.key)), leave }
  } catch (thrown) {
    leave()
    throw thrown
  }
}

/** Goes out even while the page is being closed. Where it does not arrive, the next trial repeats it. */
function revoke(id: string): void {
  const call = api.DELETE('/api/keys/{id}', { params: { path: { id } }, keepalive: true })
  call.catch(() => undefined)
}

/** A browser that crashed has left its key behind; the next trial takes it away. */
async function revokeLeftBehind(): Promise<void> {
  const { keys } = await ask(api.GET('/api/keys'))
  for (const key of keys) if (isLiveTrial(key)) revoke(key.id)
}

/**
 * Of all keys of a person only those of a trial have its name, its permissions and its one day. One
 * that was made in another language is left alone and ends with its day.
 */
function isLiveTrial({ name, scopes, createdAt, expiresAt, revokedAt }: Schemas['Key']): boolean {
  const lasts = Date.parse(expiresAt) - Date.parse(createdAt)
  const isTrial =
    name === texts('chat')('keyName') &&
    scopes.length === trialScopes.length &&
    trialScopes.every((scope) => scopes.includes(scope)) &&
    lasts <= day
  return isTrial && revokedAt === null && Date.parse(expiresAt) > Date.now()
}

async function visit(workspaceId: string, key: string): Promise<Omit<Guest, 'leave'>> {
  const headers = { Authorization: `Bearer ${key}` }
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
      // An answer that is lost on the way is not paid twice.
      const once = { ...header, 'Idempotency-Key': crypto.randomUUID() }
      return ask(shop.POST(`${base}/chat/product`, { params: { path, header: once }, body }))
    },
  }
}
