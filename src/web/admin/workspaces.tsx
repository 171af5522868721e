import { useState } from 'preact/hooks'
import { api, ask, type Schemas } from '../api.ts'
import { ConfirmDialog } from '../kit/dialog.tsx'
import { type Column, Table } from '../kit/table.tsx'
import { toast } from '../kit/toasts.tsx'
import { formatDay, texts } from '../language.ts'
import { admin } from '../messages/admin.ts'
import { CreditsDialog } from './credits_dialog.tsx'
import { ListPage, replaced } from './list_page.tsx'
import { HistoryLink, StandingButton, StandingPill, Stops } from './standing.tsx'

type Workspace = Schemas['AdminWorkspace']

interface Opened {
  what: 'credits' | 'status'
  workspace: Workspace
}

/** Every workspace: whose it is, whether it is open, and its credits. */
export function WorkspacesPage() {
  const t = texts(admin)
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
      {(value, list) => (
        <>
          <Table caption={t('workspaces')} columns={columns(setOpened)} rows={value.workspaces} />
          {opened?.what === 'credits' ? (
            <CreditsDialog workspace={opened.workspace} onClose={close} />
          ) : opened ? (
            <StatusDialog
              workspace={opened.workspace}
              onClose={close}
              onChanged={(changed) =>
                list.set({ ...value, workspaces: replaced(value.workspaces, changed) })
              }
            />
          ) : null}
        </>
      )}
    </ListPage>
  )
}

function columns(open: (opened: Opened) => void): Column<Workspace>[] {
  const t = texts(admin)
  return [
    {
      title: t('name'),
      cell: ({ name, subDomain }) => (
        <div class="cell-text">
          <b>{name}</b>
          <small>{subDomain}</small>
        </div>
      ),
    },
    { title: t('status'), cell: ({ status }) => <StandingPill status={status} /> },
    {
      title: t('owners'),
      wide: true,
      cell: ({ ownerEmails }) => (
        <span class="cell-text">{ownerEmails.join(', ') || <em>{t('noOwner')}</em>}</span>
      ),
    },
    {
      title: t('created'),
      wide: true,
      cell: ({ createdAt }) => <span class="muted nowrap-text">{formatDay(createdAt)}</span>,
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

interface StatusDialogProps {
  workspace: Workspace
  onChanged: (workspace: Workspace) => void
  onClose: () => void
}

function StatusDialog({ workspace, onChanged, onClose }: StatusDialogProps) {
  const t = texts(admin)
  const { id, name, status } = workspace
  const suspends = status === 'ACTIVE'
  const change = async () => {
    const body = { status: suspends ? 'SUSPENDED' : 'ACTIVE' } as const
    const params = { path: { id } }
    onChanged(await ask(api.PUT('/api/admin/workspaces/{id}/status', { params, body })))
    toast(t(suspends ? 'workspaceSuspended' : 'workspaceRestored', { name }))
  }
  return (
    <ConfirmDialog
      title={t(suspends ? 'suspendWorkspaceTitle' : 'restoreWorkspaceTitle', { name })}
      action={t(suspends ? 'suspend' : 'restore')}
      danger={suspends}
      onConfirm={change}
      onClose={onClose}
    >
      {suspends ? (
        <Stops
          first={t('suspendWorkspaceStops')}
          things={[
            t('suspendWorkspaceMembers'),
            t('suspendWorkspaceKeys'),
            t('suspendWorkspaceVisitors'),
          ]}
          last={t('suspendWorkspaceKeeps')}
        />
      ) : (
        <p>{t('restoreWorkspaceHint')}</p>
      )}
    </ConfirmDialog>
  )
}
