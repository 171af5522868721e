import type { components } from '../../generated/types.ts'
import { type ChatAnswer, askService, Refused, refusalIn, Told } from './answers.ts'
import { solveChallenge } from './challenge.ts'
import { detailsOf, make, type ConversationWords, wordsOf } from './drawing.ts'
import { type KeptThread, keptThread } from './kept_thread.ts'

type Schemas = components['schemas']
type Bootstrap = Schemas['Bootstrap']

/** Where a conversation takes place. */
export interface ConversationPlace {
  /** The origin of the shop; empty on its own pages. */
  shop: string
  workspace: string
  /** The operation that answers here. */
  kind: 'product' | 'routine' | 'analyze-face'
  words: ConversationWords
  /** The list that its turns are added to. */
  list: HTMLElement
  productId: string | undefined
  /** Where this tab keeps the conversation; undefined for one that cannot go on. */
  keptAs: string | undefined
  /** Headers that say who asks, where no cookie does. */
  identify: (visit: Bootstrap | undefined) => Record<string, string>
  goTo?: (sentence: string) => boolean
  /** Gives way to what the shop offers without an assistant. */
  fallSilent: () => void
}

/** A question as it is shown, and as it is sent. */
export interface SentQuestion {
  shown: string
  body: () => object | Promise<object>
}

/** What a conversation knows while its page is open. */
interface Talk {
  place: ConversationPlace
  base: string
  kept: KeptThread
  /** Begun with the first call that needs it. */
  visit: Promise<Bootstrap> | undefined
  isSilent: boolean
}

/** What ends the assistant for everyone, until the owner has seen to it. */
const ends = new Set(['insufficient_credits', 'wallet_in_debt', 'ai_mode_disabled'])

export function startConversation(place: ConversationPlace) {
  const { shop, workspace, list } = place
  const base = `${shop}/v1/workspaces/${workspace}/experience`
  const kept = keptThread(place.keptAs)
  const talk: Talk = { place, base, kept, visit: undefined, isSilent: false }
  let prepared: Promise<boolean> | undefined
  let busy = false

  /** Shows what was said before, and tells whether the assistant would answer now. */
  const prepare = (): Promise<boolean> =>
    (prepared ??= Promise.all([isAnswering(place), restore(talk)]).then(([answers]) => answers))

  return {
    /** Before anything is asked: where nothing will be answered, visitors need not type first. */
    async prepare(): Promise<void> {
      if (!(await prepare()) && !busy) fallSilent(talk, addTurn(list))
    },
    /** Asks, and tells whether there was an answer. */
    async ask(question: SentQuestion): Promise<boolean> {
      if (busy) return false
      busy = true
      list.append(saidBy('you', question.shown))
      const turn = addTurn(list)
      turn.setAttribute('aria-busy', 'true')
      turn.append(make('p', { class: 'dots' }, place.words.thinking))
      turn.scrollIntoView({ block: 'nearest' })
      try {
        if (await prepare()) {
          show(place, turn, await send(talk, question, turn))
          return true
        }
        fallSilent(talk, turn)
        return false
      } catch (error) {
        await refuse(talk, turn, error)
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

/** Whether a question would be answered now. If that cannot be learned, the question itself will tell. */
async function isAnswering({ shop, kind }: ConversationPlace): Promise<boolean> {
  try {
    const response = await fetch(`${shop}/assistant.json`)
    if (!response.ok) return true
    const { answers } = (await response.json()) as { answers: string[] }
    return answers.includes(kind)
  } catch {
    return true
  }
}

async function visitNow(talk: Talk): Promise<Bootstrap> {
  const begin = async () => {
    const headers = { Accept: 'application/json', ...talk.place.identify(undefined) }
    const response = await fetch(`${talk.base}/bootstrap`, { headers })
    if (!response.ok) throw await refusalIn(response)
    return (await response.json()) as Bootstrap
  }
  try {
    return await (talk.visit ??= begin())
  } catch (error) {
    // A visit that failed is begun anew with the next question.
    talk.visit = undefined
    throw error
  }
}

/**
 * Shows what this tab has said here before. A conversation that has ended, or that was had before signing in
 * or out, is forgotten, as is what never was one, and the next question begins another.
 */
async function restore(talk: Talk): Promise<void> {
  const { place, base, kept } = talk
  const threadId = kept.read()
  if (threadId === undefined) return
  try {
    const visit = place.shop === '' ? undefined : await visitNow(talk)
    const headers = { Accept: 'application/json', ...place.identify(visit) }
    const response = await fetch(`${base}/threads/${encodeURIComponent(threadId)}`, { headers })
    if ([400, 401, 403, 404].includes(response.status)) return kept.forget()
    if (!response.ok) return
    const { turns, products } = (await response.json()) as Schemas['Thread']
    const shown = turns.map(({ role, text, citations }) => {
      if (role === 'VISITOR') return saidBy('you', text)
      const cited = new Set(citations.map(({ productId }) => productId))
      const answer = { citations, products: products.filter(({ id }) => cited.has(id)) }
      const turn = saidBy('them', text)
      turn.append(...detailsOf({ answer, ...place, hasPictures: place.shop === '' }))
      return turn
    })
    place.list.prepend(...shown)
  } catch {
    // It is still there when the connection is.
  }
}

async function send(talk: Talk, { body }: SentQuestion, turn: HTMLElement): Promise<ChatAnswer> {
  const { place, base, kept } = talk
  const { shop, workspace, kind } = place
  const current = await visitNow(talk)
  const { challenge } = current.accessPolicy
  const isChallenged =
    challenge === 'ALWAYS' || (challenge === 'GUESTS' && current.viewer.type === 'GUEST')
  const challengeToken = isChallenged ? await solveChallenge(shop, workspace, 'chat') : undefined
  const asked = await body()
  const text = make('p', { class: 'said' })
  const ask = () =>
    askService({
      url: `${base}/chat/${kind}`,
      headers: place.identify(current),
      body: { ...asked, threadId: kept.read(), challengeToken },
      say(said) {
        text.textContent = said
        turn.replaceChildren(text)
      },
    })
  const answer = await ask().catch((error: unknown) => {
    if (!isOfThread(error) || kept.read() === undefined) throw error
    // The conversation has ended since, or never was, which is seen before the challenge is spent.
    kept.forget()
    return ask()
  })
  kept.keep(answer.threadId)
  return answer
}

function isOfThread(error: unknown): boolean {
  return error instanceof Refused && (error.status === 404 || error.fields.includes('threadId'))
}

function show(place: ConversationPlace, turn: HTMLElement, answer: ChatAnswer): void {
  const { words } = place
  const text = make('p', { class: 'said' }, wordsOf(answer))
  turn.replaceChildren(text, ...detailsOf({ answer, ...place, hasPictures: place.shop === '' }))
  const { remainingRequests: left } = answer.access
  if (left > 3) return
  const said = left === 1 ? words.lastLeft : words.left.replace('{count}', String(left))
  turn.append(make('p', { class: 'note' }, said))
}

async function refuse(talk: Talk, turn: HTMLElement, error: unknown): Promise<void> {
  const { place } = talk
  const refusal = error instanceof Refused ? error : undefined
  const isOver = refusal?.code === 'quota_exceeded' && !(await isAnswering(place))
  // The shop's budget of the day, and not the visitor's.
  if (refusal && (isOver || ends.has(refusal.code))) return fallSilent(talk, turn)
  turn.classList.add('refused')
  turn.replaceChildren(
    make('p', {}, (error instanceof Told && error.message) || place.words.failed),
  )
  const visit = await talk.visit?.catch(() => undefined)
  if (refusal && visit && place.shop === '' && helpsToSignIn(refusal, visit)) {
    const href = `/sign-in?to=${encodeURIComponent(location.pathname)}`
    turn.append(make('p', {}, make('a', { href }, place.words.signIn)))
  }
  // A guest whose token has ended is met anew with the next question.
  if (refusal?.code === 'visitor_required') talk.visit = undefined
}

/** Whether customers of the shop may have what a guest was refused. */
function helpsToSignIn({ code }: Refused, { viewer, accessPolicy }: Bootstrap): boolean {
  const { customerDailyRequests, guestDailyRequests } = accessPolicy
  if (viewer.type !== 'GUEST') return false
  if (code === 'quota_exceeded') return customerDailyRequests > guestDailyRequests
  return code === 'sign_in_required' || (code === 'access_restricted' && customerDailyRequests > 0)
}

function fallSilent(talk: Talk, turn: HTMLElement): void {
  if (talk.isSilent) return turn.remove()
  talk.isSilent = true
  const { words, list, fallSilent } = talk.place
  turn.replaceChildren(make('p', {}, words.silent))
  const { activeElement } = list.getRootNode() as Document | ShadowRoot
  fallSilent()
  if (activeElement?.checkVisibility() !== false) return
  // What had the focus is gone with the form.
  turn.tabIndex = -1
  turn.focus({ preventScroll: true })
}

function addTurn(list: HTMLElement): HTMLElement {
  const turn = make('li', { class: 'them' })
  list.append(turn)
  return turn
}

export function saidBy(who: 'you' | 'them', text: string): HTMLElement {
  return make('li', { class: who }, make('p', who === 'them' ? { class: 'said' } : {}, text))
}
