import { api, ask, type Schemas } from '../api.ts'
import { ConfirmDialog } from '../kit/shell/dialog.tsx'
import type { Choice } from '../kit/forms/choice.ts'
import { Pill } from '../kit/shell/pill.tsx'
import { toast } from '../kit/shell/toasts.tsx'
import { texts } from '../language.ts'
import { Consequences } from './standing.tsx'

export type Source = Schemas['Source']

/** For the filter of a list. */
export function sourceStatuses(): Choice<Source['status']>[] {
  const t = texts('admin')
  return [
    { value: 'APPROVED', label: t('sourceStatus.APPROVED') },
    { value: 'BLOCKED', label: t('sourceStatus.BLOCKED') },
  ]
}

export function SourceStatus({ status }: Pick<Source, 'status'>) {
  const t = texts('admin')
  return <Pill tone={status === 'APPROVED' ? 'good' : 'bad'}>{t(`sourceStatus.${status}`)}</Pill>
}

export function BlockButton({ source, onClick }: { source: Source; onClick: () => void }) {
  const t = texts('admin')
  const { name, status } = source
  const blocked = status === 'BLOCKED'
  return (
    <button
      type="button"
      class={blocked ? undefined : 'stopping'}
      aria-label={t(blocked ? 'unblockNamed' : 'blockNamed', { name })}
      onClick={onClick}
    >
      {t(blocked ? 'unblock' : 'block')}
    </button>
  )
}

interface BlockDialogProps {
  source: Source
  onChanged: (source: Source) => void
  onClose: () => void
}

/** Confirms blocking or unblocking a source; lists what will stop or come back. */
export function BlockDialog({ source, onChanged, onClose }: BlockDialogProps) {
  const t = texts('admin')
  const { id, name, status } = source
  const isBlocking = status === 'APPROVED'
  const change = async () => {
    const path = isBlocking ? '/api/admin/sources/{id}/block' : '/api/admin/sources/{id}/unblock'
    onChanged(await ask(api.POST(path, { params: { path: { id } } })))
    toast(t(isBlocking ? 'sourceBlocked' : 'sourceUnblocked', { name }))
  }
  return (
    <ConfirmDialog
      title={t(isBlocking ? 'blockTitle' : 'unblockTitle', { name })}
      action={t(isBlocking ? 'block' : 'unblock')}
      danger={isBlocking}
      onConfirm={change}
      onClose={onClose}
    >
      {isBlocking ? <BlockConsequences source={source} /> : <p>{t('unblockHint')}</p>}
    </ConfirmDialog>
  )
}

function BlockConsequences({ source }: { source: Source }) {
  const t = texts('admin')
  const { kind, connections: count } = source
  return (
    <Consequences
      first={count === 0 ? t('blockStopsNone') : t('blockStops', { count })}
      items={
        kind === 'KEY'
          ? [t('blockKey'), t('blockKeyAgain')]
          : [t('blockAgent'), t('blockAgentAgain')]
      }
      last={t('blockKeeps')}
    />
  )
}
