import { useEffect, useState } from 'preact/hooks'
import type { Schemas } from '../../api.ts'
import { ConfirmDialog } from '../../kit/shell/dialog.tsx'
import { texts } from '../../language.ts'
import { useWorkspace } from '../../session.ts'
import { beginRun } from '../changes/run.ts'
import { BulkActions } from './bulk_actions.tsx'
import { type BulkChange, changeSetOf } from './bulk_change.ts'

interface BulkBarProps {
  /** The selected products of the page. */
  ids: readonly string[]
  /** How many products match the filters, on all pages. */
  total: number
  /** What the list shows. */
  where: Schemas['ProductSelection']
  /** Whether the list shows deleted products. */
  areDeleted: boolean
  onClear: () => void
}

/** More products than this are changed only after a confirmation. */
const withoutAsking = 25

/** Changes the selected products, or all that match, by one change set. */
export function BulkBar({ ids, total, where, areDeleted, onClear }: BulkBarProps) {
  const { workspaceId } = useWorkspace()
  const [t, k] = [texts('catalogue'), texts('kit')]
  const [isAll, setAll] = useState(false)
  const [asked, setAsked] = useState<BulkChange | undefined>()
  const isNone = ids.length === 0
  useEffect(() => {
    if (isNone) setAll(false)
  }, [isNone])
  const count = isAll ? total : ids.length
  const begin = (change: BulkChange) => {
    beginRun(workspaceId, changeSetOf(change, isAll ? { where } : { ids }))
    onClear()
  }
  const choose = (change: BulkChange) => {
    if (count > withoutAsking || change.change === 'delete') setAsked(change)
    else begin(change)
  }
  if (isNone) return null
  const isLoss = asked?.change === 'delete'
  return (
    <div class="bulk-bar" role="group" aria-label={k('actions')}>
      <b>{k('selected', { count })}</b>
      {!isAll && total > ids.length ? (
        <button type="button" class="link" onClick={() => setAll(true)}>
          {t('selectMatching', { count: total })}
        </button>
      ) : null}
      <BulkActions {...{ areDeleted, isAll }} onChoose={choose} />
      <button type="button" class="link" onClick={onClear}>
        {k('clearSelection')}
      </button>
      {asked ? (
        <ConfirmDialog
          danger={isLoss}
          title={t('bulkTitle', { title: asked.title, count })}
          action={isLoss ? t('deleteForGood') : t('bulkAction')}
          onConfirm={() => {
            begin(asked)
            return Promise.resolve()
          }}
          onClose={() => setAsked(undefined)}
        >
          <p>{t(isLoss ? 'bulkLossHint' : 'bulkHint')}</p>
        </ConfirmDialog>
      ) : null}
    </div>
  )
}
