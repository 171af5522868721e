/**
 * What the pages of a shop load at once. It only waits: what a form needs to come to life is loaded when a
 * visitor first touches one, and takes over what they have sent by then.
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
  const form = liveForm(event.target)
  if (!form) return
  event.preventDefault()
  const detail = event.submitter instanceof HTMLButtonElement ? event.submitter.value : ''
  void load().then(() => form.dispatchEvent(new CustomEvent('sent', { bubbles: true, detail })))
})
