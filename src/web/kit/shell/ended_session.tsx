import { useEffect, useRef, useState } from 'preact/hooks'
import { setSignedOutHandler } from '../../api.ts'
import { texts } from '../../language.ts'
import { CodeSteps } from '../forms/code_sign_in.tsx'
import { Dialog } from './dialog.tsx'
import { startOver } from './start_over.ts'

/** Called with whether the person has signed in again. */
export type EndOfWait = (isSignedIn: boolean) => void

/**
 * While set, the session has ended under an open page. The page stays as it is, and calls that were
 * refused wait for a new sign-in.
 */
export function useEndedSession(isSignedIn: () => boolean): EndOfWait | undefined {
  const [end, setEnd] = useState<EndOfWait | undefined>()
  const wait = useRef<Promise<boolean> | undefined>()
  useEffect(() => {
    setSignedOutHandler(() => {
      if (!isSignedIn()) return Promise.resolve(false)
      wait.current ??= new Promise<boolean>((resolve) => setEnd(() => resolve)).finally(() => {
        wait.current = undefined
        setEnd(undefined)
      })
      return wait.current
    })
  }, [])
  return end
}

interface EndedSessionProps {
  /** The address of the session that has ended. */
  email: string
  codeHint?: string | undefined
  sendCode: () => Promise<unknown>
  /** Resolves to whether the same person has signed in, for whom this page is. */
  signIn: (credentials: { email: string; code: string }) => Promise<boolean>
  onEnd: EndOfWait
}

/** Sign-in over the page whose session has ended; everything on the page stays. */
export function EndedSession({ email, codeHint, sendCode, signIn, onEnd }: EndedSessionProps) {
  const t = texts('front')
  return (
    <Dialog title={t('sessionEnded')} onClose={() => onEnd(false)}>
      <CodeSteps
        hint={t('sessionEndedHint')}
        onlyEmail={email}
        codeHint={codeHint}
        sendCode={sendCode}
        signIn={async (body) => {
          if (await signIn(body)) onEnd(true)
          else startOver()
        }}
      />
      <button type="button" class="link" onClick={startOver}>
        {t('otherAccount')}
      </button>
    </Dialog>
  )
}
