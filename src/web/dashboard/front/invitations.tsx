import { useLocation } from 'wouter-preact'
import { api, ask, type Schemas } from '../../api.ts'
import { toast, toastFailure } from '../../kit/toasts.tsx'
import { useLoad } from '../../kit/use_load.ts'
import { texts } from '../../language.ts'
import { homeOf, useSession } from '../../session.ts'

type Invitation = Schemas['Invitation']

/** Pending invitations to workspaces; renders nothing if there are none. */
export function Invitations() {
  const t = texts('front')
  const { refresh } = useSession()
  const [, navigate] = useLocation()
  const list = useLoad(() => ask(api.GET('/api/invitations')), [])
  const invitations = list.value?.invitations ?? []
  if (invitations.length === 0) return null
  const accept = async ({ id, workspaceId, workspaceName, role }: Invitation) => {
    await ask(api.POST('/api/invitations/{id}/accept', { params: { path: { id } } }))
    await refresh()
    toast(t('joined', { workspace: workspaceName }))
    navigate(homeOf({ workspaceId, role }))
  }
  const decline = async ({ id }: Invitation) => {
    await ask(api.POST('/api/invitations/{id}/decline', { params: { path: { id } } }))
    list.reload()
  }
  return (
    <section class="card" aria-labelledby="invitations">
      <h2 id="invitations">{t('invitations')}</h2>
      {invitations.map((invitation) => (
        <div key={invitation.id} class="row">
          <span class="grow">
            {t('invitedAs', {
              workspace: invitation.workspaceName,
              role: roleName(invitation.role),
            })}
          </span>
          <button type="button" onClick={() => void decline(invitation).catch(toastFailure)}>
            {t('decline')}
          </button>
          <button
            type="button"
            class="primary"
            onClick={() => void accept(invitation).catch(toastFailure)}
          >
            {t('accept')}
          </button>
        </div>
      ))}
    </section>
  )
}

export function roleName(role: Schemas['Role']): string {
  return texts('front')(`role.${role}`)
}
