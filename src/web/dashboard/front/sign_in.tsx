import { Link } from 'wouter-preact'
import { api, ask, type Schemas } from '../../api.ts'
import { CodeSignIn } from '../../kit/forms/code_sign_in.tsx'
import { texts } from '../../language.ts'

interface SignInProps {
  config: Schemas['DashboardConfig']
  onSignedIn: (session: Schemas['Session']) => Promise<void>
}

/** Sign-in with an emailed code or through the configured issuer. */
export function SignIn({ config, onSignedIn }: SignInProps) {
  const t = texts('front')
  return (
    <CodeSignIn
      title={t('signIn')}
      hint={t('signInHint')}
      codeHint={config.environment === 'development' ? t('codeInOutbox') : undefined}
      sendCode={(email) => ask(api.POST('/api/session/code', { body: { email } }))}
      signIn={async (body) => onSignedIn(await ask(api.POST('/api/session', { body })))}
    >
      {config.oidcEnabled ? <ProviderLink /> : null}
      <Link class="crumb" href="/contact">
        {t('contact')}
      </Link>
    </CodeSignIn>
  )
}

function ProviderLink() {
  const t = texts('front')
  const returnTo = encodeURIComponent(location.pathname + location.search)
  return (
    <>
      <span class="or">{t('or')}</span>
      <a class="button" href={`/auth/oidc/start?returnTo=${returnTo}`}>
        {t('withProvider')}
      </a>
    </>
  )
}
