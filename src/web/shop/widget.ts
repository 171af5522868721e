import { startConversation } from './conversation.ts'
import { make, type ConversationWords } from './drawing.ts'
import { widgetStyle } from './widget_style.ts'

/** What the loader hands over: where the shop is, and how it looks. */
export interface Opening {
  root: ShadowRoot
  button: HTMLButtonElement
  /** The id or the slug of a product. */
  product: string
  shop: string
  workspace: string
  name: string
  colors: { brand: string; ink: string }
}

/** What the shop says of the product that is asked about. */
interface Subject {
  productId: string
  /** Of thinking. */
  level: string
  questions: string[]
  /** Characters of a question. */
  longest: number
  words: ConversationWords & { placeholder: string; ask: string; close: string; note: string }
}

/** Opens the conversation in the shadow root of the loader. Called at each click until it is there. */
export async function open(opening: Opening): Promise<void> {
  const { root, button, shop, name } = opening
  const { productId, level, questions, longest, words } = await subjectOf(opening)
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(widgetStyle(opening.colors))
  root.adoptedStyleSheets = [...root.adoptedStyleSheets, sheet]
  const device = deviceOf(opening.workspace)
  const list = make('ol', { class: 'talk', 'aria-live': 'polite' })
  const panel = make('section', { class: 'panel', role: 'dialog', 'aria-label': name })
  const suggestions = make('div', { class: 'suggestions' })
  const field = make('textarea', {
    rows: '2',
    'aria-label': words.placeholder,
    placeholder: words.placeholder,
    maxlength: String(longest),
  })
  const send = make('button', { class: 'send' }, words.ask)
  const form = make('form', {}, suggestions, field, send)
  const close = make('button', { type: 'button', class: 'close', 'aria-label': words.close }, '×')
  const conversation = startConversation({
    shop,
    workspace: opening.workspace,
    words,
    list,
    productId,
    identify: (visit) => ({
      'X-Guest-Device-Id': device,
      ...(visit?.guestToken && { 'X-Guest-Token': visit.guestToken }),
    }),
    fallSilent: () => form.remove(),
  })

  async function ask(message: string): Promise<void> {
    if (message === '' || conversation.isBusy()) return
    suggestions.remove()
    send.disabled = true
    const body = () => ({ message, productId, thinkingLevel: level })
    const isAnswered = await conversation.ask({ kind: 'product', shown: message, body })
    send.disabled = false
    if (!isAnswered && field.value === '') field.value = message
  }

  function toggle(isOpen: boolean): void {
    panel.hidden = !isOpen
    button.hidden = isOpen
    ;(isOpen ? field : button).focus()
  }

  form.addEventListener('submit', (event) => {
    event.preventDefault()
    const message = field.value.trim()
    field.value = ''
    void ask(message)
  })
  close.addEventListener('click', () => toggle(false))
  button.onclick = () => toggle(true)
  panel.addEventListener('keydown', ({ key }) => void (key === 'Escape' && toggle(false)))
  for (const text of questions.slice(0, 3)) {
    const suggestion = make('button', { type: 'button' }, text)
    suggestion.addEventListener('click', () => void ask(text))
    suggestions.append(suggestion)
  }
  const head = make('header', {}, make('strong', {}, name), close)
  panel.append(head, list, form, make('p', { class: 'note' }, words.note))
  root.append(panel)
  button.disabled = false
  toggle(true)
}

async function subjectOf({ shop, product }: Opening): Promise<Subject> {
  const response = await fetch(`${shop}/widget/${encodeURIComponent(product)}`)
  if (!response.ok) throw new Error('The shop does not know the product, or the page.')
  return (await response.json()) as Subject
}

/** The device of this tab: with the tab ends what the shop knows of it. */
function deviceOf(workspace: string): string {
  const key = `vitrine ${workspace}`
  try {
    const known = sessionStorage.getItem(key) ?? crypto.randomUUID()
    sessionStorage.setItem(key, known)
    return known
  } catch {
    return crypto.randomUUID()
  }
}
