import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { Link, useLocation } from 'wouter-preact'
import { api, ask } from '../api.ts'
import { Brand, Frame, type NavGroup, NavLink } from '../kit/shell/frame.tsx'
import { Icon } from '../kit/shell/icons.tsx'
import { ThemeSwitch } from '../kit/shell/theme.tsx'
import { startOver } from '../kit/shell/start_over.ts'
import { toastFailure } from '../kit/shell/toasts.tsx'
import { Select } from '../kit/forms/select.tsx'
import { lazyPage } from '../kit/shell/page.tsx'
import { leave } from '../kit/forms/unsaved.ts'
import { texts } from '../language.ts'
import { homeOf, lastWorkspace, mayOwnKeys, type Membership, useSession } from '../session.ts'
import { type Badges, useBadges } from './badges.ts'
import { FindButton, type OpenDialog, Shortcuts } from './find/shortcuts.tsx'
import { roleName } from './front/role_name.ts'
import { Bell } from './notices/bell.tsx'
import { LowBalance } from './low_balance.tsx'
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
  const [open, setOpen] = useState<OpenDialog>()
  const badges = useBadges(workspace)
  const { invitations = [] } = useSession()
  const waitingCount = Object.values(badges).reduce((sum, one) => sum + one, invitations.length)
  const bell = workspace ? <Bell membership={workspace} count={waitingCount} /> : null
  return (
    <Frame
      top={
        <>
          <div class="row nowrap">
            <span class="grow">
              <Brand />
            </span>
            {bell}
          </div>
          <WorkspaceSwitch current={workspace} />
          {workspace ? <FindButton onClick={() => setOpen('find')} /> : null}
        </>
      }
      groups={workspace ? groupsOf(workspace, badges) : []}
      foot={<Foot />}
      bell={bell}
      {...(workspace ? { place: workspace.workspaceName } : {})}
    >
      <InvitationBanner />
      {workspace ? (
        <>
          <LowBalance membership={workspace} />
          <Shortcuts membership={workspace} {...{ open, setOpen }} />
        </>
      ) : null}
      {children}
    </Frame>
  )
}

function groupsOf({ workspaceId, role }: Membership, badges: Badges): NavGroup[] {
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
          ...(badges[path] !== undefined && { count: badges[path] }),
        })),
    }))
    .filter(({ items }) => items.length > 0)
}

/** Wherever the invited person is; the page of the invitations needs none. */
function InvitationBanner() {
  const t = texts('front')
  const { invitations = [] } = useSession()
  const [path] = useLocation()
  const [first] = invitations
  if (!first || path === '/invitations') return null
  const { workspaceName: workspace, role } = first
  return (
    <section class="banner info row notice" aria-label={t('invitations')}>
      <span class="grow break">{t('invitedAs', { workspace, role: roleName(role) })}</span>
      <Link class="button" href="/invitations">
        {t('seeInvitations', { count: invitations.length })}
      </Link>
    </section>
  )
}

// Most people have few, and need not load it.
const WorkspaceSearch = lazyPage(() =>
  import('./workspace_search.tsx').then((m) => m.WorkspaceSearch),
)

/** So few choices need no search. */
const shortList = 8

function WorkspaceSwitch({ current }: { current: Membership | undefined }) {
  const { memberships } = useSession().session
  const [, navigate] = useLocation()
  const t = texts('front')
  if (!current) return null
  const choiceOf = (one: Membership) => ({ value: one.workspaceId, label: one.workspaceName })
  const another = { value: 'new', label: `+ ${t('newWorkspace')}` }
  const choices = [...memberships.map(choiceOf), another]
  const chosen = choiceOf(current)
  const label = t('workspace')
  const go = (value: string) => {
    const membership = memberships.find(({ workspaceId }) => workspaceId === value)
    navigate(membership ? homeOf(membership) : '/new-workspace')
  }
  return memberships.length < shortList ? (
    <Select {...{ label, choices }} value={chosen.value} onChange={go} />
  ) : (
    <WorkspaceSearch {...{ label, choices, chosen }} onChange={go} />
  )
}

function Foot() {
  const { session, invitations = [] } = useSession()
  const [path] = useLocation()
  const t = texts('front')
  const signOut = () => {
    leave(() => void ask(api.DELETE('/api/session')).then(startOver, toastFailure))
  }
  return (
    <>
      {invitations.length > 0 ? (
        <NavLink
          item={{
            href: '/invitations',
            label: t('invitations'),
            icon: 'inbox',
            count: invitations.length,
          }}
          path={path}
        />
      ) : null}
      {mayOwnKeys(session) ? (
        <NavLink
          item={{ href: '/integrations', label: t('integrations'), icon: 'key' }}
          path={path}
        />
      ) : null}
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
