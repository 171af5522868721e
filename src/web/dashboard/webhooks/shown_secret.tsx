import { useEffect, useRef } from 'preact/hooks'
import { CopyButton } from '../../kit/shell/copy.tsx'
import { texts } from '../../language.ts'

/** The secret of a webhook, shown only once. */
export function ShownSecret({ secret, onDone }: { secret: string; onDone: () => void }) {
  const t = texts('webhooks')
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => heading.current?.focus(), [])
  return (
    <div class="banner good shown-key">
      <h2 ref={heading} tabIndex={-1}>
        {t('secretOnce')}
      </h2>
      <p>{t('secretHint')}</p>
      <pre tabIndex={0} aria-label={t('secret')}>
        {secret}
      </pre>
      <div class="row">
        <CopyButton text={secret} label={t('copySecret')} />
        <button type="button" onClick={onDone}>
          {t('done')}
        </button>
      </div>
    </div>
  )
}
