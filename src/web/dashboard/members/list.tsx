import { useState } from 'preact/hooks'
import { api, ask, type Schemas } from '../../api.ts'
import { ConfirmDialog } from '../../kit/shell/dialog.tsx'
import { Icon } from '../../kit/shell/icons.tsx'
import { Page } from '../../kit/shell/page.tsx'
import { Pill, type Tone } from '../../kit/shell/pill.tsx'
import { Loaded } from '../../kit/shell/states.tsx'
import { type Column, Table } from '../../kit/lists/table.tsx'
import { toast, toastFailure } from '../../kit/shell/toasts.tsx'
import { useLoad } from '../../kit/shell/use_load.ts'
import { formatDay, texts } from '../../language.ts'
import { useSession, useWorkspace } from '../../session.ts'
import { roleName } from '../front/role_name.ts'
import { InviteDialog } from './invite.tsx'
import { RolePicker } from './role_picker.tsx'

type Member = Schemas['Member']

const memberPath = '/api/workspaces/{workspaceId}/members/{id}'
const tones: Record<Member['status'], Tone> = { ACTIVE: 'good', INVITED: 'info', SUSPENDED: 'bad' }

/** A change that waits for a confirmation. */
interface Intent {
  member: Member
  change: Schemas['MemberUpdate']
}

/** Actions on a member. */
interface MemberHandlers {
  ownAccountId: string
  update: (intent: Intent) => void
  remove: (member: Member) => void
  resend: (member: Member) => void
}

export function MembersPage() {
  const { workspaceId } = useWorkspace()
  const { session, refresh } = useSession()
  const t = texts('business')
  const [inviting, setInviting] = useState(false)
  const [removing, setRemoving] = useState<Member | undefined>()
  const [intent, setIntent] = useState<Intent | undefined>()
  const params = { path: { workspaceId } }
  const list = useLoad(
    () => ask(api.GET('/api/workspaces/{workspaceId}/members', { params })),
    [workspaceId],
  )
  const update = async ({ member: { id, accountId }, change: body }: Intent) => {
    await ask(api.PUT(memberPath, { params: { path: { workspaceId, id } }, body }))
    if (accountId === session.account.id) await refresh()
    list.reload()
  }
  const resend = ({ id, email }: Member) => {
    const call = api.POST(`${memberPath}/invitation`, { params: { path: { workspaceId, id } } })
    ask(call).then(() => toast(t('invited', { email })), toastFailure)
  }
  const invite = (
    <button type="button" class="primary" onClick={() => setInviting(true)}>
      <Icon name="plus" />
      {t('invite')}
    </button>
  )
  const handlers = {
    ownAccountId: session.account.id,
    update: setIntent,
    remove: setRemoving,
    resend,
  }
  return (
    <Page title={t('members')} about={t('membersAbout')} actions={invite}>
      <Loaded load={list}>
        {({ members }) => (
          <Table caption={t('members')} columns={columnsFor(handlers)} rows={members} />
        )}
      </Loaded>
      {inviting ? (
        <InviteDialog onClose={() => setInviting(false)} onInvited={list.reload} />
      ) : null}
      {intent ? (
        <ConfirmChange
          intent={intent}
          onConfirm={() => update(intent)}
          onClose={() => setIntent(undefined)}
        />
      ) : null}
      {removing ? (
        <RemoveMember
          member={removing}
          onClose={() => setRemoving(undefined)}
          onDone={list.reload}
        />
      ) : null}
    </Page>
  )
}

function columnsFor({ ownAccountId, ...handlers }: MemberHandlers): Column<Member>[] {
  const [t, k] = [texts('business'), texts('kit')]
  return [
    {
      title: t('person'),
      main: true,
      cell: ({ name, email, accountId, status }) => (
        <div class="cell-main">
          <div class="break">
            <b>{name || email}</b>
            <small>
              {[name && email, accountId === ownAccountId && t('you')].filter(Boolean).join(' · ')}
            </small>
            <Pill tone={tones[status]}>{t(`status.${status}`)}</Pill>
          </div>
        </div>
      ),
    },
    {
      title: t('role'),
      cell: (member) => (
        <RolePicker
          label={t('roleOf', { email: member.email })}
          role={member.role}
          onChange={(role) => handlers.update({ member, change: { role } })}
        />
      ),
    },
    {
      title: t('since'),
      wide: true,
      cell: ({ createdAt }) => <span class="muted nowrap-text">{formatDay(createdAt)}</span>,
    },
    {
      title: k('actions'),
      numeric: true,
      cell: (member) => <MemberActions member={member} {...handlers} />,
    },
  ]
}

type ActionsProps = { member: Member } & Omit<MemberHandlers, 'ownAccountId'>

function MemberActions({ member, update, remove, resend }: ActionsProps) {
  const [t, k] = [texts('business'), texts('kit')]
  const { email, status } = member
  const isActive = status === 'ACTIVE'
  // On phones the buttons stack, so that both stay visible.
  return (
    <span>
      {status === 'INVITED' ? (
        <button
          type="button"
          class="plain"
          aria-label={t('resendNamed', { email })}
          onClick={() => resend(member)}
        >
          {t('resend')}
        </button>
      ) : (
        <button
          type="button"
          class="plain"
          aria-label={t(isActive ? 'suspendNamed' : 'reactivateNamed', { email })}
          onClick={() => update({ member, change: { status: isActive ? 'SUSPENDED' : 'ACTIVE' } })}
        >
          {t(isActive ? 'suspend' : 'reactivate')}
        </button>
      )}
      <button
        type="button"
        class="plain"
        aria-label={t('removeNamed', { email })}
        onClick={() => remove(member)}
      >
        {k('remove')}
      </button>
    </span>
  )
}

interface ConfirmChangeProps {
  intent: Intent
  onConfirm: () => Promise<void>
  onClose: () => void
}

/** A role or a suspension takes effect at once, so it is confirmed first. */
function ConfirmChange({ intent, onConfirm, onClose }: ConfirmChangeProps) {
  const t = texts('business')
  const { member, change } = intent
  const { email } = member
  if (change.role !== undefined)
    return (
      <ConfirmDialog
        title={t('changeRole', { email, role: roleName(change.role) })}
        action={t('changeRoleAction')}
        {...{ onConfirm, onClose }}
      >
        <p>{t(`roleHint.${change.role}`)}</p>
      </ConfirmDialog>
    )
  const isSuspension = change.status === 'SUSPENDED'
  return (
    <ConfirmDialog
      danger={isSuspension}
      title={t(isSuspension ? 'suspendNamed' : 'reactivateNamed', { email })}
      action={t(isSuspension ? 'suspend' : 'reactivate')}
      {...{ onConfirm, onClose }}
    >
      <p>{t(isSuspension ? 'suspendHint' : 'reactivateHint')}</p>
    </ConfirmDialog>
  )
}

interface RemoveProps {
  member: Member
  onClose: () => void
  onDone: () => void
}

function RemoveMember({ member: { id, email, status }, onClose, onDone }: RemoveProps) {
  const { workspaceId } = useWorkspace()
  const [t, k] = [texts('business'), texts('kit')]
  const remove = async () => {
    await ask(api.DELETE(memberPath, { params: { path: { workspaceId, id } } }))
    toast(t('removed', { email }))
    onDone()
  }
  return (
    <ConfirmDialog
      danger
      title={t('removeNamed', { email })}
      action={k('remove')}
      onConfirm={remove}
      onClose={onClose}
    >
      <p>{t(status === 'INVITED' ? 'withdrawHint' : 'removeHint')}</p>
    </ConfirmDialog>
  )
}
