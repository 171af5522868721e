import { useState } from 'preact/hooks'
import { Link } from 'wouter-preact'
import { api, ask, type Schemas } from '../api.ts'
import { type Column, Table } from '../kit/lists/table.tsx'
import { formatDay, texts } from '../language.ts'
import { LimitDialog } from './limit_dialog.tsx'
import { ListPage, replaceRow } from './list_page.tsx'
import {
  HistoryLink,
  StandingButton,
  StandingDialog,
  StandingPill,
  standings,
} from './standing.tsx'

type Account = Schemas['AdminAccount']

interface AccountDialog {
  kind: 'limit' | 'status'
  account: Account
}

/** All accounts: their workspace limits and whether they are suspended. */
export function AccountsPage() {
  const t = texts('admin')
  const [dialog, setDialog] = useState<AccountDialog | undefined>()
  const close = () => setDialog(undefined)
  return (
    <ListPage
      title={t('accounts')}
      about={t('accountsAbout')}
      searchLabel={t('searchAccounts')}
      statuses={standings()}
      empty={{ icon: 'people', title: t('noAccounts') }}
      ask={(query, signal) => ask(api.GET('/api/admin/accounts', { params: { query }, signal }))}
    >
      {(value, list) => {
        const update = (updated: Account) =>
          list.set({ ...value, accounts: replaceRow(value.accounts, updated) })
        return (
          <>
            <Table caption={t('accounts')} columns={columns(setDialog)} rows={value.accounts} />
            {dialog?.kind === 'limit' ? (
              <LimitDialog account={dialog.account} onChanged={update} onClose={close} />
            ) : dialog ? (
              <StandingDialog
                kind="account"
                name={dialog.account.email}
                status={dialog.account.status}
                change={async (status) => update(await putStatus(dialog.account.id, status))}
                onClose={close}
              />
            ) : null}
          </>
        )
      }}
    </ListPage>
  )
}

export function putStatus(id: string, status: Account['status']): Promise<Account> {
  const params = { path: { id } }
  return ask(api.PUT('/api/admin/accounts/{id}/status', { params, body: { status } }))
}

function columns(open: (dialog: AccountDialog) => void): Column<Account>[] {
  const t = texts('admin')
  return [
    {
      title: t('name'),
      cell: ({ id, name, email, createdAt }) => (
        <div class="cell-text">
          <Link href={`/accounts/${id}`}>{name || email}</Link>
          <small>
            {name ? `${email} · ` : ''}
            {formatDay(createdAt)}
          </small>
        </div>
      ),
    },
    { title: t('status'), cell: ({ status }) => <StandingPill status={status} /> },
    {
      title: t('owned'),
      numeric: true,
      wide: true,
      cell: ({ email, ownedWorkspaces: owned, workspaceLimit: limit }) => (
        <Link class="nowrap-text" href={`/workspaces?search=${encodeURIComponent(email)}`}>
          {t('ownedOf', { owned, limit })}
        </Link>
      ),
    },
    {
      title: t('actions'),
      numeric: true,
      cell: (account) => (
        <div class="row-actions">
          <HistoryLink id={account.id} name={account.email} />
          <button
            type="button"
            aria-label={t('changeLimitOf', { name: account.email })}
            onClick={() => open({ kind: 'limit', account })}
          >
            {t('changeLimit')}
          </button>
          <StandingButton
            name={account.email}
            status={account.status}
            onClick={() => open({ kind: 'status', account })}
          />
        </div>
      ),
    },
  ]
}
