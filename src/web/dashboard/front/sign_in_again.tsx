import { api, ask, type Schemas } from '../../api.ts'
import { CodeSteps } from '../../kit/forms/code_sign_in.tsx'
import { Dialog } from '../../kit/shell/dialog.tsx'
import { clearDrafts } from '../../kit/forms/drafts.ts'
import { forgetUnsaved } from '../../kit/forms/unsaved.ts'
import { texts } from '../../language.ts'
import { useSession } from '../../session.ts'

interface SignInAgainProps {
  onSignedIn: (session: Schemas['Session']) => Promise<void>
  /** Called with whether the person has signed in. */
  onEnd: (isSignedIn: boolean) => void
}

/** Sign-in over the page whose session has ended; everything on the page stays. */
export function SignInAgain({ onSignedIn, onEnd }: SignInAgainProps) {
  const t = texts('front')
  const { session, config } = useSession()
  const { id, email } = session.account
  const restart = () => {
    clearDrafts()
    forgetUnsaved()
    location.assign('/')
  }
  return (
    <Dialog title={t('sessionEnded')} onClose={() => onEnd(false)}>
      <CodeSteps
        hint={t('sessionEndedHint')}
        onlyEmail={email}
        codeHint={config.environment === 'development' ? t('codeInOutbox') : undefined}
        sendCode={() => ask(api.POST('/api/session/code', { body: { email } }))}
        signIn={async (body) => {
          const next = await ask(api.POST('/api/session', { body }))
          // The address has moved to another account meanwhile: this page is not for it.
          if (next.account.id !== id) return restart()
          await onSignedIn(next)
          onEnd(true)
        }}
      />
      <button type="button" class="link" onClick={restart}>
        {t('otherAccount')}
      </button>
    </Dialog>
  )
}
