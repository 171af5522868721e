import { api, ask } from '../../api.ts'
import { toastFailure } from '../../kit/shell/toasts.tsx'
import { texts } from '../../language.ts'
import { mayUse, useSession, useWorkspace } from '../../session.ts'
import { ownTimeZone } from '../../time.ts'

/** Says whose days are counted. Until a time zone is chosen, the reader's own is offered. */
export function DaysNote() {
  const t = texts('usage')
  const { workspaceId, role, timeZone } = useWorkspace()
  const { refresh } = useSession()
  const own = ownTimeZone()
  if (timeZone !== null) return <p class="hint">{t('daysOfShop', { zone: nameOf(timeZone) })}</p>
  const take = () => {
    const params = { path: { workspaceId } }
    const body = { timeZone: own }
    ask(api.PUT('/api/workspaces/{workspaceId}/time-zone', { params, body })).then(
      refresh,
      toastFailure,
    )
  }
  return (
    <p class="hint">
      {t('daysInUtc')}{' '}
      {own !== 'UTC' && mayUse(role, 'workspace') ? (
        <button type="button" class="link" onClick={take}>
          {t('countDaysOf', { zone: nameOf(own) })}
        </button>
      ) : null}
    </p>
  )
}

/** A zone as people read it. */
export const nameOf = (zone: string): string => zone.replaceAll('_', ' ')
