import { api, ask } from '../../api.ts'
import { Loaded } from '../../kit/shell/states.tsx'
import { useLoad } from '../../kit/shell/use_load.ts'
import { texts } from '../../language.ts'
import { useSession } from '../../session.ts'
import { Credentials } from './credentials.tsx'

/** Agents the account has connected. */
export function Connections() {
  const t = texts('integrations')
  const list = useLoad(() => ask(api.GET('/api/connections')), [])
  const { memberships } = useSession().session
  // The account may have left the workspace meanwhile: then only its id is known.
  const nameOfWorkspace = (id: string) =>
    memberships.find(({ workspaceId }) => workspaceId === id)?.workspaceName ?? id
  return (
    <section class="card" aria-labelledby="connections">
      <h2 id="connections">{t('connections')}</h2>
      <Loaded load={list}>
        {({ connections }) =>
          connections.length === 0 ? (
            <p class="muted">{t('noConnections')}</p>
          ) : (
            <Credentials
              caption={t('connections')}
              title={t('agent')}
              credentials={connections}
              nameOf={({ clientName }) => clientName}
              markOf={({ clientId, workspaceId, askFirst }) => (
                <>
                  {clientId}
                  {workspaceId === null ? null : (
                    <>
                      <br />
                      <b>{t('onlyIn', { name: nameOfWorkspace(workspaceId) })}</b>
                    </>
                  )}
                  {askFirst ? (
                    <>
                      <br />
                      <b>{t('asksFirst')}</b>
                    </>
                  ) : null}
                </>
              )}
              revokeHint={t('revokeAgentHint')}
              revoke={(id) =>
                ask(api.DELETE('/api/connections/{id}', { params: { path: { id } } }))
              }
              onRevoked={list.reload}
            />
          )
        }
      </Loaded>
    </section>
  )
}
