import { api, ask, type Schemas } from '../../api.ts'
import { CheckField } from '../../kit/forms/fields.tsx'
import { FormPage } from '../../kit/forms/form_page.tsx'
import { useForm } from '../../kit/forms/use_form.ts'
import { Loaded } from '../../kit/shell/states.tsx'
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
  const params = { path: { workspaceId } }
  const load = useLoad(() => ask(api.GET(settingPath, { params })), [workspaceId])
  return (
    <Loaded load={load}>
      {(setting) => <ApprovalForm {...{ setting, workspaceId, workspaceName }} />}
    </Loaded>
  )
}

type Setting = Schemas['AgentChanges']

interface ApprovalFormProps extends Pick<Membership, 'workspaceId' | 'workspaceName'> {
  setting: Setting
}

function ApprovalForm({ setting, workspaceId, workspaceName }: ApprovalFormProps) {
  const t = texts('integrations')
  const form = useForm(setting)
  const write = async (body: Setting) => {
    await ask(api.PUT(settingPath, { params: { path: { workspaceId } }, body }))
  }
  return (
    <FormPage form={form} draft={`approval.${workspaceId}`} write={write}>
      <CheckField
        name={`approval.${workspaceId}`}
        label={t('approvalIn', { name: workspaceName })}
        checked={form.values.agentChangesNeedApproval}
        onChange={(isNeeded) => form.set('agentChangesNeedApproval', isNeeded)}
      />
    </FormPage>
  )
}
