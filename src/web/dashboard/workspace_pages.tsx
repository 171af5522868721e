import { useEffect } from 'preact/hooks'
import { Redirect, Route, Switch } from 'wouter-preact'
import { Page } from '../kit/page.tsx'
import { texts } from '../language.ts'
import { rememberWorkspace, useSession, WorkspaceContext } from '../session.ts'
import { NotHere } from './not_here.tsx'
import { maySee, pageGroups } from './page_table.ts'

/** The pages of one workspace, for its members. */
export function WorkspacePages({ workspaceId }: { workspaceId: string }) {
  const { memberships } = useSession().session
  const t = texts('front')
  const membership = memberships.find((candidate) => candidate.workspaceId === workspaceId)
  useEffect(() => {
    if (membership) rememberWorkspace(workspaceId)
  }, [workspaceId])
  if (!membership) return <Unavailable title={t('workspace')} reason={t('notMember')} />
  if (membership.workspaceStatus === 'SUSPENDED')
    return <Unavailable title={membership.workspaceName} reason={t('suspended')} />
  const visiblePages = pageGroups
    .flatMap(({ pages }) => pages)
    .filter((page) => maySee(membership.role, page))
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
        <Route component={NotHere} />
      </Switch>
    </WorkspaceContext.Provider>
  )
}

function Unavailable({ title, reason }: { title: string; reason: string }) {
  return (
    <Page narrow title={title}>
      <p class="banner warning">{reason}</p>
    </Page>
  )
}
