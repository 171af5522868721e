import type { ComponentChildren } from 'preact'
import { useLocation } from 'wouter-preact'
import { api, ask } from '../api.ts'
import { Brand, Frame, type NavGroup, NavLink } from '../kit/frame.tsx'
import { Icon } from '../kit/icons.tsx'
import { ThemeSwitch } from '../kit/theme.tsx'
import { toastFailure } from '../kit/toasts.tsx'
import { forgetUnsaved, leave } from '../kit/unsaved.ts'
import { texts } from '../language.ts'
import { homeOf, lastWorkspace, type Membership, useSession } from '../session.ts'
import { maySee, pageGroups } from './page_table.ts'

/** The workspace in the address, or else the last one visited. */
function useCurrentWorkspace(): Membership | undefined {
  const { memberships } = useSession().session
  const [path] = useLocation()
  const pathId = /^\/w\/([^/]+)/.exec(path)?.[1]
  return memberships.find(({ workspaceId }) => workspaceId === pathId) ?? lastWorkspace(memberships)
}

export function DashboardFrame({ children }: { children: ComponentChildren }) {
  const workspace = useCurrentWorkspace()
  return (
    <Frame
      top={
        <>
          <Brand />
          <WorkspaceSwitch current={workspace} />
        </>
      }
      groups={workspace ? groupsOf(workspace) : []}
      foot={<Foot />}
    >
      {children}
    </Frame>
  )
}

function groupsOf({ workspaceId, role }: Membership): NavGroup[] {
  const t = texts('front')
  return pageGroups
    .map(({ title, pages }) => ({
      title: t(title),
      items: pages
        .filter((page) => maySee(role, page))
        .map(({ path, label, icon }) => ({
          href: `/w/${workspaceId}/${path}`,
          label: t(label),
          icon,
        })),
    }))
    .filter(({ items }) => items.length > 0)
}

function WorkspaceSwitch({ current }: { current: Membership | undefined }) {
  const { memberships } = useSession().session
  const [, navigate] = useLocation()
  const t = texts('front')
  if (!current) return null
  return (
    <select
      aria-label={t('workspace')}
      value={current.workspaceId}
      onChange={({ currentTarget }) => {
        const membership = memberships.find(
          ({ workspaceId }) => workspaceId === currentTarget.value,
        )
        currentTarget.value = current.workspaceId
        navigate(membership ? homeOf(membership) : '/new-workspace')
      }}
    >
      {memberships.map(({ workspaceId, workspaceName }) => (
        <option key={workspaceId} value={workspaceId}>
          {workspaceName}
        </option>
      ))}
      <option value="new">+ {t('newWorkspace')}</option>
    </select>
  )
}

function Foot() {
  const { session } = useSession()
  const [path] = useLocation()
  const t = texts('front')
  const signOut = () => {
    // Reload the page, so that no account data stays in memory.
    const restart = () => {
      forgetUnsaved()
      location.assign('/')
    }
    leave(() => void ask(api.DELETE('/api/session')).then(restart, toastFailure))
  }
  return (
    <>
      <NavLink
        item={{ href: '/integrations', label: t('integrations'), icon: 'key' }}
        path={path}
      />
      <NavLink
        item={{ href: '/account', label: session.account.name || t('account'), icon: 'person' }}
        path={path}
      />
      <ThemeSwitch />
      <button type="button" class="plain" onClick={signOut}>
        <Icon name="signOut" />
        {t('signOut')}
      </button>
    </>
  )
}
