import { useCallback, useEffect, useRef, useState } from 'preact/hooks'
import { Redirect, Route, Router, Switch } from 'wouter-preact'
import { api, ask, type Failure, type Schemas } from '../api.ts'
import { CodeSignIn } from '../kit/forms/code_sign_in.tsx'
import { setDraftOwner } from '../kit/forms/drafts.ts'
import { EndedSession, type EndOfWait, useEndedSession } from '../kit/shell/ended_session.tsx'
import { Brand } from '../kit/shell/frame.tsx'
import { Empty, Failed, Starting, WithoutTexts } from '../kit/shell/states.tsx'
import { asFailure } from '../kit/shell/use_load.ts'
import { useGuardedLocation } from '../kit/forms/unsaved.ts'
import { hasTexts, setLanguage, texts } from '../language.ts'
import { ignoreSignedOut, mayBeSignedIn } from '../signed_in.ts'
import { AccountPage } from './account.tsx'
import { AccountsPage } from './accounts.tsx'
import { AdminFrame } from './admin_frame.tsx'
import { AuditPage } from './audit.tsx'
import { ContactRequestsPage } from './contact_requests.tsx'
import { DesignPage } from './design.tsx'
import { SourcePage } from './source.tsx'
import { SourcesPage } from './sources.tsx'
import { WorkspacePage } from './workspace.tsx'
import { WorkspacesPage } from './workspaces.tsx'

type Staff = Schemas['StaffSession']

interface AdministrationState {
  started: boolean
  staff?: Staff | undefined
  failure?: Failure
}

/** The administration app. Sign-in keeps the requested address. */
export function Administration() {
  const [{ started, staff, failure }, setState] = useState<AdministrationState>({ started: false })
  const signedIn = useRef(staff)
  signedIn.current = staff
  const takeStaff = useCallback((session: Staff | undefined) => {
    setDraftOwner(session?.email)
    setState({ started: true, staff: session })
  }, [])
  const ended = useEndedSession(() => signedIn.current !== undefined)
  const start = useCallback(async () => {
    // Staff have no account that would store a language.
    const browserLanguage = setLanguage(navigator.language)
    try {
      const session = mayBeSignedIn()
        ? await ask(api.GET('/api/admin/session')).catch(ignoreSignedOut)
        : undefined
      await browserLanguage
      takeStaff(session)
    } catch (error) {
      await browserLanguage
      setState({ started: true, failure: asFailure(error) })
    }
  }, [])
  useEffect(() => void start(), [])

  if (!started) return <Starting />
  if (!hasTexts()) return <WithoutTexts />
  if (failure)
    return (
      <main class="front">
        <div class="front-card">
          <Brand />
          <h1>{texts('admin')('administration')}</h1>
          <Failed failure={failure} retry={() => void start()} />
        </div>
      </main>
    )
  return (
    <Router hook={useGuardedLocation}>
      {staff ? (
        <>
          <Pages staff={staff} />
          {ended ? <SignInAgain staff={staff} onSignedIn={takeStaff} onEnd={ended} /> : null}
        </>
      ) : (
        <SignIn onSignedIn={takeStaff} />
      )}
    </Router>
  )
}

const sendCode = (email: string) => ask(api.POST('/api/admin/session/code', { body: { email } }))

function SignIn({ onSignedIn }: { onSignedIn: (staff: Staff) => void }) {
  const t = texts('admin')
  return (
    <CodeSignIn
      title={t('administration')}
      hint={t('signInHint')}
      sendCode={sendCode}
      signIn={async (body) => onSignedIn(await ask(api.POST('/api/admin/session', { body })))}
    />
  )
}

interface SignInAgainProps {
  staff: Staff
  onSignedIn: (staff: Staff) => void
  onEnd: EndOfWait
}

function SignInAgain({ staff: { email }, onSignedIn, onEnd }: SignInAgainProps) {
  return (
    <EndedSession
      email={email}
      sendCode={() => sendCode(email)}
      signIn={async (body) => {
        onSignedIn(await ask(api.POST('/api/admin/session', { body })))
        return true
      }}
      onEnd={onEnd}
    />
  )
}

function Pages({ staff }: { staff: Staff }) {
  const t = texts('kit')
  return (
    <AdminFrame staff={staff}>
      <Switch>
        <Route path="/accounts" component={AccountsPage} />
        <Route path="/accounts/:id">{({ id }) => <AccountPage key={id} id={id} />}</Route>
        <Route path="/workspaces" component={WorkspacesPage} />
        <Route path="/workspaces/:id">{({ id }) => <WorkspacePage key={id} id={id} />}</Route>
        <Route path="/workspaces/:id/design">{({ id }) => <DesignPage key={id} id={id} />}</Route>
        <Route path="/sources" component={SourcesPage} />
        <Route path="/sources/:id">{({ id }) => <SourcePage key={id} id={id} />}</Route>
        <Route path="/contact-requests" component={ContactRequestsPage} />
        <Route path="/audit" component={AuditPage} />
        <Route path="/:first?">
          {({ first }) =>
            first === undefined || first === 'sign-in' ? (
              <Redirect to="/accounts" replace />
            ) : (
              <Empty icon="search" title={t('notFoundTitle')} hint={t('notFoundHint')} />
            )
          }
        </Route>
      </Switch>
    </AdminFrame>
  )
}
