import { texts } from '../../language.ts'
import { Page } from '../../kit/page.tsx'
import { Connections } from './connections.tsx'
import { Keys } from './keys.tsx'

/** The account's keys and connected agents. */
export function IntegrationsPage() {
  const t = texts('integrations')
  return (
    <Page title={t('title')} about={t('about')}>
      <Keys />
      <Connections />
    </Page>
  )
}
