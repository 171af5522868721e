import { useRef, useState } from 'preact/hooks'
import { api, ask, type Schemas } from '../../api.ts'
import { Icon } from '../../kit/icons.tsx'
import { Loaded } from '../../kit/states.tsx'
import { useLoad } from '../../kit/use_load.ts'
import { texts } from '../../language.ts'
import { Credentials } from './credentials.tsx'
import { NewKey } from './new_key.tsx'
import { ShownKey } from './shown_key.tsx'

/** The account's keys; with none, the form is open. */
export function Keys() {
  const t = texts('integrations')
  const list = useLoad(() => ask(api.GET('/api/keys')), [])
  const [creating, setCreating] = useState<boolean | undefined>()
  const [created, setCreated] = useState<Schemas['CreatedKey'] | undefined>()
  const heading = useRef<HTMLHeadingElement>(null)
  const keys = list.value?.keys
  const isOpen = creating ?? keys?.length === 0
  const showKey = (key: Schemas['CreatedKey']) => {
    setCreated(key)
    setCreating(false)
    list.reload()
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
        <NewKey onCreated={showKey} {...(keys?.length ? { onCancel: close } : {})} />
      ) : null}
      <Loaded load={list}>
        {(value) =>
          value.keys.length === 0 ? (
            <p class="muted">{t('noKeys')}</p>
          ) : (
            <Credentials
              caption={t('keys')}
              title={t('name')}
              credentials={value.keys}
              nameOf={({ name }) => name}
              markOf={({ prefix }) => <code>{prefix}…</code>}
              revokeHint={t('revokeKeyHint')}
              revoke={(id) => ask(api.DELETE('/api/keys/{id}', { params: { path: { id } } }))}
              onRevoked={list.reload}
            />
          )
        }
      </Loaded>
    </section>
  )
}
