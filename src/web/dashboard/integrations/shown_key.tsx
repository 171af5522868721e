import { useEffect, useRef, useState } from 'preact/hooks'
import type { Schemas } from '../../api.ts'
import { CopyButton } from '../../kit/shell/copy.tsx'
import { toastFailure } from '../../kit/shell/toasts.tsx'
import { texts } from '../../language.ts'
import { apiOrigin } from '../../session.ts'

interface ShownKeyProps {
  createdKey: Schemas['CreatedKey']
  onDone: () => void
}

interface FirstCall {
  status: number
  body: string
}

/** A first call that the key's scopes allow, so that it succeeds. */
function firstCallPath({ scopes }: Schemas['CreatedKey']): string {
  return scopes.includes('workspaces:read') ? '/v1/workspaces' : '/v1/openapi.json'
}

/** The secret of a new key, shown only once. */
export function ShownKey({ createdKey, onDone }: ShownKeyProps) {
  const t = texts('integrations')
  const [call, setCall] = useState<FirstCall | undefined>()
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => heading.current?.focus(), [])
  const url = apiOrigin() + firstCallPath(createdKey)
  const tryIt = () => {
    fetch(url, { headers: { Authorization: `Bearer ${createdKey.key}` }, credentials: 'omit' })
      .then(async (response) => {
        const body = JSON.stringify(await response.json(), null, 2)
        setCall({ status: response.status, body: body.slice(0, 2000) })
      })
      .catch(toastFailure)
  }
  return (
    <div class="banner good shown-key">
      <h3 ref={heading} tabIndex={-1}>
        {t('shownOnce')}
      </h3>
      <p>{t('shownOnceHint')}</p>
      <pre tabIndex={0} aria-label={createdKey.name}>
        {createdKey.key}
      </pre>
      <div class="row">
        <CopyButton text={createdKey.key} label={t('copyKey')} />
        <button type="button" onClick={tryIt}>
          {t('tryIt')}
        </button>
        <button type="button" onClick={onDone}>
          {t('done')}
        </button>
      </div>
      <p>{t('tryItHint')}</p>
      <pre tabIndex={0} aria-label="curl">
        curl -H 'Authorization: Bearer {createdKey.key}' {url}
      </pre>
      <div role="status">
        {call ? (
          <>
            <p>{t('answered', { status: call.status })}</p>
            <pre tabIndex={0} aria-label="JSON">
              {call.body}
            </pre>
          </>
        ) : null}
      </div>
    </div>
  )
}
