import { api, ask, type Schemas } from '../../api.ts'
import { Dialog } from '../../kit/shell/dialog.tsx'
import { TextField } from '../../kit/forms/fields.tsx'
import { FormFault } from '../../kit/forms/form_fault.tsx'
import { toast } from '../../kit/shell/toasts.tsx'
import { useForm } from '../../kit/forms/use_form.ts'
import { texts } from '../../language.ts'
import { useWorkspace } from '../../session.ts'
import { RolePicker } from './role_picker.tsx'

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
    <Dialog title={t('inviteSomebody')} onClose={onClose} dirty={form.dirty}>
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
        <div class="field">
          <span class="label">{t('role')}</span>
          <RolePicker label={t('role')} role={role} onChange={(value) => form.set('role', value)} />
          <p class="hint">{t(`roleHint.${role}`)}</p>
        </div>
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
