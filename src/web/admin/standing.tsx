import { Link } from 'wouter-preact'
import type { Schemas } from '../api.ts'
import { Pill } from '../kit/pill.tsx'
import { texts } from '../language.ts'
import { admin } from '../messages/admin.ts'

type Standing = Schemas['Standing']

export function StandingPill({ status }: { status: Standing }) {
  const t = texts(admin)
  return <Pill tone={status === 'ACTIVE' ? 'good' : 'bad'}>{t(`standing.${status}`)}</Pill>
}

interface StandingButtonProps {
  name: string
  status: Standing
  onClick: () => void
}

/** Suspends what is active and restores what is not; either is asked about first. */
export function StandingButton({ name, status, onClick }: StandingButtonProps) {
  const t = texts(admin)
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

/** Leads to what staff have done about one thing. */
export function HistoryLink({ id, name }: { id: string; name: string }) {
  const t = texts(admin)
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

/** What will stop, one thing a line. */
export function Stops({ first, things, last }: { first: string; things: string[]; last: string }) {
  return (
    <>
      <p>{first}</p>
      <ul class="stops">
        {things.map((thing) => (
          <li key={thing}>{thing}</li>
        ))}
      </ul>
      <p class="muted">{last}</p>
    </>
  )
}
