import { texts } from '../../language.ts'
import { Page } from '../../kit/shell/page.tsx'
import { mayOwnKeys, useSession } from '../../session.ts'
import { Approval } from './approval.tsx'
import { ConnectAgent } from './connect.tsx'
import { Connections } from './connections.tsx'
import { Keys } from './keys.tsx'
import { PublishableKeys } from './publishable_keys.tsx'

/** The account's keys and connected agents. */
export function IntegrationsPage() {
  const t = texts('integrations')
  const { session } = useSession()
  return (
    <Page title={t('title')} about={t('about')}>
      {mayOwnKeys(session) ? (
        <>
          <Keys />
          <PublishableKeys />
          <ConnectAgent />
          <Connections />
          <Approval />
        </>
      ) : (
        <p class="banner warning">{t('ownersOnly')}</p>
      )}
    </Page>
  )
}
