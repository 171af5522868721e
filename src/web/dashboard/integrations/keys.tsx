import { useRef, useState } from 'preact/hooks'
import { api, ask, type Schemas } from '../../api.ts'
import { Icon } from '../../kit/shell/icons.tsx'
import { Paged } from '../../kit/lists/list_tools.tsx'
import { Loaded } from '../../kit/shell/states.tsx'
import { useLoad } from '../../kit/shell/use_load.ts'
import { useQuery } from '../../kit/lists/use_query.ts'
import { texts } from '../../language.ts'
import { Credentials } from './credentials.tsx'
import { NewKey } from './new_key.tsx'
import { ShownKey } from './shown_key.tsx'

/** The account's keys; with none, the form is open. */
export function Keys() {
  const t = texts('integrations')
  const [{ page }, change] = useQuery({ page: '1' })
  const query = { page: Number(page), pageSize: 25 }
  const list = useLoad((signal) => ask(api.GET('/api/keys', { signal, params: { query } })), [page])
  const [creating, setCreating] = useState<boolean | undefined>()
  const [created, setCreated] = useState<Schemas['CreatedKey'] | undefined>()
  const heading = useRef<HTMLHeadingElement>(null)
  const total = list.value?.pagination.total
  const isOpen = creating ?? total === 0
  const showKey = (key: Schemas['CreatedKey']) => {
    setCreated(key)
    setCreating(false)
    // The new key is on the first page.
    if (page === '1') list.reload()
    else change({ page: '1' })
  }
  const close = () => {
    setCreated(undefined)
    setCreating(false)
    heading.current?.focus()
  }
  return (
    <section class="card" aria-labelledby="keys">
      <header>
        <h2 id="keys" tabIndex={-1} ref={heading}>
          {t('keys')}
        </h2>
        {isOpen ? null : (
          <button type="button" class="primary" onClick={() => setCreating(true)}>
            <Icon name="plus" />
            {t('newKey')}
          </button>
        )}
      </header>
      {created ? <ShownKey createdKey={created} onDone={close} /> : null}
      {isOpen && !created ? (
        <NewKey onCreated={showKey} {...(total ? { onCancel: close } : {})} />
      ) : null}
      <Loaded load={list}>
        {({ keys, pagination }) => (
          <Paged
            pagination={pagination}
            onPage={(next) => change({ page: next })}
            none={<p class="muted">{t('noKeys')}</p>}
          >
            <Credentials
              caption={t('keys')}
              title={t('name')}
              credentials={keys}
              nameOf={({ name }) => name}
              markOf={({ prefix }) => <code>{prefix}…</code>}
              revokeHint={t('revokeKeyHint')}
              revoke={(id) => ask(api.DELETE('/api/keys/{id}', { params: { path: { id } } }))}
              onRevoked={list.reload}
            />
          </Paged>
        )}
      </Loaded>
    </section>
  )
}
