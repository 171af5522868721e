import { refusalIn } from './answers.ts'
import { saidBy, startConversation } from './conversation.ts'
import { asks, make, type ConversationWords } from './drawing.ts'
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
  /** The page of the product, and what it is called. */
  path: string
  label: string
  /** Of thinking. */
  level: string
  questions: string[]
  /** Characters of a question. */
  longest: number
  words: ConversationWords & { placeholder: string; ask: string; close: string; note: string }
}

/** Why nothing can be asked about the product, and where to go instead. */
interface Away {
  away: { says: string; path: string; label: string }
  words: { close: string }
}

/** Opens the conversation in the shadow root of the loader. Called at each click until it is there. */
export async function open(opening: Opening): Promise<void> {
  const { root, shop } = opening
  const subject = await subjectOf(opening)
  // The owner reads why in the console; a button that never opens would only annoy visitors.
  if (subject === undefined) return root.host.remove()
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(widgetStyle(opening.colors))
  root.adoptedStyleSheets = [...root.adoptedStyleSheets, sheet]
  if ('productId' in subject) return openConversation(opening, subject)
  const { says, path, label } = subject.away
  const { panel, show } = addPanel(opening, subject.words.close)
  const link = make('a', { href: shop + path }, label)
  panel.append(make('p', {}, says), link)
  show(link)
}

/** A panel with its head, which is shown with the focus on what it is there for. */
function addPanel({ root, button, name }: Opening, closing: string) {
  const panel = make('section', { class: 'panel', role: 'dialog', 'aria-label': name })
  const close = make('button', { type: 'button', class: 'close', 'aria-label': closing }, '×')
  let focused: HTMLElement = close
  function toggle(isOpen: boolean): void {
    panel.hidden = !isOpen
    button.hidden = isOpen
    ;(isOpen ? focused : button).focus()
  }
  close.addEventListener('click', () => toggle(false))
  button.onclick = () => toggle(true)
  panel.addEventListener('keydown', ({ key }) => void (key === 'Escape' && toggle(false)))
  panel.append(make('header', {}, make('strong', {}, name), close))
  root.append(panel)
  return {
    panel,
    show: (first: HTMLElement): void => {
      focused = first
      button.disabled = false
      toggle(true)
    },
  }
}

function openConversation(opening: Opening, subject: Subject): void {
  const { shop, workspace } = opening
  const { productId, path, label, level, questions, longest, words } = subject
  const { panel, show } = addPanel(opening, words.close)
  const device = deviceOf(workspace)
  const list = make('ol', { class: 'talk', 'aria-live': 'polite' })
  const suggestions = make('div', { class: 'suggestions' })
  const field = make('textarea', {
    rows: '2',
    'aria-label': words.placeholder,
    placeholder: words.placeholder,
    maxlength: String(longest),
    enterkeyhint: 'send',
  })
  const send = make('button', { class: 'send' }, words.ask)
  const form = make('form', {}, suggestions, field, send)
  const conversation = startConversation({
    shop,
    workspace,
    kind: 'product',
    words,
    list,
    productId,
    keptAs: `vitrine ${workspace} ${productId}`,
    identify: (visit) => ({
      'X-Guest-Device-Id': device,
      ...(visit?.guestToken && { 'X-Guest-Token': visit.guestToken }),
    }),
    fallSilent() {
      if (field.value.trim() !== '') list.append(saidBy('you', field.value.trim()))
      form.replaceWith(make('a', { href: shop + path }, label))
    },
  })

  async function ask(message: string): Promise<void> {
    if (message === '' || conversation.isBusy()) return
    suggestions.remove()
    send.disabled = true
    const body = () => ({ message, productId, thinkingLevel: level })
    const isAnswered = await conversation.ask({ shown: message, body })
    send.disabled = false
    if (!isAnswered && field.value === '') field.value = message
  }

  field.addEventListener('keydown', (event) => {
    if (!asks(event)) return
    event.preventDefault()
    send.click()
  })
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    const message = field.value.trim()
    field.value = ''
    void ask(message)
  })
  for (const text of questions.slice(0, 3)) {
    const suggestion = make('button', { type: 'button' }, text)
    suggestion.addEventListener('click', () => void ask(text))
    suggestions.append(suggestion)
  }
  panel.append(list, form, make('p', { class: 'note' }, words.note))
  show(field)
  void conversation.prepare()
}

/** Undefined where the owner does not list the page, which the console is told. */
async function subjectOf({ shop, product }: Opening): Promise<Subject | Away | undefined> {
  const response = await fetch(`${shop}/widget/${encodeURIComponent(product)}`)
  if (response.ok || response.status === 404) return (await response.json()) as Subject | Away
  const { code, message } = await refusalIn(response)
  if (code !== 'origin_refused') throw new Error(message)
  console.warn(message)
  return undefined
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
