import { useState } from 'preact/hooks'
import { api, ask, type Schemas } from '../api.ts'
import { type Column, Table } from '../kit/table.tsx'
import { formatDay, formatNumber, texts } from '../language.ts'
import { CreditsDialog } from './credits_dialog.tsx'
import { ListPage, replaced } from './list_page.tsx'
import { HistoryLink, StandingButton, StandingDialog, StandingPill } from './standing.tsx'

type Workspace = Schemas['AdminWorkspace']

interface Opened {
  what: 'credits' | 'status'
  workspace: Workspace
}

/** All workspaces: owner, status and credits. */
export function WorkspacesPage() {
  const t = texts('admin')
  const [opened, setOpened] = useState<Opened | undefined>()
  const close = () => setOpened(undefined)
  return (
    <ListPage
      title={t('workspaces')}
      about={t('workspacesAbout')}
      searchLabel={t('searchWorkspaces')}
      empty={{ icon: 'layers', title: t('noWorkspaces') }}
      ask={(query, signal) => ask(api.GET('/api/admin/workspaces', { params: { query }, signal }))}
    >
      {(value, list) => {
        const take = (changed: Workspace) =>
          list.set({ ...value, workspaces: replaced(value.workspaces, changed) })
        return (
          <>
            <Table caption={t('workspaces')} columns={columns(setOpened)} rows={value.workspaces} />
            {opened?.what === 'credits' ? (
              <CreditsDialog workspace={opened.workspace} onChanged={take} onClose={close} />
            ) : opened ? (
              <StandingDialog
                kind="workspace"
                name={opened.workspace.name}
                status={opened.workspace.status}
                change={async (status) => take(await putStatus(opened.workspace.id, status))}
                onClose={close}
              />
            ) : null}
          </>
        )
      }}
    </ListPage>
  )
}

function putStatus(id: string, status: Workspace['status']): Promise<Workspace> {
  const params = { path: { id } }
  return ask(api.PUT('/api/admin/workspaces/{id}/status', { params, body: { status } }))
}

function columns(open: (opened: Opened) => void): Column<Workspace>[] {
  const t = texts('admin')
  return [
    {
      title: t('name'),
      cell: ({ name, subDomain, createdAt }) => (
        <div class="cell-text">
          <b>{name}</b>
          <small>
            {subDomain} · {formatDay(createdAt)}
          </small>
        </div>
      ),
    },
    { title: t('status'), cell: ({ status }) => <StandingPill status={status} /> },
    {
      title: t('owners'),
      wide: true,
      cell: ({ ownerEmails }) => (
        <div class="cell-text">
          {ownerEmails.length === 0 ? <em>{t('noOwner')}</em> : null}
          {ownerEmails.map((email) => (
            <small key={email}>{email}</small>
          ))}
        </div>
      ),
    },
    {
      title: t('credits'),
      numeric: true,
      wide: true,
      cell: ({ balance }) => (
        <span class={balance < 0 ? 'nowrap-text in-debt' : 'nowrap-text'}>
          {formatNumber(balance)}
        </span>
      ),
    },
    {
      title: t('actions'),
      numeric: true,
      cell: (workspace) => (
        <div class="row-actions">
          <HistoryLink id={workspace.id} name={workspace.name} />
          <button
            type="button"
            aria-label={t('adjustCreditsOf', { name: workspace.name })}
            onClick={() => open({ what: 'credits', workspace })}
          >
            {t('adjustCredits')}
          </button>
          <StandingButton
            name={workspace.name}
            status={workspace.status}
            onClick={() => open({ what: 'status', workspace })}
          />
        </div>
      ),
    },
  ]
}
