import { api, ask, type Schemas } from '../api.ts'
import { ConfirmDialog } from '../kit/dialog.tsx'
import { Pill } from '../kit/pill.tsx'
import { toast } from '../kit/toasts.tsx'
import { texts } from '../language.ts'
import { Stops } from './standing.tsx'

export type Source = Schemas['Source']

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
  const blocks = status === 'APPROVED'
  const change = async () => {
    const path = blocks ? '/api/admin/sources/{id}/block' : '/api/admin/sources/{id}/unblock'
    onChanged(await ask(api.POST(path, { params: { path: { id } } })))
    toast(t(blocks ? 'sourceBlocked' : 'sourceUnblocked', { name }))
  }
  return (
    <ConfirmDialog
      title={t(blocks ? 'blockTitle' : 'unblockTitle', { name })}
      action={t(blocks ? 'block' : 'unblock')}
      danger={blocks}
      onConfirm={change}
      onClose={onClose}
    >
      {blocks ? <WhatStops source={source} /> : <p>{t('unblockHint')}</p>}
    </ConfirmDialog>
  )
}

function WhatStops({ source }: { source: Source }) {
  const t = texts('admin')
  const { kind, connections: count } = source
  return (
    <Stops
      first={count === 0 ? t('blockStopsNone') : t('blockStops', { count })}
      things={
        kind === 'KEY'
          ? [t('blockKey'), t('blockKeyAgain')]
          : [t('blockAgent'), t('blockAgentAgain')]
      }
      last={t('blockKeeps')}
    />
  )
}
