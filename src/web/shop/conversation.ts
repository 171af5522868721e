import type { components } from '../../generated/types.ts'
import { type ChatAnswer, askService, Refused, refusalIn } from './answers.ts'
import { solveChallenge } from './challenge.ts'
import { detailsOf, make, type ConversationWords, wordsOf } from './drawing.ts'

type Bootstrap = components['schemas']['Bootstrap']

/** Where a conversation takes place. */
export interface ConversationPlace {
  /** The origin of the shop; empty on its own pages. */
  shop: string
  workspace: string
  words: ConversationWords
  /** The list that its turns are added to. */
  list: HTMLElement
  productId: string | undefined
  /** Headers that say who asks, where no cookie does. */
  identify: (visit: Bootstrap | undefined) => Record<string, string>
  goTo?: (sentence: string) => boolean
  /** Gives way to what the shop offers without an assistant. */
  fallSilent: (reason: string) => void
}

/** A question, and the operation that answers it. */
export interface SentQuestion {
  kind: 'product' | 'routine' | 'analyze-face'
  shown: string
  body: () => object | Promise<object>
}

/** What ends the assistant for everyone, until the owner has seen to it. */
const ends = new Set(['insufficient_credits', 'wallet_in_debt', 'ai_mode_disabled'])

/** What a signed-in customer may have more of. */
const needSignIn = new Set(['access_restricted', 'sign_in_required', 'quota_exceeded'])

export function startConversation(place: ConversationPlace) {
  const { shop, workspace, words, list } = place
  const base = `${shop}/v1/workspaces/${workspace}/experience`
  let visit: Promise<Bootstrap> | undefined
  let threadId: string | undefined
  let busy = false

  async function visitNow(): Promise<Bootstrap> {
    const headers = { Accept: 'application/json', ...place.identify(undefined) }
    const response = await fetch(`${base}/bootstrap`, { headers })
    if (!response.ok) throw await refusalIn(response)
    return (await response.json()) as Bootstrap
  }

  async function send({ kind, body }: SentQuestion, key: string, say: (words: string) => void) {
    visit ??= visitNow()
    // A visit that failed is begun anew with the next question.
    const current = await visit.catch((error: unknown) => {
      visit = undefined
      throw error
    })
    const { challenge } = current.accessPolicy
    const isChallenged =
      challenge === 'ALWAYS' || (challenge === 'GUESTS' && current.viewer.type === 'GUEST')
    const challengeToken = isChallenged ? await solveChallenge(shop, workspace, 'chat') : undefined
    return askService({
      url: `${base}/chat/${kind}`,
      headers: { 'Idempotency-Key': key, ...place.identify(current) },
      body: { ...(await body()), ...(kind !== 'analyze-face' && { threadId }), challengeToken },
      say,
    })
  }

  function show(turn: HTMLElement, answer: ChatAnswer): void {
    const text = make('p', { class: 'said' }, wordsOf(answer))
    turn.replaceChildren(text, ...detailsOf({ answer, ...place, hasPictures: shop === '' }))
    const { remainingRequests: left } = answer.access
    if (left > 3) return
    const said = left === 1 ? words.lastLeft : words.left.replace('{count}', String(left))
    turn.append(make('p', { class: 'note' }, said))
  }

  function refuse(turn: HTMLElement, error: unknown): void {
    const refusal = error instanceof Refused ? error : undefined
    if (refusal && ends.has(refusal.code)) {
      turn.replaceChildren(make('p', {}, words.silent))
      return place.fallSilent(words.silent)
    }
    turn.classList.add('refused')
    turn.replaceChildren(make('p', {}, refusal?.message || words.failed))
    if (refusal && needSignIn.has(refusal.code) && shop === '') {
      const href = `/sign-in?to=${encodeURIComponent(location.pathname)}`
      turn.append(make('p', {}, make('a', { href }, words.signIn)))
    }
  }

  return {
    /** Asks, and tells whether there was an answer. */
    async ask(question: SentQuestion): Promise<boolean> {
      if (busy) return false
      busy = true
      const own = make('li', { class: 'you' }, make('p', {}, question.shown))
      const text = make('p', { class: 'said' })
      const dots = make('p', { class: 'dots' }, words.thinking)
      const turn = make('li', { class: 'them', 'aria-busy': 'true' }, dots)
      list.append(own, turn)
      turn.scrollIntoView({ block: 'nearest' })
      const say = (said: string) => {
        text.textContent = said
        turn.replaceChildren(text)
      }
      try {
        const answer = await send(question, crypto.randomUUID(), say)
        threadId = answer.threadId
        show(turn, answer)
        return true
      } catch (error) {
        // A guest whose token has ended is met anew with the next question.
        if (error instanceof Refused && error.code === 'visitor_required') visit = undefined
        refuse(turn, error)
        return false
      } finally {
        turn.removeAttribute('aria-busy')
        turn.scrollIntoView({ block: 'nearest' })
        busy = false
      }
    },
    isBusy: () => busy,
  }
}
