import { useEffect, useState } from 'preact/hooks'
import { Page } from '../../kit/page.tsx'
import { toastFailure } from '../../kit/toasts.tsx'
import { texts } from '../../language.ts'
import { useWorkspace } from '../../session.ts'
import { Conversation } from './conversation.tsx'
import { becomeGuest, type Guest } from './guest.ts'

/** Lets members try the assistant as a visitor. */
export function ChatPage() {
  const { workspaceId } = useWorkspace()
  const t = texts('chat')
  const [guest, setGuest] = useState<Guest | undefined>()
  const [starting, setStarting] = useState(false)
  useEffect(() => {
    if (!guest) return
    const end = () => setGuest(undefined)
    // Closing the tab; the effect's cleanup covers navigation within the app.
    addEventListener('pagehide', guest.leave)
    addEventListener('pageshow', end)
    return () => {
      removeEventListener('pagehide', guest.leave)
      removeEventListener('pageshow', end)
      guest.leave()
    }
  }, [guest])
  const start = () => {
    setStarting(true)
    becomeGuest(workspaceId)
      .then(setGuest, toastFailure)
      .finally(() => setStarting(false))
  }
  return (
    <Page narrow title={t('title')} about={t('about')}>
      <p class="banner warning">{t('realCredits')}</p>
      {guest ? (
        <Conversation guest={guest} />
      ) : (
        <div>
          <button type="button" class="primary" disabled={starting} onClick={start}>
            {starting ? t('starting') : t('start')}
          </button>
        </div>
      )}
    </Page>
  )
}
