import { toastFailure } from '../../kit/shell/toasts.tsx'
import { texts } from '../../language.ts'
import { mayUse, useSession, useWorkspace } from '../../session.ts'
import { ownTimeZone } from '../../time.ts'
import { saveTimeZone, zoneName } from '../profile/zones.ts'

/** Says whose days are counted. Until a time zone is chosen, the reader's own is offered. */
export function DaysNote() {
  const t = texts('usage')
  const { workspaceId, role, timeZone } = useWorkspace()
  const { refresh } = useSession()
  const own = ownTimeZone()
  if (timeZone !== null) return <p class="hint">{t('daysOfShop', { zone: zoneName(timeZone) })}</p>
  const take = () => {
    saveTimeZone(workspaceId, own).then(refresh, toastFailure)
  }
  return (
    <p class="hint">
      {t('daysInUtc')}{' '}
      {own !== 'UTC' && mayUse(role, 'workspace') ? (
        <button type="button" class="link" onClick={take}>
          {t('countDaysOf', { zone: zoneName(own) })}
        </button>
      ) : null}
    </p>
  )
}
