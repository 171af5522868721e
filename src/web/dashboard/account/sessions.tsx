import { useState } from 'preact/hooks'
import { api, ask } from '../../api.ts'
import { ConfirmDialog } from '../../kit/shell/dialog.tsx'
import { Pill } from '../../kit/shell/pill.tsx'
import { Loaded } from '../../kit/shell/states.tsx'
import { toast } from '../../kit/shell/toasts.tsx'
import { useLoad } from '../../kit/shell/use_load.ts'
import { formatTime, texts } from '../../language.ts'

/** What people call the browser and its system. */
function deviceText(browser: string | null, system: string | null): string {
  const t = texts('account')
  if (browser !== null && system !== null) return t('browserOn', { browser, system })
  return browser ?? system ?? t('unknownBrowser')
}

/** Where the account is signed in, and a way to sign out of everywhere else. */
export function Sessions() {
  const t = texts('account')
  const [ending, setEnding] = useState(false)
  const list = useLoad(() => ask(api.GET('/api/sessions')), [])
  const others = list.value?.sessions.filter(({ isCurrent }) => !isCurrent).length ?? 0
  const end = async () => {
    const { ended } = await ask(api.DELETE('/api/sessions'))
    toast(t('signedOutElsewhere', { count: ended }))
    list.reload()
  }
  return (
    <section class="card" aria-labelledby="sessions">
      <header>
        <div>
          <h2 id="sessions">{t('sessions')}</h2>
          <p class="hint">{t('sessionsHint')}</p>
        </div>
        {others > 0 ? (
          <button type="button" onClick={() => setEnding(true)}>
            {t('signOutElsewhere')}
          </button>
        ) : null}
      </header>
      <Loaded load={list}>
        {({ sessions }) => (
          <ul class="plain-list">
            {sessions.map(({ id, createdAt, browser, system, isCurrent }) => (
              <li key={id} class="row">
                <span>
                  <b>{deviceText(browser, system)}</b>
                  <small class="muted of-product">
                    {t('signedInAt', { time: formatTime(createdAt) })}
                  </small>
                </span>
                {isCurrent ? <Pill tone="good">{t('thisBrowser')}</Pill> : null}
              </li>
            ))}
          </ul>
        )}
      </Loaded>
      {ending ? (
        <ConfirmDialog
          title={t('signOutElsewhere')}
          action={t('signOutElsewhere')}
          onConfirm={end}
          onClose={() => setEnding(false)}
        >
          <p>{t('signOutElsewhereHint')}</p>
        </ConfirmDialog>
      ) : null}
    </section>
  )
}
