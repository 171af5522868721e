import { useState } from 'preact/hooks'
import { api, ask, type Schemas } from '../../api.ts'
import { ConfirmDialog } from '../../kit/dialog.tsx'
import { Icon } from '../../kit/icons.tsx'
import { Loaded } from '../../kit/states.tsx'
import { Table } from '../../kit/table.tsx'
import { toast } from '../../kit/toasts.tsx'
import { useLoad } from '../../kit/use_load.ts'
import { texts } from '../../language.ts'
import { integrations } from '../../messages/integrations.ts'
import { credentialColumns, revokeColumn } from './credential_columns.tsx'
import { NewKey } from './new_key.tsx'
import { ShownKey } from './shown_key.tsx'

type Key = Schemas['Key']

/** The keys of the account; whoever has none finds the form open. */
export function Keys() {
  const t = texts(integrations)
  const list = useLoad(() => ask(api.GET('/api/keys')), [])
  const [making, setMaking] = useState<boolean | undefined>()
  const [made, setMade] = useState<Schemas['CreatedKey'] | undefined>()
  const [revoking, setRevoking] = useState<Key | undefined>()
  const keys = list.value?.keys
  const isOpen = making ?? keys?.length === 0
  const take = (key: Schemas['CreatedKey']) => {
    setMade(key)
    setMaking(false)
    list.reload()
  }
  return (
    <section class="card" aria-labelledby="keys">
      <header>
        <h2 id="keys">{t('keys')}</h2>
        {isOpen ? null : (
          <button type="button" class="primary" onClick={() => setMaking(true)}>
            <Icon name="plus" />
            {t('newKey')}
          </button>
        )}
      </header>
      {made ? <ShownKey made={made} onDone={() => setMade(undefined)} /> : null}
      {isOpen && !made ? (
        <NewKey onMade={take} {...(keys?.length ? { onCancel: () => setMaking(false) } : {})} />
      ) : null}
      <Loaded load={list}>
        {(value) =>
          value.keys.length === 0 ? (
            <p class="muted">{t('noKeys')}</p>
          ) : (
            <Table caption={t('keys')} columns={columnsFor(setRevoking)} rows={value.keys} />
          )
        }
      </Loaded>
      {revoking ? (
        <RevokeKey target={revoking} onClose={() => setRevoking(undefined)} onDone={list.reload} />
      ) : null}
    </section>
  )
}

function columnsFor(onRevoke: (key: Key) => void) {
  const t = texts(integrations)
  return [
    {
      title: t('name'),
      cell: ({ name, prefix }: Key) => (
        <div class="cell-main">
          <div class="break">
            <b>{name}</b>
            <small>
              <code>{prefix}…</code>
            </small>
          </div>
        </div>
      ),
    },
    ...credentialColumns<Key>(),
    revokeColumn<Key>(({ name }) => name, onRevoke),
  ]
}

interface RevokeProps {
  target: Key
  onClose: () => void
  onDone: () => void
}

function RevokeKey({ target: { id, name }, onClose, onDone }: RevokeProps) {
  const t = texts(integrations)
  const revoke = async () => {
    await ask(api.DELETE('/api/keys/{id}', { params: { path: { id } } }))
    toast(t('revoked', { name }))
    onDone()
  }
  return (
    <ConfirmDialog
      danger
      title={t('revokeNamed', { name })}
      action={t('revoke')}
      onConfirm={revoke}
      onClose={onClose}
    >
      <p>{t('revokeKeyHint')}</p>
    </ConfirmDialog>
  )
}
