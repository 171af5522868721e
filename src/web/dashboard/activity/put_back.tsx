import { useState } from 'preact/hooks'
import { api, ask, askTagged, Failure, type Schemas } from '../../api.ts'
import { ConfirmDialog } from '../../kit/shell/dialog.tsx'
import { toast } from '../../kit/shell/toasts.tsx'
import { texts } from '../../language.ts'
import { useWorkspace } from '../../session.ts'
import { deedOf, fieldLabel, valueText } from './words.ts'

type Activity = Schemas['Activity']

/** Puts back what a write of a product changed or deleted; says so where that cannot be done. */
export function PutBack({ activity, onDone }: { activity: Activity; onDone: () => void }) {
  const t = texts('activity')
  const [asking, setAsking] = useState(false)
  const deed = deedOf(activity)
  if (!activity.restorable) {
    if (activity.topic !== 'products') return null
    if (deed === 'deleted') return <p class="muted">{t('notBack')}</p>
    return activity.changes.length > 0 ? <p class="muted">{t('notKept')}</p> : null
  }
  const name = activity.resourceName
  const Dialog = deed === 'changed' ? FormerValues : DeletedProduct
  return (
    <>
      <button
        type="button"
        aria-label={t('putBackNamed', { name })}
        onClick={() => setAsking(true)}
      >
        {t('putBack')}
      </button>
      {asking ? <Dialog {...{ activity, onDone }} onClose={() => setAsking(false)} /> : null}
    </>
  )
}

interface DialogProps {
  activity: Activity
  onDone: () => void
  onClose: () => void
}

/** Writes the former values, unless somebody changes the product at the same time. */
function FormerValues({ activity, onDone, onClose }: DialogProps) {
  const { workspaceId } = useWorkspace()
  const t = texts('activity')
  const { id, resourceId, resourceName: name, changes } = activity
  const path = { workspaceId, id: resourceId }
  const confirm = async () => {
    const { values, missing } = await ask(
      api.GET('/api/workspaces/{workspaceId}/products/{id}/history/{activityId}', {
        params: { path: { ...path, activityId: id } },
      }),
    )
    const productPath = '/v1/workspaces/{workspaceId}/products/{id}'
    const { etag } = await askTagged(api.GET(productPath, { params: { path } }))
    const params = { path, header: { 'If-Match': etag } }
    await ask(api.PATCH(productPath, { params, body: values }))
    toast(missing === 0 ? t('isBack', { name }) : t('backWithout', { name, count: missing }))
    onDone()
  }
  return (
    <ConfirmDialog
      title={t('putBackTitle', { name })}
      action={t('putBack')}
      onConfirm={confirm}
      onClose={onClose}
    >
      <p>{t('putBackHint')}</p>
      <dl class="changes">
        {changes.map(({ field, before }) => (
          <div key={field}>
            <dt>{fieldLabel(field)}</dt>
            <dd class="break">{valueText(field, before)}</dd>
          </div>
        ))}
      </dl>
    </ConfirmDialog>
  )
}

/** Brings a deleted product back; without what is gone of it only if the person says so. */
function DeletedProduct({ activity, onDone, onClose }: DialogProps) {
  const { workspaceId } = useWorkspace()
  const t = texts('activity')
  const [leaveOut, setLeaveOut] = useState(false)
  const { resourceId: id, resourceName: name } = activity
  const confirm = async () => {
    const params = { path: { workspaceId, id } }
    const call = api.POST('/api/workspaces/{workspaceId}/products/{id}/restore', {
      params,
      body: { leaveOut },
    })
    await ask(call).catch((error: unknown) => {
      if (error instanceof Failure && error.code === 'write_conflict') setLeaveOut(true)
      throw error
    })
    toast(t('isBack', { name }))
    onDone()
  }
  return (
    <ConfirmDialog
      title={t('bringBackTitle', { name })}
      action={t(leaveOut ? 'bringBackWithout' : 'putBack')}
      onConfirm={confirm}
      onClose={onClose}
    >
      <p>{t(leaveOut ? 'bringBackWithoutHint' : 'bringBackHint')}</p>
    </ConfirmDialog>
  )
}
