/**
 * What the pages of a shop load at once. It only waits: what a form needs to come to life is loaded when a
 * visitor first touches one, and takes over what they have sent by then. Where they have talked before in
 * this tab, it is loaded at once, and shows that.
 */
const source = document.querySelector<HTMLElement>('script[data-parts]')?.dataset['parts'] ?? ''

let parts: Promise<unknown> | undefined
const load = (): Promise<unknown> =>
  (parts ??= import(/* @vite-ignore */ source).catch(() => (parts = undefined)))

const liveForm = (target: EventTarget | null): HTMLFormElement | null =>
  target instanceof Element ? target.closest<HTMLFormElement>('form[data-live]') : null

for (const touch of ['focusin', 'pointerdown'])
  document.addEventListener(touch, ({ target }) => void (liveForm(target) && load()))

document.addEventListener('submit', (event) => {
  // Not every browser clears this when the answer tells it to.
  if (event.target instanceof Element && event.target.matches('[data-leaves]')) forgetTalks()
  const form = liveForm(event.target)
  if (!form) return
  event.preventDefault()
  const detail = event.submitter instanceof HTMLButtonElement ? event.submitter.value : ''
  void load().then(() => form.dispatchEvent(new CustomEvent('sent', { bubbles: true, detail })))
})

// Enter asks, where it neither begins a line nor ends a composed word: as `asks` says, which comes later.
document.addEventListener('keydown', (event) => {
  const { target, key, shiftKey, isComposing } = event
  if (key !== 'Enter' || shiftKey || isComposing || !(target instanceof HTMLTextAreaElement)) return
  const button = target.closest('.chat')?.querySelector<HTMLElement>('button.main')
  if (!button) return
  event.preventDefault()
  button.click()
})

function forgetTalks(): void {
  try {
    sessionStorage.clear()
  } catch {
    // A browser that refuses its storage has kept nothing in it.
  }
}

/** The conversation that the account leads here to go on with. A stranger can write a link that looks like it. */
const [, threadId] = /^#talk=([\w-]{1,160})$/.exec(location.hash) ?? []
// Once it is kept, a reload must not bring it back in the place of a later one.
if (location.hash.startsWith('#talk='))
  history.replaceState(history.state, '', location.pathname + location.search)

/** Whether this tab has talked in the form before, or is led here from the account to go on. */
function hasTalked(form: HTMLElement): boolean {
  const { talk = '' } = form.dataset
  try {
    if (threadId !== undefined) sessionStorage.setItem(talk, threadId)
    return sessionStorage.getItem(talk) !== null
  } catch {
    return false
  } finally {
    if (threadId !== undefined) form.scrollIntoView()
  }
}

if ([...document.querySelectorAll<HTMLElement>('[data-talk]')].some(hasTalked)) void load()
