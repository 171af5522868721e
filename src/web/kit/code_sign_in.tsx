import type { ComponentChildren } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { limits } from '../../generated/limits.ts'
import { texts } from '../language.ts'
import { Brand } from './frame.tsx'
import { TextField } from './fields.tsx'
import { FormFault } from './form_page.tsx'
import { Toasts } from './toasts.tsx'
import { useForm } from './use_form.ts'

interface CodeSignInProps {
  title: string
  /** Shown with the address field: what submitting it does. */
  hint: string
  sendCode: (email: string) => Promise<unknown>
  signIn: (credentials: { email: string; code: string }) => Promise<void>
  /** Where to find the mail. */
  codeHint?: string | undefined
  /** Alternative sign-in, shown beside the first step. */
  children?: ComponentChildren
}

/** Sign-in with an emailed code: an address, then six digits. */
export function CodeSignIn({ title, hint, sendCode, signIn, codeHint, children }: CodeSignInProps) {
  const [email, setEmail] = useState<string | undefined>()
  useEffect(() => {
    document.title = `${title} · Vitrine`
  }, [])
  return (
    <main class="front">
      <div class="front-card">
        <Brand />
        <h1>{title}</h1>
        {email === undefined ? (
          <EmailStep {...{ hint, sendCode }} onSent={setEmail}>
            {children}
          </EmailStep>
        ) : (
          <CodeStep {...{ email, codeHint, signIn }} onBack={() => setEmail(undefined)} />
        )}
      </div>
      <Toasts />
    </main>
  )
}

interface EmailStepProps extends Pick<CodeSignInProps, 'hint' | 'sendCode' | 'children'> {
  onSent: (email: string) => void
}

function EmailStep({ hint, sendCode, onSent, children }: EmailStepProps) {
  const t = texts('front')
  const form = useForm({ email: '' })
  const send = async () => {
    const { email } = form.values
    const isSent = await form.save(async () => {
      await sendCode(email)
    })
    if (isSent) onSent(email.trim())
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
      <p class="muted">{hint}</p>
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
      {children}
    </form>
  )
}

interface CodeStepProps extends Pick<CodeSignInProps, 'codeHint' | 'signIn'> {
  email: string
  onBack: () => void
}

function CodeStep({ email, codeHint, signIn, onBack }: CodeStepProps) {
  const t = texts('front')
  const form = useForm({ code: '' })
  const input = useRef<HTMLFormElement>(null)
  useEffect(() => input.current?.querySelector('input')?.focus(), [])
  const send = () => form.save(({ code }) => signIn({ email, code }))
  const { onInput, error, ...field } = form.text('code')
  const codeError = form.failure?.code === 'code_invalid' ? t('codeInvalid') : error
  return (
    <form
      ref={input}
      noValidate
      class="stack"
      onSubmit={(event) => {
        event.preventDefault()
        void send()
      }}
    >
      <p class="muted">{t('codeSent', { email })}</p>
      {codeError === undefined ? <FormFault form={form} /> : null}
      <TextField
        {...field}
        label={t('code')}
        error={codeError}
        hint={codeHint}
        inputMode="numeric"
        autocomplete="one-time-code"
        limit={limits.OneTimeCode}
        onInput={(text) => {
          const digits = text.replace(/\D/g, '')
          onInput(digits)
          // Submit once all digits are entered.
          if (digits.length === limits.OneTimeCode.maxLength) void send()
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
