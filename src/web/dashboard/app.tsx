import type { ComponentChildren } from 'preact'
import { useCallback, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { Redirect, Route, Router, Switch } from 'wouter-preact'
import { api, ask, type Failure, type Schemas } from '../api.ts'
import { setDraftOwner } from '../kit/forms/drafts.ts'
import { useEndedSession } from '../kit/shell/ended_session.tsx'
import { lazyPage } from '../kit/shell/page.tsx'
import { Failed, Loading, Starting, WithoutTexts } from '../kit/shell/states.tsx'
import { asFailure, useLoad } from '../kit/shell/use_load.ts'
import { useGuardedLocation } from '../kit/forms/unsaved.ts'
import { hasTexts, language, setLanguage } from '../language.ts'
import { homeOf, lastWorkspace, SessionContext, type SessionState, useSession } from '../session.ts'
import { ignoreSignedOut, mayBeSignedIn } from '../signed_in.ts'
import { NotHere } from './not_here.tsx'
import { DashboardFrame } from './dashboard_frame.tsx'
import { SignIn } from './front/sign_in.tsx'
import { SignInAgain } from './front/sign_in_again.tsx'
import { fetchPageAt } from './page_table.ts'
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
const InvitationsPage = lazyPage(() =>
  import('./front/invitations.tsx').then((module) => module.InvitationsPage),
)
const NewWorkspacePage = lazyPage(() =>
  import('./front/new_workspace.tsx').then((module) => module.NewWorkspacePage),
)

interface DashboardState {
  config?: Schemas['DashboardConfig']
  session?: Schemas['Session'] | undefined
  failure?: Failure
}

/** The dashboard app. Sign-in keeps the requested address. */
export function Dashboard() {
  const [state, setState] = useState<DashboardState>({})
  const latest = useRef(state)
  latest.current = state
  const takeSession = useCallback(async (session: Schemas['Session'] | undefined) => {
    setDraftOwner(session?.account.id)
    await setLanguage(session?.account.language ?? navigator.language)
    setState((before) => ({ ...before, session }))
  }, [])
  const ended = useEndedSession(() => latest.current.session !== undefined)
  const start = useCallback(async () => {
    // Usually the account's language too, so load its texts while the service answers.
    const browserLanguage = setLanguage(navigator.language)
    try {
      const answers = Promise.all([
        ask(api.GET('/api/config')),
        mayBeSignedIn() ? ask(api.GET('/api/session')).catch(ignoreSignedOut) : undefined,
        browserLanguage,
      ])
      // After these requests, which everything waits for.
      if (mayBeSignedIn()) setTimeout(() => fetchPageAt(location.pathname))
      const [config, session] = await answers
      await takeSession(session)
      setState({ config, session })
    } catch (error) {
      await browserLanguage
      setState({ failure: asFailure(error) })
    }
  }, [])
  // Before anything is painted: there is nothing to see without the answers.
  useLayoutEffect(() => void start(), [])

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
            <SignedIn {...{ session, config, refresh }}>
              <Pages />
              {ended ? <SignInAgain onSignedIn={takeSession} onEnd={ended} /> : null}
            </SignedIn>
          ) : (
            <SignIn config={config} onSignedIn={takeSession} />
          )}
        </Route>
      </Switch>
    </Router>
  )
}

type SignedInProps = Omit<SessionState, 'invitations'> & { children: ComponentChildren }

/** The session for all pages, with the invitations that wait for the person. */
function SignedIn({ session, config, refresh, children }: SignedInProps) {
  // A new session state follows every answer to an invitation.
  const list = useLoad(() => ask(api.GET('/api/invitations')), [session])
  // If they cannot be loaded, the pages are no worse than without any.
  const invitations = list.value?.invitations ?? (list.failure ? [] : undefined)
  return (
    <SessionContext.Provider value={{ session, config, refresh, invitations }}>
      {children}
    </SessionContext.Provider>
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
        <Route path="/invitations" component={InvitationsPage} />
        <Route path="/w/:workspaceId/*?">
          {({ workspaceId }) => <WorkspacePages key={workspaceId} workspaceId={workspaceId} />}
        </Route>
        <Route component={NotHere} />
      </Switch>
    </DashboardFrame>
  )
}

/** Start page, by role; for somebody without a workspace, what they are invited to. */
function Home() {
  const { session, invitations } = useSession()
  const membership = lastWorkspace(session.memberships)
  if (!membership && !invitations) return <Loading />
  if (!membership && invitations?.length) return <Redirect to="/invitations" replace />
  if (!membership) return <Redirect to="/new-workspace" replace />
  return <Redirect to={homeOf(membership)} replace />
}
