import { useState } from 'preact/hooks'
import { Link } from 'wouter-preact'
import { api, ask, type Schemas } from '../api.ts'
import { type Column, Table } from '../kit/lists/table.tsx'
import { findText, formatDay, formatNumber, texts } from '../language.ts'
import { CreditsDialog } from './credits_dialog.tsx'
import { ListPage, replaceRow } from './list_page.tsx'
import {
  HistoryLink,
  StandingButton,
  StandingDialog,
  StandingPill,
  standings,
} from './standing.tsx'

type Workspace = Schemas['AdminWorkspace']

interface WorkspaceDialog {
  kind: 'credits' | 'status'
  workspace: Workspace
}

/** All workspaces: owner, status and credits. */
export function WorkspacesPage() {
  const t = texts('admin')
  const [dialog, setDialog] = useState<WorkspaceDialog | undefined>()
  const close = () => setDialog(undefined)
  return (
    <ListPage
      title={t('workspaces')}
      about={t('workspacesAbout')}
      searchLabel={t('searchWorkspaces')}
      statuses={standings()}
      empty={{ icon: 'layers', title: t('noWorkspaces') }}
      ask={(query, signal) => ask(api.GET('/api/admin/workspaces', { params: { query }, signal }))}
    >
      {(value, list) => {
        const update = (updated: Workspace) =>
          list.set({ ...value, workspaces: replaceRow(value.workspaces, updated) })
        return (
          <>
            <Table caption={t('workspaces')} columns={columns(setDialog)} rows={value.workspaces} />
            {dialog?.kind === 'credits' ? (
              <CreditsDialog workspace={dialog.workspace} onChanged={update} onClose={close} />
            ) : dialog ? (
              <StandingDialog
                kind="workspace"
                name={dialog.workspace.name}
                status={dialog.workspace.status}
                change={async (status) => update(await putStatus(dialog.workspace.id, status))}
                onClose={close}
              />
            ) : null}
          </>
        )
      }}
    </ListPage>
  )
}

export function putStatus(id: string, status: Workspace['status']): Promise<Workspace> {
  const params = { path: { id } }
  return ask(api.PUT('/api/admin/workspaces/{id}/status', { params, body: { status } }))
}

function columns(open: (dialog: WorkspaceDialog) => void): Column<Workspace>[] {
  const t = texts('admin')
  return [
    {
      title: t('name'),
      cell: ({ id, name, subDomain, createdAt, templateKey, billingPhone }) => (
        <div class="cell-text">
          <Link href={`/workspaces/${id}`}>{name}</Link>
          <small>
            {subDomain} · {formatDay(createdAt)}
          </small>
          <small>
            {[findText('templates', `${templateKey}.name`) ?? templateKey, billingPhone]
              .filter(Boolean)
              .join(' · ')}
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
            <small key={email}>
              <Link href={`/accounts?search=${encodeURIComponent(email)}`}>{email}</Link>
            </small>
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
            onClick={() => open({ kind: 'credits', workspace })}
          >
            {t('adjustCredits')}
          </button>
          <StandingButton
            name={workspace.name}
            status={workspace.status}
            onClick={() => open({ kind: 'status', workspace })}
          />
        </div>
      ),
    },
  ]
}
