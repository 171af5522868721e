import type { Schemas } from '../../api.ts'
import { texts } from '../../language.ts'

/** How often a picture is used, in words. */
export function usesOf({ usageCount }: Schemas['Media']): string {
  const t = texts('catalogue')
  return usageCount === 0 ? t('notUsed') : t('usedTimes', { count: usageCount })
}
