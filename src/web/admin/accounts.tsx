import { useState } from 'preact/hooks'
import { api, ask, type Schemas } from '../api.ts'
import { type Column, Table } from '../kit/table.tsx'
import { formatDay, texts } from '../language.ts'
import { LimitDialog } from './limit_dialog.tsx'
import { ListPage, replaced } from './list_page.tsx'
import { HistoryLink, StandingButton, StandingDialog, StandingPill } from './standing.tsx'

type Account = Schemas['AdminAccount']

interface Opened {
  what: 'limit' | 'status'
  account: Account
}

/** All accounts: their workspace limits and whether they are suspended. */
export function AccountsPage() {
  const t = texts('admin')
  const [opened, setOpened] = useState<Opened | undefined>()
  const close = () => setOpened(undefined)
  return (
    <ListPage
      title={t('accounts')}
      about={t('accountsAbout')}
      searchLabel={t('searchAccounts')}
      empty={{ icon: 'people', title: t('noAccounts') }}
      ask={(query, signal) => ask(api.GET('/api/admin/accounts', { params: { query }, signal }))}
    >
      {(value, list) => {
        const take = (changed: Account) =>
          list.set({ ...value, accounts: replaced(value.accounts, changed) })
        return (
          <>
            <Table caption={t('accounts')} columns={columns(setOpened)} rows={value.accounts} />
            {opened?.what === 'limit' ? (
              <LimitDialog account={opened.account} onChanged={take} onClose={close} />
            ) : opened ? (
              <StandingDialog
                kind="account"
                name={opened.account.email}
                status={opened.account.status}
                change={async (status) => take(await putStatus(opened.account.id, status))}
                onClose={close}
              />
            ) : null}
          </>
        )
      }}
    </ListPage>
  )
}

function putStatus(id: string, status: Account['status']): Promise<Account> {
  const params = { path: { id } }
  return ask(api.PUT('/api/admin/accounts/{id}/status', { params, body: { status } }))
}

function columns(open: (opened: Opened) => void): Column<Account>[] {
  const t = texts('admin')
  return [
    {
      title: t('name'),
      cell: ({ name, email }) => (
        <div class="cell-text">
          <b>{name || email}</b>
          {name ? <small>{email}</small> : null}
        </div>
      ),
    },
    { title: t('status'), cell: ({ status }) => <StandingPill status={status} /> },
    {
      title: t('owned'),
      numeric: true,
      wide: true,
      cell: ({ ownedWorkspaces: owned, workspaceLimit: limit }) => (
        <span class="nowrap-text">{t('ownedOf', { owned, limit })}</span>
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
      cell: (account) => (
        <div class="row-actions">
          <HistoryLink id={account.id} name={account.email} />
          <button
            type="button"
            aria-label={t('changeLimitOf', { name: account.email })}
            onClick={() => open({ what: 'limit', account })}
          >
            {t('changeLimit')}
          </button>
          <StandingButton
            name={account.email}
            status={account.status}
            onClick={() => open({ what: 'status', account })}
          />
        </div>
      ),
    },
  ]
}
