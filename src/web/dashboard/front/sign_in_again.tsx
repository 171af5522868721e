import { api, ask, type Schemas } from '../../api.ts'
import { EndedSession, type EndOfWait } from '../../kit/shell/ended_session.tsx'
import { texts } from '../../language.ts'
import { useSession } from '../../session.ts'

interface SignInAgainProps {
  onSignedIn: (session: Schemas['Session']) => Promise<void>
  onEnd: EndOfWait
}

export function SignInAgain({ onSignedIn, onEnd }: SignInAgainProps) {
  const t = texts('front')
  const { session, config } = useSession()
  const { id, email } = session.account
  return (
    <EndedSession
      email={email}
      codeHint={config.environment === 'development' ? t('codeInOutbox') : undefined}
      sendCode={() => ask(api.POST('/api/session/code', { body: { email } }))}
      signIn={async (body) => {
        const next = await ask(api.POST('/api/session', { body }))
        // The address may have moved to another account meanwhile.
        if (next.account.id !== id) return false
        await onSignedIn(next)
        return true
      }}
      onEnd={onEnd}
    />
  )
}
