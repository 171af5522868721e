import { useEffect } from 'preact/hooks'
import { Redirect, Route, Switch } from 'wouter-preact'
import { texts } from '../language.ts'
import { rememberWorkspace, useSession, WorkspaceContext } from '../session.ts'
import { NoRight, NotHere, NotMember, Suspended } from './not_here.tsx'
import { maySee, pageGroups } from './page_table.ts'

/** The pages of one workspace, for its members. */
export function WorkspacePages({ workspaceId }: { workspaceId: string }) {
  const { memberships } = useSession().session
  const t = texts('front')
  const membership = memberships.find((candidate) => candidate.workspaceId === workspaceId)
  useEffect(() => {
    if (membership) rememberWorkspace(workspaceId)
  }, [workspaceId])
  if (!membership) return <NotMember />
  if (membership.workspaceStatus === 'SUSPENDED') return <Suspended {...membership} />
  const pages = pageGroups.flatMap((group) => group.pages)
  const visiblePages = pages.filter((page) => maySee(membership.role, page))
  const otherPages = pages.filter((page) => !maySee(membership.role, page))
  return (
    <WorkspaceContext.Provider value={membership}>
      <Switch>
        <Route path="/w/:workspaceId">
          <Redirect to="/" replace />
        </Route>
        {visiblePages.flatMap(({ path, page: Page, detail: Detail }) => [
          <Route key={path} path={`/w/:workspaceId/${path}`}>
            <Page />
          </Route>,
          Detail ? (
            <Route key={`${path}/`} path={`/w/:workspaceId/${path}/:id`}>
              {({ id }: { id: string }) => <Detail key={id} id={id} />}
            </Route>
          ) : null,
        ])}
        {otherPages.map(({ path, label }) => (
          <Route key={path} path={`/w/:workspaceId/${path}/*?`}>
            <NoRight title={t(label)} membership={membership} />
          </Route>
        ))}
        <Route component={NotHere} />
      </Switch>
    </WorkspaceContext.Provider>
  )
}
