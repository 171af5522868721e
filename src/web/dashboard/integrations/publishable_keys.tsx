import { useState } from 'preact/hooks'
import { api, ask, type Schemas } from '../../api.ts'
import { Select } from '../../kit/forms/select.tsx'
import { type Column, Table } from '../../kit/lists/table.tsx'
import { CopyButton } from '../../kit/shell/copy.tsx'
import { ConfirmDialog } from '../../kit/shell/dialog.tsx'
import { Icon } from '../../kit/shell/icons.tsx'
import { Pill } from '../../kit/shell/pill.tsx'
import { Loaded } from '../../kit/shell/states.tsx'
import { toast } from '../../kit/shell/toasts.tsx'
import { useLoad } from '../../kit/shell/use_load.ts'
import { formatTime, texts } from '../../language.ts'
import { mayUse, useSession } from '../../session.ts'
import { PublishableKeyDialog } from './publishable_key_dialog.tsx'

type PublishableKey = Schemas['PublishableKey']

const path = '/api/workspaces/{workspaceId}/publishable-keys'

/** Keys for pages without a backend, of one workspace at a time. */
export function PublishableKeys() {
  const t = texts('publishable')
  const own = useSession().session.memberships.filter(
    ({ role, workspaceStatus }) => workspaceStatus === 'ACTIVE' && mayUse(role, 'integrations'),
  )
  const [chosen, setChosen] = useState(own[0]?.workspaceId)
  if (chosen === undefined) return null
  const choices = own.map(({ workspaceId, workspaceName }) => ({
    value: workspaceId,
    label: workspaceName,
  }))
  return (
    <section class="card stack" aria-labelledby="publishable-keys">
      <header>
        <h2 id="publishable-keys">{t('title')}</h2>
        {choices.length > 1 ? (
          <Select label={t('workspace')} value={chosen} choices={choices} onChange={setChosen} />
        ) : null}
      </header>
      <p>{t('about')}</p>
      <KeysOf key={chosen} workspaceId={chosen} />
    </section>
  )
}

function KeysOf({ workspaceId }: { workspaceId: string }) {
  const t = texts('publishable')
  const [creating, setCreating] = useState(false)
  const [revoking, setRevoking] = useState<PublishableKey | undefined>()
  // At most 20 are in use, and revoked ones go after a while: one page has those that matter.
  const query = { pageSize: 50 }
  const list = useLoad(
    (signal) => ask(api.GET(path, { signal, params: { path: { workspaceId }, query } })),
    [workspaceId],
  )
  const create = async (body: Schemas['PublishableKeyCreate']) => {
    await ask(api.POST(path, { params: { path: { workspaceId } }, body }))
    list.reload()
  }
  const revoke = async ({ id, name }: PublishableKey) => {
    await ask(api.DELETE(`${path}/{id}`, { params: { path: { workspaceId, id } } }))
    toast(t('revoked', { name }))
    list.reload()
  }
  return (
    <>
      <Loaded load={list}>
        {({ publishableKeys }) =>
          publishableKeys.length === 0 ? (
            <p class="muted">{t('none')}</p>
          ) : (
            <Table caption={t('title')} columns={columns(setRevoking)} rows={publishableKeys} />
          )
        }
      </Loaded>
      <div class="row">
        <button type="button" onClick={() => setCreating(true)}>
          <Icon name="plus" />
          {t('new')}
        </button>
      </div>
      {creating ? <PublishableKeyDialog save={create} onClose={() => setCreating(false)} /> : null}
      {revoking ? (
        <ConfirmDialog
          danger
          title={t('revokeNamed', { name: revoking.name })}
          action={t('revoke')}
          onConfirm={() => revoke(revoking)}
          onClose={() => setRevoking(undefined)}
        >
          <p>{t('revokeHint')}</p>
        </ConfirmDialog>
      ) : null}
    </>
  )
}

function columns(onRevoke: (key: PublishableKey) => void): Column<PublishableKey>[] {
  const [t, k] = [texts('publishable'), texts('kit')]
  return [
    {
      title: t('name'),
      main: true,
      cell: ({ name, key, origins, dailyCredits }) => (
        <div class="cell-main">
          <div class="break">
            <b>{name}</b>
            <small>
              <code>{key}</code>
            </small>
            <small>{origins.join(', ')}</small>
            <small>{t('budget', { count: dailyCredits })}</small>
          </div>
        </div>
      ),
    },
    {
      title: t('lastUsed'),
      wide: true,
      cell: ({ lastUsedAt }) => (
        <span class="muted nowrap-text">
          {lastUsedAt === null ? k('never') : formatTime(lastUsedAt)}
        </span>
      ),
    },
    {
      title: k('actions'),
      numeric: true,
      cell: (key) =>
        key.revokedAt === null ? (
          <div class="row">
            <CopyButton text={key.key} label={t('copy')} />
            <button
              type="button"
              aria-label={t('revokeNamed', { name: key.name })}
              onClick={() => onRevoke(key)}
            >
              {t('revoke')}
            </button>
          </div>
        ) : (
          <Pill tone="bad">{t('ended')}</Pill>
        ),
    },
  ]
}
