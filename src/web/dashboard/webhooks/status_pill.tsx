import type { Schemas } from '../../api.ts'
import { Pill } from '../../kit/shell/pill.tsx'
import { formatTime, texts } from '../../language.ts'

/** Whether a webhook sends, and since when its receiver fails. */
export function StatusPill({ webhook }: { webhook: Schemas['Webhook'] }) {
  const t = texts('webhooks')
  const { status, failingSince } = webhook
  if (status === 'DISABLED') return <Pill tone="bad">{t('disabled')}</Pill>
  if (failingSince === null) return <Pill tone="good">{t('active')}</Pill>
  return <Pill tone="warn">{t('failing', { time: formatTime(failingSince) })}</Pill>
}
