import { useCallback, useEffect, useState } from 'preact/hooks'
import { Redirect, Route, Router, Switch } from 'wouter-preact'
import { api, ask, type Failure, type Schemas, setSignedOutHandler } from '../api.ts'
import { lazyPage } from '../kit/page.tsx'
import { Failed, Starting, WithoutTexts } from '../kit/states.tsx'
import { asFailure } from '../kit/use_load.ts'
import { useGuardedLocation } from '../kit/unsaved.ts'
import { hasTexts, language, setLanguage } from '../language.ts'
import { homeOf, lastWorkspace, SessionContext, useSession } from '../session.ts'
import { ignoreSignedOut, mayBeSignedIn } from '../signed_in.ts'
import { NotHere } from './not_here.tsx'
import { DashboardFrame } from './dashboard_frame.tsx'
import { SignIn } from './front/sign_in.tsx'
import { WorkspacePages } from './workspace_pages.tsx'

const IntegrationsPage = lazyPage(() =>
  import('./integrations/page.tsx').then((module) => module.IntegrationsPage),
)
const AccountPage = lazyPage(() =>
  import('./account/page.tsx').then((module) => module.AccountPage),
)
const ContactPage = lazyPage(() =>
  import('./front/contact.tsx').then((module) => module.ContactPage),
)
const NewWorkspacePage = lazyPage(() =>
  import('./front/new_workspace.tsx').then((module) => module.NewWorkspacePage),
)

interface State {
  config?: Schemas['DashboardConfig']
  session?: Schemas['Session'] | undefined
  failure?: Failure
}

/** The dashboard app. Sign-in keeps the requested address. */
export function Dashboard() {
  const [state, setState] = useState<State>({})
  const takeSession = useCallback(async (session: Schemas['Session'] | undefined) => {
    await setLanguage(session?.account.language ?? navigator.language)
    setState((before) => ({ ...before, session }))
  }, [])
  const start = useCallback(async () => {
    // Usually the account's language too, so load its texts while the service answers.
    const browserLanguage = setLanguage(navigator.language)
    try {
      const [config, session] = await Promise.all([
        ask(api.GET('/api/config')),
        mayBeSignedIn() ? ask(api.GET('/api/session')).catch(ignoreSignedOut) : undefined,
        browserLanguage,
      ])
      await takeSession(session)
      setState({ config, session })
    } catch (error) {
      await browserLanguage
      setState({ failure: asFailure(error) })
    }
  }, [])
  useEffect(() => {
    setSignedOutHandler(() => void takeSession(undefined))
    void start()
  }, [])

  const { config, session, failure } = state
  if ((config || failure) && !hasTexts()) return <WithoutTexts />
  if (failure) return <Failed failure={failure} retry={() => void start()} />
  if (!config) return <Starting />
  const refresh = async () => takeSession(await ask(api.GET('/api/session')))
  return (
    <Router hook={useGuardedLocation} key={language()}>
      <Switch>
        <Route path="/contact">
          <ContactPage config={config} account={session?.account} />
        </Route>
        <Route>
          {session ? (
            <SessionContext.Provider value={{ session, config, refresh }}>
              <Pages />
            </SessionContext.Provider>
          ) : (
            <SignIn config={config} onSignedIn={takeSession} />
          )}
        </Route>
      </Switch>
    </Router>
  )
}

function Pages() {
  return (
    <DashboardFrame>
      <Switch>
        <Route path="/" component={Home} />
        <Route path="/sign-in" component={Home} />
        <Route path="/integrations" component={IntegrationsPage} />
        <Route path="/account" component={AccountPage} />
        <Route path="/new-workspace" component={NewWorkspacePage} />
        <Route path="/w/:workspaceId/*?">
          {({ workspaceId }) => <WorkspacePages key={workspaceId} workspaceId={workspaceId} />}
        </Route>
        <Route component={NotHere} />
      </Switch>
    </DashboardFrame>
  )
}

/** Start page, by role. */
function Home() {
  const { memberships } = useSession().session
  const membership = lastWorkspace(memberships)
  if (!membership) return <Redirect to="/new-workspace" replace />
  return <Redirect to={homeOf(membership)} replace />
}
