import createClient from 'openapi-fetch'
import type { paths } from '../../../generated/types.ts'
import { api, ask, type Schemas } from '../../api.ts'
import { language } from '../../language.ts'
import { apiOrigin } from '../../session.ts'
import { solvedChallenge } from '../solved_challenge.ts'

/** A request as the pages make it: the challenge is solved on the way. */
type TrialRequest<Request> = Omit<Request, 'challengeToken'>

/** A visitor of the workspace's site, with everything a shop's backend would hold for them. */
export interface Trial {
  /** The newest ones. */
  products: Schemas['Product'][]
  findProducts: (search: string, signal: AbortSignal) => Promise<Schemas['Product'][]>
  askAboutProduct: (
    question: Omit<TrialRequest<Schemas['ProductChatRequest']>, 'productName'>,
  ) => Promise<Schemas['ProductChatAnswer']>
  askForRoutine: (
    question: Pick<
      Schemas['RoutineChatRequest'],
      'message' | 'userProfile' | 'thinkingLevel' | 'images' | 'threadId'
    >,
  ) => Promise<Schemas['RoutineChatAnswer']>
  analyzeFace: (
    picture: TrialRequest<Schemas['FaceAnalysisRequest']>,
  ) => Promise<Schemas['FaceAnalysis']>
  /** Revokes the trial's key. */
  leave: () => void
}

const base = '/v1/workspaces/{workspaceId}/experience'

/** So many are offered at once; typing finds the others. */
const offeredProducts = 30

/**
 * Calls the experience API as a shop's backend does, with a key for the trial. Every trial is a new
 * guest, so it uses only its own quota.
 */
export async function startTrial(workspaceId: string): Promise<Trial> {
  const { id, key } = await ask(api.POST('/api/trials', { body: { workspaceId } }))
  const leave = () => revoke(id)
  try {
    return { ...(await visit(workspaceId, key)), leave }
  } catch (error) {
    leave()
    throw error
  }
}

/** `keepalive`, so it is sent even while the page closes. If it is lost, the next trial ends it. */
function revoke(id: string): void {
  const call = api.DELETE('/api/keys/{id}', { params: { path: { id } }, keepalive: true })
  call.catch(() => undefined)
}

async function visit(workspaceId: string, key: string): Promise<Omit<Trial, 'leave'>> {
  const headers = { Authorization: `Bearer ${key}`, 'Accept-Language': language() }
  const shop = createClient<paths>({ baseUrl: apiOrigin(), headers, credentials: 'omit' })
  const device = { 'X-Guest-Device-Id': crypto.randomUUID() }
  const path = { workspaceId }
  const site = await ask(shop.GET(`${base}/bootstrap`, { params: { path, header: device } }))
  const header = { ...device, 'X-Guest-Token': site.guestToken ?? '' }
  const findProducts = async (search: string, signal?: AbortSignal) => {
    const query = { search, pageSize: offeredProducts }
    const params = { path, header, query }
    const call = shop.GET(`${base}/products`, { ...(signal && { signal }), params })
    return (await ask(call)).products
  }
  const products = await findProducts('')
  const { challenge } = site.accessPolicy
  const withChallenge = async <Request extends object>(request: Request) => {
    const token =
      challenge === 'OFF' ? undefined : await solvedChallenge(site.challengeSiteKey, 'chat')
    return { ...request, ...(token === undefined ? {} : { challengeToken: token }) }
  }
  // A lost answer is not charged twice.
  const once = () => ({ path, header: { ...header, 'Idempotency-Key': crypto.randomUUID() } })
  return {
    products,
    findProducts,
    askAboutProduct: async (question) => {
      const body = await withChallenge(question)
      return ask(shop.POST(`${base}/chat/product`, { params: once(), body }))
    },
    askForRoutine: async (question) => {
      const defaults = { userSelectedRoutineProducts: [], allowAiSuggestions: true }
      const body = await withChallenge({ ...defaults, ...question })
      return ask(shop.POST(`${base}/chat/routine`, { params: once(), body }))
    },
    analyzeFace: async (picture) => {
      const body = await withChallenge(picture)
      return ask(shop.POST(`${base}/chat/analyze-face`, { params: once(), body }))
    },
  }
}
