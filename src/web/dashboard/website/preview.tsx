import { useEffect, useRef } from 'preact/hooks'
import { api, ask } from '../../api.ts'
import { texts } from '../../language.ts'
import { shopAddressOf, useWorkspace } from '../../session.ts'
import { updateOf, type WebsiteValues } from './values.ts'

/** Milliseconds without a change after which the page is drawn again. */
const pause = 400

/**
 * The real home page of the shop with the form's current values. A draft that the service has signed is
 * posted into a frame, to the shop's own origin; what the service refuses leaves the last one there.
 */
export function Preview({ values }: { values: WebsiteValues }) {
  const t = texts('website')
  const workspace = useWorkspace()
  const { workspaceId } = workspace
  const address = shopAddressOf(workspace)
  const form = useRef<HTMLFormElement>(null)
  const draft = useRef<HTMLInputElement>(null)
  const shown = JSON.stringify(updateOf(values))

  useEffect(() => {
    if (address === undefined) return
    let isCurrent = true
    const timer = setTimeout(() => {
      const body = JSON.parse(shown) as ReturnType<typeof updateOf>
      const params = { path: { workspaceId } }
      ask(api.POST('/api/workspaces/{workspaceId}/website/preview', { params, body })).then(
        (signed) => {
          if (!isCurrent || !draft.current) return
          draft.current.value = signed.draft
          form.current?.submit()
        },
        // Half-typed values are no draft yet; saving them says what is wrong.
        () => undefined,
      )
    }, pause)
    return () => {
      isCurrent = false
      clearTimeout(timer)
    }
  }, [address, workspaceId, shown])

  if (address === undefined) return null
  return (
    <section class="card" aria-labelledby="preview">
      <h2 id="preview" tabIndex={-1}>
        {t('preview')}
      </h2>
      <form ref={form} method="post" action={`${address}/preview`} target="shop-preview" hidden>
        <input ref={draft} type="hidden" name="draft" />
      </form>
      <iframe
        class="shop-preview"
        name="shop-preview"
        title={t('preview')}
        sandbox="allow-popups allow-popups-to-escape-sandbox"
      />
    </section>
  )
}

/** On a phone the preview stands below the whole form. No link: a step to a hash would ask about unsaved changes. */
export function ToPreview() {
  if (shopAddressOf(useWorkspace()) === undefined) return null
  const show = () => {
    const heading = document.getElementById('preview')
    heading?.scrollIntoView()
    heading?.focus({ preventScroll: true })
  }
  return (
    <button type="button" class="to-preview" onClick={show}>
      {texts('website')('preview')}
    </button>
  )
}
