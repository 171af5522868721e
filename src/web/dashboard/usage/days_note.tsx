import { dayBegins, texts } from '../../language.ts'

/** Says which days are counted: they are UTC's, and begin at another time where the reader is. */
export function DaysNote({ to }: { to: string }) {
  const t = texts('usage')
  const time = dayBegins(to)
  return <p class="hint">{time === undefined ? t('daysInUtc') : t('daysBegin', { time })}</p>
}
