import { useEffect, useRef, useState } from 'preact/hooks'
import { api, ask, type Schemas } from '../api.ts'
import { Brand } from '../kit/frame.tsx'
import { TextField } from '../kit/fields.tsx'
import { FormFault } from '../kit/form_page.tsx'
import { Toasts } from '../kit/toasts.tsx'
import { useForm } from '../kit/use_form.ts'
import { texts } from '../language.ts'
import { front } from '../messages/front.ts'

interface SignInProps {
  config: Schemas['DashboardConfig']
  onSignedIn: (session: Schemas['Session']) => void
}

/** Sign-in by a code in a mail, or through the configured issuer. */
export function SignIn({ config, onSignedIn }: SignInProps) {
  const t = texts(front)
  const [email, setEmail] = useState<string | undefined>()
  useEffect(() => {
    document.title = `${t('signIn')} · Vitrine`
  }, [])
  return (
    <main class="front">
      <div class="front-card">
        <Brand />
        <h1>{t('signIn')}</h1>
        {email === undefined ? (
          <EmailStep config={config} onSent={setEmail} />
        ) : (
          <CodeStep {...{ config, email, onSignedIn }} onBack={() => setEmail(undefined)} />
        )}
      </div>
      <Toasts />
    </main>
  )
}

function EmailStep(props: { config: SignInProps['config']; onSent: (email: string) => void }) {
  const t = texts(front)
  const form = useForm({ email: '' })
  const send = async () => {
    const { email } = form.values
    const sent = await form.save(async (body) => {
      await ask(api.POST('/api/session/code', { body }))
    })
    if (sent) props.onSent(email.trim())
  }
  return (
    <form
      noValidate
      class="stack"
      onSubmit={(event) => {
        event.preventDefault()
        void send()
      }}
    >
      <p class="muted">{t('signInHint')}</p>
      <FormFault form={form} />
      <TextField
        {...form.text('email')}
        label={t('email')}
        type="email"
        autocomplete="email"
        autofocus
      />
      <button type="submit" class="primary" disabled={form.busy}>
        {form.busy ? t('sending') : t('sendCode')}
      </button>
      {props.config.oidcEnabled ? <ProviderLink /> : null}
    </form>
  )
}

function ProviderLink() {
  const t = texts(front)
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

interface CodeStepProps extends SignInProps {
  email: string
  onBack: () => void
}

function CodeStep({ config, email, onSignedIn, onBack }: CodeStepProps) {
  const t = texts(front)
  const form = useForm({ code: '' })
  const input = useRef<HTMLFormElement>(null)
  useEffect(() => input.current?.querySelector('input')?.focus(), [])
  const signIn = () =>
    form.save(async ({ code }) => {
      onSignedIn(await ask(api.POST('/api/session', { body: { email, code } })))
    })
  const { onInput, error, ...field } = form.text('code')
  const wrong = form.failure?.code === 'code_invalid' ? t('codeInvalid') : error
  return (
    <form
      ref={input}
      noValidate
      class="stack"
      onSubmit={(event) => {
        event.preventDefault()
        void signIn()
      }}
    >
      <p class="muted">{t('codeSent', { email })}</p>
      {wrong === undefined ? <FormFault form={form} /> : null}
      <TextField
        {...field}
        label={t('code')}
        error={wrong}
        hint={config.environment === 'development' ? t('codeInOutbox') : undefined}
        inputMode="numeric"
        autocomplete="one-time-code"
        maxLength={6}
        onInput={(text) => {
          const digits = text.replace(/\D/g, '')
          onInput(digits)
          // Six digits say all there is to say.
          if (digits.length === 6) void signIn()
        }}
      />
      <button type="submit" class="primary" disabled={form.busy}>
        {t('signIn')}
      </button>
      <button type="button" class="link" onClick={onBack}>
        {t('otherAddress')}
      </button>
    </form>
  )
}
