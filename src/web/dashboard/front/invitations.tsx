import { Link, useLocation } from 'wouter-preact'
import { api, ask, type Schemas } from '../../api.ts'
import { Page } from '../../kit/shell/page.tsx'
import { Empty, Loading } from '../../kit/shell/states.tsx'
import { toast, toastFailure } from '../../kit/shell/toasts.tsx'
import { formatDay, texts } from '../../language.ts'
import { homeOf, useSession } from '../../session.ts'
import { roleName } from './role_name.ts'

type Invitation = Schemas['Invitation']

/** The invitations that wait for an answer; mails lead here. */
export function InvitationsPage() {
  const t = texts('front')
  const { invitations, session } = useSession()
  return (
    <Page narrow title={t('invitations')} about={t('invitationsAbout')}>
      {invitations === undefined ? <Loading /> : null}
      {invitations?.length === 0 ? (
        <Empty
          icon="inbox"
          title={t('noInvitations')}
          hint={t('noInvitationsHint', { email: session.account.email })}
        />
      ) : null}
      {invitations?.map((invitation) => (
        <InvitationCard key={invitation.id} invitation={invitation} />
      ))}
      {session.memberships.length === 0 ? (
        <Link class="crumb" href="/new-workspace">
          {t('ownWorkspace')}
        </Link>
      ) : null}
    </Page>
  )
}

function InvitationCard({ invitation }: { invitation: Invitation }) {
  const t = texts('front')
  const { refresh } = useSession()
  const [, navigate] = useLocation()
  const { id, workspaceId, workspaceName, role, invitedBy, createdAt } = invitation
  const accept = async () => {
    await ask(api.POST('/api/invitations/{id}/accept', { params: { path: { id } } }))
    await refresh()
    toast(t('joined', { workspace: workspaceName }))
    navigate(homeOf({ workspaceId }))
  }
  const decline = async () => {
    await ask(api.POST('/api/invitations/{id}/decline', { params: { path: { id } } }))
    await refresh()
  }
  return (
    <section class="card">
      <div class="break">
        <h2>{t('invitedAs', { workspace: workspaceName, role: roleName(role) })}</h2>
        <p class="muted">
          {invitedBy === '' ? '' : `${invitedBy} · `}
          {formatDay(createdAt)}
        </p>
      </div>
      <div class="actions">
        <button type="button" onClick={() => void decline().catch(toastFailure)}>
          {t('decline')}
        </button>
        <button type="button" class="primary" onClick={() => void accept().catch(toastFailure)}>
          {t('accept')}
        </button>
      </div>
    </section>
  )
}
