import { api, ask } from '../../api.ts'
import { CheckField } from '../../kit/forms/fields.tsx'
import { Loaded } from '../../kit/shell/states.tsx'
import { toast, toastFailure } from '../../kit/shell/toasts.tsx'
import { useLoad } from '../../kit/shell/use_load.ts'
import { texts } from '../../language.ts'
import { type Membership, mayUse, useSession } from '../../session.ts'

const settingPath = '/api/workspaces/{workspaceId}/agent-changes'

/** Whether agents' changes of many products wait for a person, workspace by workspace. */
export function Approval() {
  const t = texts('integrations')
  const { memberships } = useSession().session
  const own = memberships.filter(
    ({ role, workspaceStatus }) => workspaceStatus === 'ACTIVE' && mayUse(role, 'workspace'),
  )
  if (own.length === 0) return null
  return (
    <section class="card stack" aria-labelledby="approval">
      <h2 id="approval">{t('approval')}</h2>
      <p>{t('approvalHolds')}</p>
      <p class="muted">{t('approvalLetsPass')}</p>
      {own.map((membership) => (
        <ApprovalIn key={membership.workspaceId} membership={membership} />
      ))}
    </section>
  )
}

function ApprovalIn({ membership }: { membership: Membership }) {
  const { workspaceId, workspaceName } = membership
  const [t, k] = [texts('integrations'), texts('kit')]
  const params = { path: { workspaceId } }
  const load = useLoad(() => ask(api.GET(settingPath, { params })), [workspaceId])
  const save = (agentChangesNeedApproval: boolean) => {
    // The tick stays where it was put, unless the service refuses it.
    load.set({ agentChangesNeedApproval })
    ask(api.PUT(settingPath, { params, body: { agentChangesNeedApproval } })).then(
      () => toast(k('saved')),
      (error: unknown) => {
        load.set({ agentChangesNeedApproval: !agentChangesNeedApproval })
        toastFailure(error)
      },
    )
  }
  return (
    <Loaded load={load}>
      {({ agentChangesNeedApproval }) => (
        <CheckField
          name={`approval.${workspaceId}`}
          label={t('approvalIn', { name: workspaceName })}
          checked={agentChangesNeedApproval}
          onChange={save}
        />
      )}
    </Loaded>
  )
}
