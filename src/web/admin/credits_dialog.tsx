import { useRef } from 'preact/hooks'
import { api, ask, type Schemas } from '../api.ts'
import { TextArea, TextField } from '../kit/forms/fields.tsx'
import { toast } from '../kit/shell/toasts.tsx'
import { useForm } from '../kit/forms/use_form.ts'
import { texts } from '../language.ts'
import { FormDialog, wholeNumber } from './form_dialog.tsx'

type Workspace = Schemas['AdminWorkspace']

interface CreditsDialogProps {
  workspace: Workspace
  onChanged: (workspace: Workspace) => void
  onClose: () => void
}

/** Label of the button: says what will happen once the number is valid. */
function actionOf(credits: string): string {
  const t = texts('admin')
  const count = /^\s*[+-]?\d+\s*$/.test(credits) ? Number(credits) : 0
  if (count === 0) return t('adjustCredits')
  return t(count > 0 ? 'give' : 'take', { count: Math.abs(count) })
}

/** Adjusts a workspace's credits, with a reason. */
export function CreditsDialog({ workspace, onChanged, onClose }: CreditsDialogProps) {
  const t = texts('admin')
  const { id, name } = workspace
  const form = useForm({ credits: '', reason: '' })
  const keyFor = useIdempotencyKey()
  const write = async ({ credits, reason }: { credits: string; reason: string }) => {
    const body = { credits: wholeNumber('credits', credits), reason }
    const header = { 'Idempotency-Key': keyFor(JSON.stringify(body)) }
    const params = { path: { id }, header }
    const entry = await ask(api.POST('/api/admin/workspaces/{id}/credits', { params, body }))
    const { balanceAfter: balance } = entry
    onChanged({ ...workspace, balance })
    toast(t('adjusted', { name, count: balance }))
  }
  return (
    <FormDialog
      title={t('adjustCreditsOf', { name })}
      action={actionOf(form.values.credits)}
      {...{ form, write, onClose }}
    >
      <p>{t('balanceNow', { count: workspace.balance })}</p>
      <TextField {...form.text('credits')} label={t('credits')} hint={t('creditsHint')} autofocus />
      <TextArea {...form.text('reason')} label={t('reason')} hint={t('reasonHint')} rows={3} />
    </FormDialog>
  )
}

/** Retries of the same body reuse the key, so a lost answer never moves credits twice. */
function useIdempotencyKey(): (body: string) => string {
  const last = useRef({ body: '', key: '' })
  return (body) => {
    if (last.current.body !== body) last.current = { body, key: crypto.randomUUID() }
    return last.current.key
  }
}
