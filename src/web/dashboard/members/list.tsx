import { useState } from 'preact/hooks'
import { roles } from '../../../generated/roles.ts'
import { api, ask, type Schemas } from '../../api.ts'
import { Select } from '../../kit/fields.tsx'
import { ConfirmDialog } from '../../kit/dialog.tsx'
import { Icon } from '../../kit/icons.tsx'
import { Page } from '../../kit/page.tsx'
import { Pill, type Tone } from '../../kit/pill.tsx'
import { Loaded } from '../../kit/states.tsx'
import { type Column, Table } from '../../kit/table.tsx'
import { toast, toastFailure } from '../../kit/toasts.tsx'
import { useLoad } from '../../kit/use_load.ts'
import { formatDay, texts } from '../../language.ts'
import { useSession, useWorkspace } from '../../session.ts'
import { roleName } from '../front/invitations.tsx'
import { InviteDialog } from './invite.tsx'

type Member = Schemas['Member']

const memberPath = '/api/workspaces/{workspaceId}/members/{id}'
const tones: Record<Member['status'], Tone> = { ACTIVE: 'good', INVITED: 'info', SUSPENDED: 'bad' }

/** Actions on a member. */
interface MemberHandlers {
  ownAccountId: string
  update: (member: Member, change: Schemas['MemberUpdate']) => void
  remove: (member: Member) => void
}

export function MembersPage() {
  const { workspaceId } = useWorkspace()
  const { session, refresh } = useSession()
  const t = texts('business')
  const [inviting, setInviting] = useState(false)
  const [removing, setRemoving] = useState<Member | undefined>()
  const params = { path: { workspaceId } }
  const list = useLoad(
    () => ask(api.GET('/api/workspaces/{workspaceId}/members', { params })),
    [workspaceId],
  )
  const update = ({ id, accountId }: Member, body: Schemas['MemberUpdate']) => {
    const path = { workspaceId, id }
    ask(api.PUT(memberPath, { params: { path }, body }))
      .then(() => (accountId === session.account.id ? refresh() : undefined))
      .catch(toastFailure)
      .finally(list.reload)
  }
  const invite = (
    <button type="button" class="primary" onClick={() => setInviting(true)}>
      <Icon name="plus" />
      {t('invite')}
    </button>
  )
  const handlers = { ownAccountId: session.account.id, update, remove: setRemoving }
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

function columnsFor({ ownAccountId, update, remove }: MemberHandlers): Column<Member>[] {
  const [t, k] = [texts('business'), texts('kit')]
  return [
    {
      title: t('email'),
      cell: ({ name, email, accountId, status }) => (
        <div class="cell-main">
          <div class="break">
            <b>{name || email}</b>
            <small>
              {email}
              {accountId === ownAccountId ? ` · ${t('you')}` : ''}
            </small>
            <Pill tone={tones[status]}>{t(`status.${status}`)}</Pill>
          </div>
        </div>
      ),
    },
    {
      title: t('role'),
      cell: (member) => (
        <Select
          label={t('roleOf', { email: member.email })}
          value={member.role}
          choices={roles.map((value) => ({ value, label: roleName(value) }))}
          onChange={(role) => update(member, { role })}
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
      cell: (member) => <MemberActions {...{ member, update, remove }} />,
    },
  ]
}

function MemberActions({
  member,
  update,
  remove,
}: { member: Member } & Omit<MemberHandlers, 'ownAccountId'>) {
  const [t, k] = [texts('business'), texts('kit')]
  const { email, status } = member
  const isActive = status === 'ACTIVE'
  // On phones the buttons stack, so that both stay visible.
  return (
    <span>
      {status === 'INVITED' ? null : (
        <button
          type="button"
          class="plain"
          aria-label={t(isActive ? 'suspendNamed' : 'reactivateNamed', { email })}
          onClick={() => update(member, { status: isActive ? 'SUSPENDED' : 'ACTIVE' })}
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

interface RemoveProps {
  member: Member
  onClose: () => void
  onDone: () => void
}

function RemoveMember({ member: { id, email }, onClose, onDone }: RemoveProps) {
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
      <p>{t('removeHint')}</p>
    </ConfirmDialog>
  )
}
