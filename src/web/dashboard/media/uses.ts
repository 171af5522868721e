import type { Schemas } from '../../api.ts'
import { texts } from '../../language.ts'

/** Usage count as text. */
export function usesOf({ usageCount }: Schemas['Media']): string {
  const t = texts('catalogue')
  return usageCount === 0 ? t('notUsed') : t('usedTimes', { count: usageCount })
}
