import { roles } from '../../../generated/roles.ts'
import { api, ask, type Schemas } from '../../api.ts'
import { Dialog } from '../../kit/shell/dialog.tsx'
import { SelectField, TextField } from '../../kit/forms/fields.tsx'
import { FormFault } from '../../kit/forms/form_fault.tsx'
import { toast } from '../../kit/shell/toasts.tsx'
import { useForm } from '../../kit/forms/use_form.ts'
import { texts } from '../../language.ts'
import { useWorkspace } from '../../session.ts'
import { roleName } from '../front/role_name.ts'

interface InviteProps {
  onClose: () => void
  onInvited: () => void
}

export function InviteDialog({ onClose, onInvited }: InviteProps) {
  const { workspaceId } = useWorkspace()
  const [t, k] = [texts('business'), texts('kit')]
  const form = useForm<Schemas['MemberCreate']>({ email: '', role: 'staff' })
  const { role } = form.values
  const invite = () =>
    form.save(async (body) => {
      const params = { path: { workspaceId } }
      const { email } = await ask(
        api.POST('/api/workspaces/{workspaceId}/members', { params, body }),
      )
      toast(t('invited', { email }))
      onInvited()
      onClose()
    })
  return (
    <Dialog title={t('inviteSomebody')} onClose={onClose}>
      <form
        noValidate
        class="stack"
        onSubmit={(event) => {
          event.preventDefault()
          void invite()
        }}
      >
        <FormFault form={form} />
        <TextField {...form.text('email')} label={t('email')} type="email" autofocus />
        <SelectField
          name="role"
          label={t('role')}
          value={role}
          hint={t(`roleHint.${role}`)}
          error={form.errors['role']}
          choices={roles.map((value) => ({ value, label: roleName(value) }))}
          onChange={(value) => form.set('role', value)}
        />
        <footer class="actions">
          <button type="button" onClick={onClose}>
            {k('cancel')}
          </button>
          <button type="submit" class="primary" disabled={form.busy}>
            {t('invite')}
          </button>
        </footer>
      </form>
    </Dialog>
  )
}
