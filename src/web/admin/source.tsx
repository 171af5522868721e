import { useState } from 'preact/hooks'
import { Link } from 'wouter-preact'
import { api, ask, Failure, type Schemas } from '../api.ts'
import { Page } from '../kit/shell/page.tsx'
import { Pill, type Tone } from '../kit/shell/pill.tsx'
import { Empty, Loaded } from '../kit/shell/states.tsx'
import { type Column, Table } from '../kit/lists/table.tsx'
import { useLoad } from '../kit/shell/use_load.ts'
import { formatDay, formatTime, texts } from '../language.ts'
import { BlockButton, BlockDialog, type Source, SourceStatus } from './block_dialog.tsx'
import { List } from './list_page.tsx'
import { HistoryLink } from './standing.tsx'

type Connection = Schemas['SourceConnection']

/** The list's search matches ids as well as names. */
async function findSource(id: string, signal: AbortSignal): Promise<Source> {
  const params = { query: { search: id } }
  const { sources } = await ask(api.GET('/api/admin/sources', { params, signal }))
  const source = sources.find((candidate) => candidate.id === id)
  if (!source) throw new Failure({ status: 404, code: 'not_found', message: id })
  return source
}

/** One source with all its connections: their accounts and scopes. */
export function SourcePage({ id }: { id: string }) {
  const load = useLoad((signal) => findSource(id, signal), [id])
  if (load.failure?.status === 404) return <NoSource />
  return (
    <Loaded load={load}>
      {(source) => <SourceDetails source={source} onChanged={load.set} />}
    </Loaded>
  )
}

function NoSource() {
  const [t, k] = [texts('admin'), texts('kit')]
  return (
    <Page title={k('notFoundTitle')}>
      <Empty icon="search" title={t('noSource')}>
        <Link class="button" href="/sources">
          {t('allSources')}
        </Link>
      </Empty>
    </Page>
  )
}

interface SourceDetailsProps {
  source: Source
  onChanged: (source: Source) => void
}

function SourceDetails({ source, onChanged }: SourceDetailsProps) {
  const t = texts('admin')
  const [confirming, setConfirming] = useState(false)
  return (
    <Page
      title={source.name}
      crumb={{ href: '/sources', label: t('sources') }}
      actions={
        <>
          <HistoryLink id={source.id} name={source.name} />
          <BlockButton source={source} onClick={() => setConfirming(true)} />
        </>
      }
    >
      <Facts source={source} />
      <h2>{t('connections')}</h2>
      <Connections source={source} />
      {confirming ? (
        <BlockDialog source={source} onChanged={onChanged} onClose={() => setConfirming(false)} />
      ) : null}
    </Page>
  )
}

function Facts({ source }: { source: Source }) {
  const t = texts('admin')
  const { kind, identity, status, firstSeenAt, lastUsedAt } = source
  return (
    <div class="card">
      <p class="row">
        <SourceStatus status={status} />
        <span class="muted">{t(`kind.${kind}`)}</span>
        <code class="break">{identity}</code>
      </p>
      <p class="muted">
        {t('firstSeen')} {formatTime(firstSeenAt)} ·{' '}
        {lastUsedAt ? `${t('lastUsed')} ${formatTime(lastUsedAt)}` : t('neverUsed')}
      </p>
    </div>
  )
}

function Connections({ source }: { source: Source }) {
  const t = texts('admin')
  const path = { id: source.id }
  return (
    <List
      searchLabel={t('searchConnections')}
      empty={{ icon: 'link', title: t('noConnections') }}
      ask={(query, signal) =>
        ask(api.GET('/api/admin/sources/{id}/connections', { params: { path, query }, signal }))
      }
    >
      {({ connections }) => (
        <Table
          caption={t('connectionsOf', { name: source.name })}
          columns={columns(source)}
          rows={connections}
        />
      )}
    </List>
  )
}

type ConnectionState = 'active' | 'blocked' | 'revoked' | 'expired'

const tones: Record<ConnectionState, Tone> = {
  active: 'good',
  blocked: 'bad',
  revoked: 'quiet',
  expired: 'quiet',
}

function stateOf({ revokedAt, expiresAt }: Connection, { status }: Source): ConnectionState {
  if (revokedAt !== null) return 'revoked'
  if (Date.parse(expiresAt) <= Date.now()) return 'expired'
  return status === 'BLOCKED' ? 'blocked' : 'active'
}

function columns(source: Source): Column<Connection>[] {
  const [t, k] = [texts('admin'), texts('kit')]
  return [
    {
      title: t('account'),
      cell: ({ accountId, accountEmail, id }) => (
        <div class="cell-text">
          <Link href={`/accounts/${accountId}`}>{accountEmail}</Link>
          <small>{id}</small>
        </div>
      ),
    },
    {
      title: t('status'),
      cell: (connection) => {
        const state = stateOf(connection, source)
        return <Pill tone={tones[state]}>{t(`connection.${state}`)}</Pill>
      },
    },
    { title: t('scopes'), cell: (connection) => <Scopes connection={connection} /> },
    {
      title: t('lastUsed'),
      wide: true,
      cell: ({ lastUsedAt }) => (
        <span class="muted nowrap-text">{lastUsedAt ? formatTime(lastUsedAt) : k('never')}</span>
      ),
    },
    {
      title: t('expires'),
      wide: true,
      cell: ({ expiresAt }) => <span class="muted nowrap-text">{formatDay(expiresAt)}</span>,
    },
  ]
}

/** Granted out of requested scopes; the full list expands within the row. */
function Scopes({ connection }: { connection: Connection }) {
  const t = texts('admin')
  const { scopes, requestedScopes } = connection
  return (
    <details class="scopes">
      <summary>{t('scopesGiven', { given: scopes.length, asked: requestedScopes.length })}</summary>
      <ul>
        {requestedScopes.map((scope) => (
          <li key={scope}>
            <code>{scopes.includes(scope) ? scope : <s>{scope}</s>}</code>
          </li>
        ))}
      </ul>
    </details>
  )
}
