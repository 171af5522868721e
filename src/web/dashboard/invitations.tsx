import { api, ask, type Schemas } from '../api.ts'
import { toastFailure } from '../kit/toasts.tsx'
import { useLoad } from '../kit/use_load.ts'
import { texts } from '../language.ts'
import { front } from '../messages/front.ts'
import { useSession } from '../session.ts'

/** The workspaces that have invited this person; nothing where there is none. */
export function Invitations() {
  const t = texts(front)
  const { refresh } = useSession()
  const list = useLoad(() => ask(api.GET('/api/invitations')), [])
  const invitations = list.value?.invitations ?? []
  if (invitations.length === 0) return null
  const answer = (
    id: string,
    path: '/api/invitations/{id}/accept' | '/api/invitations/{id}/decline',
  ) => {
    const answered = ask<unknown>(api.POST(path, { params: { path: { id } } }))
    answered.then(refresh).then(list.reload).catch(toastFailure)
  }
  return (
    <section class="card" aria-labelledby="invitations">
      <h2 id="invitations">{t('invitations')}</h2>
      {invitations.map(({ id, workspaceName, role }) => (
        <div key={id} class="row">
          <span class="grow">
            {t('invitedAs', { workspace: workspaceName, role: roleName(role) })}
          </span>
          <button type="button" onClick={() => answer(id, '/api/invitations/{id}/decline')}>
            {t('decline')}
          </button>
          <button
            type="button"
            class="primary"
            onClick={() => answer(id, '/api/invitations/{id}/accept')}
          >
            {t('accept')}
          </button>
        </div>
      ))}
    </section>
  )
}

export function roleName(role: Schemas['Role']): string {
  return texts(front)(`role.${role}`)
}
