import { Empty } from '../kit/states.tsx'
import { texts } from '../language.ts'
import { kit } from '../messages/kit.ts'

export function NotHere() {
  const t = texts(kit)
  return <Empty icon="search" title={t('notFoundTitle')} hint={t('notFoundHint')} />
}
