import { useState } from 'preact/hooks'
import { Link } from 'wouter-preact'
import { api, ask, type Schemas } from '../api.ts'
import { Page } from '../kit/shell/page.tsx'
import { Loaded } from '../kit/shell/states.tsx'
import { type Column, Table } from '../kit/lists/table.tsx'
import { useLoad } from '../kit/shell/use_load.ts'
import { findText, formatTime, texts } from '../language.ts'
import { Facts } from './facts.tsx'
import { LimitDialog } from './limit_dialog.tsx'
import { putStatus } from './accounts.tsx'
import { HistoryLink, StandingButton, StandingDialog, StandingPill } from './standing.tsx'

type Detail = Schemas['AdminAccountDetail']
type Row = Detail['memberships'][number] & { id: string }

/** Everything about one account, with links to what belongs to it. */
export function AccountPage({ id }: { id: string }) {
  const t = texts('admin')
  const params = { path: { id } }
  const load = useLoad(
    (signal) => ask(api.GET('/api/admin/accounts/{id}', { signal, params })),
    [id],
  )
  const title = load.value ? load.value.account.name || load.value.account.email : t('account')
  return (
    <Page title={title} crumb={{ href: '/accounts', label: t('accounts') }}>
      <Loaded load={load}>
        {(detail) => (
          <Account detail={detail} onChanged={(account) => load.set({ ...detail, account })} />
        )}
      </Loaded>
    </Page>
  )
}

interface AccountProps {
  detail: Detail
  onChanged: (account: Detail['account']) => void
}

function Account({ detail, onChanged }: AccountProps) {
  const t = texts('admin')
  const [dialog, setDialog] = useState<'limit' | 'status' | undefined>()
  const close = () => setDialog(undefined)
  const { account, memberships } = detail
  const { id, email } = account
  const owned = { owned: account.ownedWorkspaces, limit: account.workspaceLimit }
  return (
    <>
      <Facts
        facts={[
          [t('email'), email],
          [t('status'), <StandingPill status={account.status} />],
          [t('phone'), detail.phone ?? '–'],
          [t('language'), detail.language],
          [t('owned'), t('ownedOf', owned)],
          [t('liveKeys'), detail.liveKeys],
          [t('liveAgents'), detail.liveConnections],
          [t('created'), formatTime(account.createdAt)],
          [t('idLabel'), <code>{id}</code>],
        ]}
      />
      <div class="row">
        <button type="button" onClick={() => setDialog('limit')}>
          {t('changeLimit')}
        </button>
        <StandingButton name={email} status={account.status} onClick={() => setDialog('status')} />
        <HistoryLink id={id} name={email} />
        <Link class="button plain" href={`/contact-requests?search=${encodeURIComponent(email)}`}>
          {t('contactRequests')}
        </Link>
      </div>
      <Table
        caption={t('workspaces')}
        columns={columns()}
        rows={memberships.map((one) => ({ ...one, id: one.workspaceId }))}
      />
      {dialog === 'limit' ? <LimitDialog {...{ account, onChanged }} onClose={close} /> : null}
      {dialog === 'status' ? (
        <StandingDialog
          kind="account"
          name={email}
          status={account.status}
          change={async (status) => onChanged(await putStatus(id, status))}
          onClose={close}
        />
      ) : null}
    </>
  )
}

function columns(): Column<Row>[] {
  const t = texts('admin')
  return [
    {
      title: t('workspaces'),
      cell: ({ workspaceId, workspaceName }) => (
        <Link href={`/workspaces/${workspaceId}`}>{workspaceName}</Link>
      ),
    },
    { title: t('role'), cell: ({ role }) => findText('front', `role.${role}`) ?? role },
    {
      title: t('status'),
      cell: ({ status }) => findText('business', `status.${status}`) ?? status,
    },
  ]
}
