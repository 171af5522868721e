import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { useLocation } from 'wouter-preact'
import { ConfirmDialog } from '../kit/shell/dialog.tsx'
import { forgetUnsaved } from '../kit/forms/unsaved.ts'
import { Icon } from '../kit/shell/icons.tsx'
import { toast } from '../kit/shell/toasts.tsx'
import { texts } from '../language.ts'

interface DeleteButtonProps {
  name: string
  action: string
  /** By default, that it is deleted for good. */
  title?: string
  /** By default, that it was deleted. */
  done?: string
  remove: () => Promise<unknown>
  /** Where to go after the deletion. */
  backTo: string
  children: ComponentChildren
}

/** Deletes what the page shows, after a confirmation, and returns to the list. */
export function DeleteButton(props: DeleteButtonProps) {
  const { name, action, title, done, remove, backTo, children } = props
  const [, navigate] = useLocation()
  const [confirming, setConfirming] = useState(false)
  const t = texts('catalogue')
  const confirm = async () => {
    await remove()
    toast(done ?? t('deleted', { name }))
    forgetUnsaved()
    navigate(backTo)
  }
  return (
    <>
      <button type="button" onClick={() => setConfirming(true)}>
        <Icon name="trash" />
        {action}
      </button>
      {confirming ? (
        <ConfirmDialog
          danger
          title={title ?? t('deleteTitle', { name })}
          action={action}
          onConfirm={confirm}
          onClose={() => setConfirming(false)}
        >
          <p>{children}</p>
        </ConfirmDialog>
      ) : null}
    </>
  )
}
