import { useState } from 'preact/hooks'
import { Link } from 'wouter-preact'
import { api, ask, type Schemas } from '../api.ts'
import { Page } from '../kit/shell/page.tsx'
import { Loaded } from '../kit/shell/states.tsx'
import { toast, toastFailure } from '../kit/shell/toasts.tsx'
import { type Column, Table } from '../kit/lists/table.tsx'
import { useLoad } from '../kit/shell/use_load.ts'
import { findText, formatNumber, formatTime, texts } from '../language.ts'
import { CreditsDialog } from './credits_dialog.tsx'
import { designedTemplate } from './design.tsx'
import { Facts } from './facts.tsx'
import { HistoryLink, StandingButton, StandingDialog, StandingPill } from './standing.tsx'
import { putStatus } from './workspaces.tsx'

type Detail = Schemas['AdminWorkspaceDetail']

/** Everything about one workspace, with links to the people in it. */
export function WorkspacePage({ id }: { id: string }) {
  const t = texts('admin')
  const params = { path: { id } }
  const load = useLoad(
    (signal) => ask(api.GET('/api/admin/workspaces/{id}', { signal, params })),
    [id],
  )
  const crumb = { href: '/workspaces', label: t('workspaces') }
  return (
    <Page title={load.value?.workspace.name ?? t('workspace')} crumb={crumb}>
      <Loaded load={load}>
        {(detail) => (
          <Workspace
            detail={detail}
            onChanged={(workspace) => load.set({ ...detail, workspace })}
          />
        )}
      </Loaded>
    </Page>
  )
}

interface WorkspaceProps {
  detail: Detail
  onChanged: (workspace: Detail['workspace']) => void
}

function Workspace({ detail: { workspace, members }, onChanged }: WorkspaceProps) {
  const t = texts('admin')
  const [dialog, setDialog] = useState<'credits' | 'status' | undefined>()
  const close = () => setDialog(undefined)
  const { id, name, templateKey, billingEmail } = workspace
  return (
    <>
      <Facts
        facts={[
          [t('subDomain'), workspace.subDomain],
          [t('shownTitle'), workspace.title || '–'],
          [t('headline'), workspace.headline || '–'],
          [t('nameApproved'), t(workspace.isNameApproved ? 'nameIsApproved' : 'nameWaits')],
          [t('waitingDomains'), workspace.waitingDomains.join(', ') || '–'],
          [t('status'), <StandingPill status={workspace.status} />],
          [t('template'), findText('templates', `${templateKey}.name`) ?? templateKey],
          [t('phone'), workspace.billingPhone ?? '–'],
          [t('email'), billingEmail],
          [t('credits'), formatNumber(workspace.balance)],
          [t('created'), formatTime(workspace.createdAt)],
          [t('idLabel'), <code>{id}</code>],
        ]}
      />
      <div class="row">
        <button type="button" onClick={() => setDialog('credits')}>
          {t('adjustCredits')}
        </button>
        <NameButton {...{ workspace, onChanged }} />
        <DomainsButton {...{ workspace, onChanged }} />
        <StandingButton name={name} status={workspace.status} onClick={() => setDialog('status')} />
        {templateKey === designedTemplate ? (
          <Link class="button" href={`/workspaces/${id}/design`}>
            {t('design')}
          </Link>
        ) : null}
        <HistoryLink id={id} name={name} />
        <Link
          class="button plain"
          href={`/contact-requests?search=${encodeURIComponent(billingEmail)}`}
        >
          {t('contactRequests')}
        </Link>
      </div>
      <Table caption={t('members')} columns={columns()} rows={members} />
      {dialog === 'credits' ? (
        <CreditsDialog {...{ workspace, onChanged }} onClose={close} />
      ) : null}
      {dialog === 'status' ? (
        <StandingDialog
          kind="workspace"
          name={name}
          status={workspace.status}
          change={async (status) => onChanged(await putStatus(id, status))}
          onClose={close}
        />
      ) : null}
    </>
  )
}

interface NameButtonProps {
  workspace: Detail['workspace']
  onChanged: WorkspaceProps['onChanged']
}

/** Decides of what is seen here: an owner may have changed it meanwhile. */
function decide(
  { id, name, subDomain, title, headline }: Detail['workspace'],
  decision: { isNameApproved: boolean; domains: string[] },
): Promise<Detail['workspace']> {
  const body = { name, subDomain, title, headline, ...decision }
  return ask(api.PUT('/api/admin/workspaces/{id}/name', { params: { path: { id } }, body }))
}

/** Shows the pages at a name that a person has looked at, or hides them. */
function NameButton({ workspace, onChanged }: NameButtonProps) {
  const t = texts('admin')
  const { name, isNameApproved } = workspace
  const change = () => {
    decide(workspace, { isNameApproved: !isNameApproved, domains: [] }).then((changed) => {
      onChanged(changed)
      toast(t(changed.isNameApproved ? 'nameDone' : 'nameHidden', { name }))
    }, toastFailure)
  }
  return (
    <button
      type="button"
      class={isNameApproved ? undefined : 'primary'}
      aria-label={t(isNameApproved ? 'hideNamed' : 'approveNamed', { name })}
      onClick={change}
    >
      {t(isNameApproved ? 'hideName' : 'approveName')}
    </button>
  )
}

/** Leads domains that a person has looked at to the shop. */
function DomainsButton({ workspace, onChanged }: NameButtonProps) {
  const t = texts('admin')
  const { name, isNameApproved, waitingDomains } = workspace
  if (waitingDomains.length === 0) return null
  const approve = () => {
    decide(workspace, { isNameApproved, domains: waitingDomains }).then((changed) => {
      onChanged(changed)
      toast(t('domainsDone', { name }))
    }, toastFailure)
  }
  return (
    <button
      type="button"
      class="primary"
      aria-label={t('approveDomainsOf', { name })}
      onClick={approve}
    >
      {t('approveDomains')}
    </button>
  )
}

function columns(): Column<Detail['members'][number]>[] {
  const t = texts('admin')
  return [
    {
      title: t('members'),
      cell: ({ accountId, name, email }) => (
        <div class="cell-text">
          {accountId === null ? (
            <b>{email}</b>
          ) : (
            <Link href={`/accounts/${accountId}`}>{name || email}</Link>
          )}
          {name ? <small>{email}</small> : null}
        </div>
      ),
    },
    { title: t('role'), cell: ({ role }) => findText('front', `role.${role}`) ?? role },
    {
      title: t('status'),
      cell: ({ status }) => findText('business', `status.${status}`) ?? status,
    },
  ]
}
