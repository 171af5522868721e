import { useState } from 'preact/hooks'
import { api, ask, type Schemas } from '../../api.ts'
import { ConfirmDialog } from '../../kit/dialog.tsx'
import { Loaded } from '../../kit/states.tsx'
import { Table } from '../../kit/table.tsx'
import { toast } from '../../kit/toasts.tsx'
import { useLoad } from '../../kit/use_load.ts'
import { texts } from '../../language.ts'
import { integrations } from '../../messages/integrations.ts'
import { apiOrigin } from '../../session.ts'
import { credentialColumns, revokeColumn } from './credential_columns.tsx'

type Connection = Schemas['Connection']

/** The agents that the account has let in. */
export function Connections() {
  const t = texts(integrations)
  const list = useLoad(() => ask(api.GET('/api/connections')), [])
  const [revoking, setRevoking] = useState<Connection | undefined>()
  return (
    <section class="card" aria-labelledby="connections">
      <h2 id="connections">{t('connections')}</h2>
      <Loaded load={list}>
        {({ connections }) =>
          connections.length === 0 ? (
            <p class="muted break">{t('noConnections', { url: `${apiOrigin()}/mcp` })}</p>
          ) : (
            <Table
              caption={t('connections')}
              columns={columnsFor(setRevoking)}
              rows={connections}
            />
          )
        }
      </Loaded>
      {revoking ? (
        <RevokeConnection
          connection={revoking}
          onClose={() => setRevoking(undefined)}
          onDone={list.reload}
        />
      ) : null}
    </section>
  )
}

function columnsFor(onRevoke: (connection: Connection) => void) {
  const t = texts(integrations)
  return [
    {
      title: t('agent'),
      cell: ({ clientName, clientId }: Connection) => (
        <div class="cell-main">
          <div class="break">
            <b>{clientName}</b>
            <small>{clientId}</small>
          </div>
        </div>
      ),
    },
    ...credentialColumns<Connection>(),
    revokeColumn<Connection>(({ clientName }) => clientName, onRevoke),
  ]
}

interface RevokeProps {
  connection: Connection
  onClose: () => void
  onDone: () => void
}

function RevokeConnection({ connection: { id, clientName: name }, onClose, onDone }: RevokeProps) {
  const t = texts(integrations)
  const revoke = async () => {
    await ask(api.DELETE('/api/connections/{id}', { params: { path: { id } } }))
    toast(t('revoked', { name }))
    onDone()
  }
  return (
    <ConfirmDialog
      danger
      title={t('revokeNamed', { name })}
      action={t('revoke')}
      onConfirm={revoke}
      onClose={onClose}
    >
      <p>{t('revokeAgentHint')}</p>
    </ConfirmDialog>
  )
}
