import { limits } from '../../../generated/limits.ts'
import { api, ask } from '../../api.ts'
import { numberIn, TextField } from '../../kit/forms/fields.tsx'
import { FormPage } from '../../kit/forms/form_page.tsx'
import { useForm } from '../../kit/forms/use_form.ts'
import { Loaded } from '../../kit/shell/states.tsx'
import { useLoad } from '../../kit/shell/use_load.ts'
import { texts } from '../../language.ts'
import { useWorkspace } from '../../session.ts'

const alertPath = '/api/workspaces/{workspaceId}/balance-alert'
const budgetPath = '/api/workspaces/{workspaceId}/site-budget'

/** When the owner wants to hear of a falling balance. */
export function BalanceAlert() {
  const params = { path: { workspaceId: useWorkspace().workspaceId } }
  const t = texts('business')
  return (
    <CreditLimit
      name="below"
      title={t('alert')}
      label={t('alertBelow')}
      hint={t('alertHint')}
      limit={limits.BalanceAlert.below}
      read={async () => (await ask(api.GET(alertPath, { params }))).below}
      write={(below) => ask(api.PUT(alertPath, { params, body: { below } }))}
    />
  )
}

/** What visitors of the shop's own pages may spend on a day. */
export function SiteBudget() {
  const params = { path: { workspaceId: useWorkspace().workspaceId } }
  const t = texts('business')
  return (
    <CreditLimit
      name="dailyCredits"
      title={t('budget')}
      label={t('budgetCredits')}
      hint={t('budgetHint')}
      limit={limits.SiteBudget.dailyCredits}
      read={async () => (await ask(api.GET(budgetPath, { params }))).dailyCredits}
      write={(dailyCredits) => ask(api.PUT(budgetPath, { params, body: { dailyCredits } }))}
    />
  )
}

interface CreditLimitProps {
  /** Of the field in the contract. */
  name: string
  title: string
  label: string
  hint: string
  limit: { minimum: number; maximum: number }
  /** The credits; null if they are not limited. */
  read: () => Promise<number | null>
  write: (credits: number | null) => Promise<unknown>
}

/** A number of credits that may be left empty. */
function CreditLimit(props: CreditLimitProps) {
  const { name, title, read } = props
  const { workspaceId } = useWorkspace()
  const load = useLoad(read, [workspaceId])
  return (
    <section class="card" aria-labelledby={name}>
      <h2 id={name}>{title}</h2>
      <Loaded load={load}>{(credits) => <LimitForm {...props} credits={credits} />}</Loaded>
    </section>
  )
}

function LimitForm(props: CreditLimitProps & { credits: number | null }) {
  const { name, label, hint, limit, write, credits } = props
  const form = useForm<Record<string, string>>({ [name]: credits === null ? '' : String(credits) })
  const send = async ({ [name]: text = '' }: Record<string, string>) => {
    await write(text.trim() === '' ? null : numberIn(text))
  }
  return (
    <FormPage form={form} draft={name} write={send}>
      <TextField
        {...form.text(name)}
        label={label}
        hint={hint}
        type="number"
        inputMode="numeric"
        limit={limit}
        optional
      />
    </FormPage>
  )
}
