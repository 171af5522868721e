import { limits } from '../../generated/limits.ts'
import { api, ask, type Schemas } from '../api.ts'
import { TextField } from '../kit/forms/fields.tsx'
import { toast } from '../kit/shell/toasts.tsx'
import { useForm } from '../kit/forms/use_form.ts'
import { texts } from '../language.ts'
import { FormDialog, wholeNumber } from './form_dialog.tsx'

type Account = Schemas['AdminAccount']

interface LimitDialogProps {
  account: Account
  onChanged: (account: Account) => void
  onClose: () => void
}

/** Sets how many workspaces an account may own. */
export function LimitDialog({ account, onChanged, onClose }: LimitDialogProps) {
  const [t, k] = [texts('admin'), texts('kit')]
  const { id, email: name, ownedWorkspaces: owned } = account
  const form = useForm({ workspaceLimit: String(account.workspaceLimit) })
  const write = async (values: { workspaceLimit: string }) => {
    const workspaceLimit = wholeNumber('workspaceLimit', values.workspaceLimit)
    const call = api.PUT('/api/admin/accounts/{id}/workspace-limit', {
      params: { path: { id } },
      body: { workspaceLimit },
    })
    onChanged(await ask(call))
    toast(t('limitSaved', { name, limit: workspaceLimit }))
  }
  return (
    <FormDialog
      title={t('changeLimitOf', { name })}
      action={k('save')}
      {...{ form, write, onClose }}
    >
      <TextField
        {...form.text('workspaceLimit')}
        label={t('limit')}
        hint={t('limitHint', { owned, ...limits.WorkspaceLimit.workspaceLimit })}
        inputMode="numeric"
        autofocus
      />
    </FormDialog>
  )
}
