import { limits } from '../../../generated/limits.ts'
import { api, ask, type Schemas } from '../../api.ts'
import { numberIn, TextField } from '../../kit/forms/fields.tsx'
import { FormPage } from '../../kit/forms/form_page.tsx'
import { Loaded } from '../../kit/shell/states.tsx'
import { useForm } from '../../kit/forms/use_form.ts'
import { useLoad } from '../../kit/shell/use_load.ts'
import { texts } from '../../language.ts'
import { useWorkspace } from '../../session.ts'

const alertPath = '/api/workspaces/{workspaceId}/balance-alert'

/** When the owner wants to hear of a falling balance. */
export function BalanceAlert() {
  const { workspaceId } = useWorkspace()
  const t = texts('business')
  const load = useLoad(
    () => ask(api.GET(alertPath, { params: { path: { workspaceId } } })),
    [workspaceId],
  )
  return (
    <section class="card" aria-labelledby="alert">
      <h2 id="alert">{t('alert')}</h2>
      <Loaded load={load}>{(alert) => <AlertForm alert={alert} />}</Loaded>
    </section>
  )
}

function AlertForm({ alert }: { alert: Schemas['BalanceAlert'] }) {
  const { workspaceId } = useWorkspace()
  const t = texts('business')
  const form = useForm({ below: alert.below === null ? '' : String(alert.below) })
  const write = async ({ below }: { below: string }) => {
    const body = { below: below.trim() === '' ? null : numberIn(below) }
    await ask(api.PUT(alertPath, { params: { path: { workspaceId } }, body }))
  }
  return (
    <FormPage form={form} draft="alert" write={write}>
      <TextField
        {...form.text('below')}
        label={t('alertBelow')}
        hint={t('alertHint')}
        type="number"
        inputMode="numeric"
        limit={limits.BalanceAlert.below}
        optional
      />
    </FormPage>
  )
}
