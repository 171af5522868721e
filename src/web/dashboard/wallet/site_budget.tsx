import { limits } from '../../../generated/limits.ts'
import { api, ask, type Schemas } from '../../api.ts'
import { numberIn, TextField } from '../../kit/forms/fields.tsx'
import { FormPage } from '../../kit/forms/form_page.tsx'
import { useForm } from '../../kit/forms/use_form.ts'
import { Loaded } from '../../kit/shell/states.tsx'
import { useLoad } from '../../kit/shell/use_load.ts'
import { texts } from '../../language.ts'
import { useWorkspace } from '../../session.ts'

const budgetPath = '/api/workspaces/{workspaceId}/site-budget'

/** What visitors of the shop's own pages may spend on a day. */
export function SiteBudget() {
  const { workspaceId } = useWorkspace()
  const t = texts('business')
  const load = useLoad(
    () => ask(api.GET(budgetPath, { params: { path: { workspaceId } } })),
    [workspaceId],
  )
  return (
    <section class="card" aria-labelledby="budget">
      <h2 id="budget">{t('budget')}</h2>
      <Loaded load={load}>{(budget) => <BudgetForm budget={budget} />}</Loaded>
    </section>
  )
}

function BudgetForm({ budget }: { budget: Schemas['SiteBudget'] }) {
  const { workspaceId } = useWorkspace()
  const t = texts('business')
  const given = budget.dailyCredits
  const form = useForm({ dailyCredits: given === null ? '' : String(given) })
  const write = async ({ dailyCredits }: { dailyCredits: string }) => {
    const body = { dailyCredits: dailyCredits.trim() === '' ? null : numberIn(dailyCredits) }
    await ask(api.PUT(budgetPath, { params: { path: { workspaceId } }, body }))
  }
  return (
    <FormPage form={form} draft="budget" write={write}>
      <TextField
        {...form.text('dailyCredits')}
        label={t('budgetCredits')}
        hint={t('budgetHint')}
        type="number"
        inputMode="numeric"
        limit={limits.SiteBudget.dailyCredits}
        optional
      />
    </FormPage>
  )
}
