import { useCallback, useEffect, useState } from 'preact/hooks'
import { Redirect, Route, Router, Switch } from 'wouter-preact'
import { api, ask, type Failure, type Schemas, setSignedOutHandler } from '../api.ts'
import { CodeSignIn } from '../kit/forms/code_sign_in.tsx'
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
  const start = useCallback(async () => {
    // Staff have no account that would store a language.
    const browserLanguage = setLanguage(navigator.language)
    try {
      const session = mayBeSignedIn()
        ? await ask(api.GET('/api/admin/session')).catch(ignoreSignedOut)
        : undefined
      await browserLanguage
      setState({ started: true, staff: session })
    } catch (error) {
      await browserLanguage
      setState({ started: true, failure: asFailure(error) })
    }
  }, [])
  useEffect(() => {
    setSignedOutHandler(() => {
      setState({ started: true })
      return Promise.resolve(false)
    })
    void start()
  }, [])

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
        <Pages staff={staff} />
      ) : (
        <SignIn onSignedIn={(session) => setState({ started: true, staff: session })} />
      )}
    </Router>
  )
}

function SignIn({ onSignedIn }: { onSignedIn: (staff: Staff) => void }) {
  const t = texts('admin')
  return (
    <CodeSignIn
      title={t('administration')}
      hint={t('signInHint')}
      sendCode={(email) => ask(api.POST('/api/admin/session/code', { body: { email } }))}
      signIn={async (body) => onSignedIn(await ask(api.POST('/api/admin/session', { body })))}
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
