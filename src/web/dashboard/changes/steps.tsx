import { useState } from 'preact/hooks'
import { Link } from 'wouter-preact'
import { api, ask, type Failure } from '../../api.ts'
import { ConfirmDialog } from '../../kit/shell/dialog.tsx'
import { failureText } from '../../kit/shell/failures.ts'
import { toast } from '../../kit/shell/toasts.tsx'
import { asFailure } from '../../kit/shell/use_load.ts'
import { texts } from '../../language.ts'
import { useWorkspace } from '../../session.ts'
import { type ChangeSet, mayBeUndone, setPath, writesOf } from './change_set.ts'
import { forgetImport, hasColumns } from './import_file.ts'
import { badgesChanged } from '../badges.ts'

type SetStep = 'apply' | 'undo' | 'plan' | 'cancel'

interface SetSteps {
  busy: boolean
  refusal: Failure | undefined
  take: (step: SetStep) => void
}

/** Steps of a set, one at a time; a refusal stays until the next one. */
export function useSteps({ id, counts }: ChangeSet, onChange: (set: ChangeSet) => void): SetSteps {
  const { workspaceId } = useWorkspace()
  const t = texts('changes')
  const [busy, setBusy] = useState(false)
  const [refusal, setRefusal] = useState<Failure | undefined>()
  const send = (step: SetStep) => {
    const params = { path: { workspaceId, id } }
    // The button says how many rows are left out.
    const body = { skipErrors: counts.errors > 0 }
    return step === 'apply'
      ? ask(api.POST(`${setPath}/apply`, { params, body }))
      : ask(api.POST(`${setPath}/${step}`, { params, body: {} }))
  }
  const refused = async (error: unknown) => {
    const failure = asFailure(error)
    setRefusal(failure)
    // Somebody else took a step: show what it has come to.
    if (failure.code === 'change_set_state')
      onChange(await ask(api.GET(setPath, { params: { path: { workspaceId, id } } })))
  }
  const take = (step: SetStep) => {
    setBusy(true)
    setRefusal(undefined)
    send(step)
      .then((set) => {
        onChange(set)
        badgesChanged()
        if (step === 'apply' || step === 'cancel') forgetImport(workspaceId, id)
        toast(t(`state.${set.state}`))
      })
      .catch(refused)
      .catch(() => undefined)
      .finally(() => setBusy(false))
  }
  return { busy, refusal, take }
}

/** The steps that the state allows. */
export function SetActions({ set, steps }: { set: ChangeSet; steps: SetSteps }) {
  const { workspaceId } = useWorkspace()
  const t = texts('changes')
  const [asking, setAsking] = useState<'undo' | 'apply' | undefined>()
  const { busy, take } = steps
  const { state, counts } = set
  const isWaiting = state === 'WAITING'
  const button = (step: SetStep, label: string) => (
    <button type="button" disabled={busy} onClick={() => take(step)}>
      {label}
    </button>
  )
  const mayApply = (state === 'PLANNED' || isWaiting) && writesOf(set) > 0
  const mayPlan = ['PLANNED', 'WAITING', 'EXPIRED', 'FAILED'].includes(state)
  // One that is being applied may still wait for that; the service refuses it where it does not.
  const mayCancel = ['PLANNING', 'PLANNED', 'WAITING', 'APPLYING', 'FAILED'].includes(state)
  return (
    <>
      {state === 'PLANNED' && hasColumns(workspaceId, set.id) ? (
        <Link class="button" href={`/w/${workspaceId}/changes/new`}>
          {t('changeColumns')}
        </Link>
      ) : null}
      {mayPlan ? button('plan', t('planAgain')) : null}
      {mayCancel ? button('cancel', t(isWaiting ? 'refuse' : 'cancel')) : null}
      {mayBeUndone(set) ? (
        <button type="button" disabled={busy} onClick={() => setAsking('undo')}>
          {t('undo')}
        </button>
      ) : null}
      {mayApply ? (
        <button
          type="button"
          class="primary"
          disabled={busy}
          onClick={() => (counts.errors > 0 ? setAsking('apply') : take('apply'))}
        >
          {t(isWaiting ? 'approve' : 'apply')}
        </button>
      ) : null}
      {asking ? (
        <ConfirmDialog
          title={t(asking === 'undo' ? 'undoTitle' : 'skipTitle', {
            count: asking === 'undo' ? writesOf(set) : counts.errors,
          })}
          action={t(asking === 'undo' ? 'undo' : 'skipErrors')}
          onConfirm={() => {
            take(asking)
            return Promise.resolve()
          }}
          onClose={() => setAsking(undefined)}
        >
          <p>{t(asking === 'undo' ? 'undoHint' : 'skipHint', { count: writesOf(set) })}</p>
        </ConfirmDialog>
      ) : null}
    </>
  )
}

/** Why the last step was refused, with the products that stand in its way. */
export function Refused({ set, steps }: { set: ChangeSet; steps: SetSteps }) {
  const { refusal } = steps
  if (!refusal) return null
  return (
    <div class="banner bad" role="alert">
      <RefusalText failure={refusal} />
      {refusal.code === 'write_conflict' && set.state === 'PLANNED' ? (
        <div>
          <button type="button" onClick={() => steps.take('plan')}>
            {texts('changes')('planAgain')}
          </button>
        </div>
      ) : null}
    </div>
  )
}

/** A refusal, and the products that it names. */
export function RefusalText({ failure }: { failure: Failure }) {
  const { workspaceId } = useWorkspace()
  const named = Object.entries(failure.fieldErrors)
  return (
    <>
      <p>{failureText(failure)}</p>
      {named.length === 0 ? null : (
        <ul>
          {named.map(([key, words]) => (
            <li key={key} class="break">
              {key.startsWith('prod_') ? (
                <Link href={`/w/${workspaceId}/products/${key}`}>{words}</Link>
              ) : (
                words
              )}
            </li>
          ))}
        </ul>
      )}
    </>
  )
}
