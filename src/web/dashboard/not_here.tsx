import { Page } from '../kit/page.tsx'
import { texts } from '../language.ts'

/** Not found, or not for this role. */
export function NotHere() {
  const t = texts('kit')
  return (
    <Page narrow title={t('notFoundTitle')}>
      <p class="muted">{t('notFoundHint')}</p>
    </Page>
  )
}
