import { Link } from 'wouter-preact'
import type { Schemas } from '../api.ts'
import { ConfirmDialog } from '../kit/shell/dialog.tsx'
import type { Choice } from '../kit/forms/choice.ts'
import { Pill } from '../kit/shell/pill.tsx'
import { toast } from '../kit/shell/toasts.tsx'
import { texts } from '../language.ts'

type Standing = Schemas['Standing']

/** For the filter of a list. */
export function standings(): Choice<Standing>[] {
  const t = texts('admin')
  return [
    { value: 'ACTIVE', label: t('standing.ACTIVE') },
    { value: 'SUSPENDED', label: t('standing.SUSPENDED') },
  ]
}

export function StandingPill({ status }: { status: Standing }) {
  const t = texts('admin')
  return <Pill tone={status === 'ACTIVE' ? 'good' : 'bad'}>{t(`standing.${status}`)}</Pill>
}

interface StandingButtonProps {
  name: string
  status: Standing
  onClick: () => void
}

/** Suspends or restores; lists ask for a confirmation first. */
export function StandingButton({ name, status, onClick }: StandingButtonProps) {
  const t = texts('admin')
  const active = status === 'ACTIVE'
  return (
    <button
      type="button"
      class={active ? 'stopping' : undefined}
      aria-label={t(active ? 'suspendNamed' : 'restoreNamed', { name })}
      onClick={onClick}
    >
      {t(active ? 'suspend' : 'restore')}
    </button>
  )
}

interface StandingDialogProps {
  /** Decides which consequences the dialog lists. */
  kind: 'account' | 'workspace'
  name: string
  status: Standing
  change: (status: Standing) => Promise<void>
  onClose: () => void
}

/** Confirms suspending or restoring; lists what will stop or come back. */
export function StandingDialog({ kind, name, status, change, onClose }: StandingDialogProps) {
  const t = texts('admin')
  const isSuspending = status === 'ACTIVE'
  const confirm = async () => {
    await change(isSuspending ? 'SUSPENDED' : 'ACTIVE')
    toast(t(isSuspending ? 'suspended' : 'restored', { name }))
  }
  return (
    <ConfirmDialog
      title={t(isSuspending ? 'suspendTitle' : 'restoreTitle', { name })}
      action={t(isSuspending ? 'suspend' : 'restore')}
      danger={isSuspending}
      onConfirm={confirm}
      onClose={onClose}
    >
      {isSuspending ? (
        <Consequences
          first={t(`stops.${kind}`)}
          items={[t(`stops.${kind}.people`), t(`stops.${kind}.keys`), t(`stops.${kind}.visitors`)]}
          last={t(`keeps.${kind}`)}
        />
      ) : (
        <p>{t(`restores.${kind}`)}</p>
      )}
    </ConfirmDialog>
  )
}

/** Links to the audit entries about one subject. */
export function HistoryLink({ id, name }: { id: string; name: string }) {
  const t = texts('admin')
  return (
    <Link
      class="button plain"
      href={`/audit?search=${encodeURIComponent(id)}`}
      aria-label={t('historyOf', { name })}
    >
      {t('history')}
    </Link>
  )
}

interface ConsequencesProps {
  first: string
  items: string[]
  last: string
}

/** Lists what an action changes, one item per line. */
export function Consequences({ first, items, last }: ConsequencesProps) {
  return (
    <>
      <p>{first}</p>
      <ul class="stops">
        {items.map((item) => (
          <li key={item}>{item}</li>
        ))}
      </ul>
      <p class="muted">{last}</p>
    </>
  )
}
