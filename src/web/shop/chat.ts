import {
  type ConversationPlace,
  saidBy,
  type SentQuestion,
  startConversation,
} from './conversation.ts'
import { solveChallenge } from './challenge.ts'
import type { ConversationWords } from './drawing.ts'
import { smallPicture } from './pictures.ts'
import { goToSentence } from './sentences.ts'

/** The live parts of a shop's pages, loaded at the first touch of one. */

type ShownConversation = ReturnType<typeof startConversation>

const conversations = new WeakMap<HTMLFormElement, ShownConversation>()

document.addEventListener('sent', (event) => {
  const form = event.target
  if (!(form instanceof HTMLFormElement)) return
  const chosen = (event as CustomEvent<string>).detail
  if (form.dataset['live'] === 'challenge') void prove(form)
  else void converse(form, chosen)
})

/** Solves the challenge of a form, and sends the form then. */
async function prove(form: HTMLFormElement): Promise<void> {
  const { site = '', busy = '', failed = '' } = form.dataset
  const button = form.querySelector('button')
  const token = form.elements.namedItem('challengeToken')
  if (!button || button.disabled || !(token instanceof HTMLInputElement)) return
  const label = button.textContent
  button.disabled = true
  button.textContent = busy
  try {
    token.value = await solveChallenge('', site, 'sign_in')
    form.submit()
  } catch {
    button.textContent = label
    form.querySelector('.fault')?.remove()
    const fault = document.createElement('p')
    fault.className = 'fault'
    fault.role = 'alert'
    fault.textContent = failed
    form.prepend(fault)
  } finally {
    // A page that the browser brings back from memory must be usable again.
    button.disabled = false
  }
}

async function converse(form: HTMLFormElement, chosen: string): Promise<void> {
  const conversation = conversationOf(form)
  if (conversation.isBusy()) return
  const question = questionIn(form, chosen)
  if (!question) return
  const buttons = form.querySelectorAll('button')
  for (const button of buttons) button.disabled = true
  const field = form.querySelector('textarea')
  const written = field?.value ?? ''
  if (field && chosen === '') field.value = ''
  const isAnswered = await conversation.ask(question)
  for (const button of buttons) {
    button.disabled = false
    if (isAnswered && chosen !== '' && button.value === chosen) button.closest('li')?.remove()
  }
  // What was not answered is not lost.
  if (field && !isAnswered && field.value === '' && chosen === '') field.value = written
  if (chosen === '') return field?.focus({ preventScroll: true })
  // The keyboard of a phone, which the field opens, would cover the answer.
  const turn = form.closest('.chat')?.querySelector<HTMLElement>('.talk > :last-child')
  turn?.setAttribute('tabindex', '-1')
  turn?.focus({ preventScroll: true })
}

function conversationOf(form: HTMLFormElement): ShownConversation {
  const known = conversations.get(form)
  if (known) return known
  const { workspace = '', product, talk, words = '{}' } = form.dataset
  const chat = form.closest('.chat')
  const list = chat?.querySelector<HTMLElement>('.talk')
  const started = startConversation({
    shop: '',
    workspace,
    kind: kindOf(form),
    words: JSON.parse(words) as ConversationWords,
    list: list ?? form,
    productId: product,
    keptAs: talk,
    identify: () => ({}),
    goTo: goToSentence,
    fallSilent() {
      const written = form.querySelector('textarea')?.value.trim() ?? ''
      // What was typed must not go with the form.
      if (written !== '') list?.append(saidBy('you', written))
      chat?.classList.add('silent')
    },
  })
  conversations.set(form, started)
  return started
}

function kindOf({ dataset: { live } }: HTMLFormElement): ConversationPlace['kind'] {
  if (live === 'face') return 'analyze-face'
  return live === 'routine' ? 'routine' : 'product'
}

function questionIn(form: HTMLFormElement, chosen: string): SentQuestion | undefined {
  const fields = new FormData(form)
  const text = (name: string) => {
    const value = fields.get(name)
    return typeof value === 'string' ? value.trim() : ''
  }
  const message = chosen || text('message')
  const { live: kind, product: productId, level: thinkingLevel } = form.dataset
  if (kind === 'face') {
    const picture = fields.get('picture')
    if (!(picture instanceof File) || picture.size === 0) return undefined
    const { unreadable = '' } = form.dataset
    const body = async () => ({ image: await smallPicture(picture, unreadable) })
    return { shown: picture.name, body }
  }
  if (message === '') return undefined
  if (kind === 'product')
    return { shown: message, body: () => ({ message, thinkingLevel, productId }) }
  const listed = (name: string) =>
    text(name)
      .split(',')
      .map((part) => part.trim())
      .filter((part) => part !== '')
      .slice(0, 20)
  const skinType = text('skinType')
  const userProfile = { ...(skinType !== '' && { skinType }), concerns: listed('concerns') }
  return { shown: message, body: () => ({ message, thinkingLevel, userProfile }) }
}

for (const form of document.querySelectorAll<HTMLFormElement>('.chat form[data-live]'))
  void conversationOf(form).prepare()
