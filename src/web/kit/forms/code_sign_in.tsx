import type { ComponentChildren } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { limits } from '../../../generated/limits.ts'
import { Failure } from '../../api.ts'
import { texts } from '../../language.ts'
import { Brand } from '../shell/frame.tsx'
import { TextField } from './fields.tsx'
import { FormFault } from './form_fault.tsx'
import { forgetSentCode, rememberSentCode, type SentCode, sentCode } from './sent_code.ts'
import { Toasts } from '../shell/toasts.tsx'
import { useForm } from './use_form.ts'

interface StepsProps {
  /** Shown with the address field: what submitting it does. */
  hint: string
  sendCode: (email: string) => Promise<unknown>
  signIn: (credentials: { email: string; code: string }) => Promise<void>
  /** Where to find the mail. */
  codeHint?: string | undefined
  /** The only address that may sign in, such as that of the session that has ended. */
  onlyEmail?: string
  /** Alternative sign-in, shown beside the first step. */
  children?: ComponentChildren
}

/** The page for signing in with an emailed code. */
export function CodeSignIn({ title, ...steps }: StepsProps & { title: string }) {
  useEffect(() => {
    document.title = `${title} · Vitrine`
  }, [])
  return (
    <main class="front">
      <div class="front-card">
        <Brand />
        <h1>{title}</h1>
        <CodeSteps {...steps} />
      </div>
      <Toasts />
    </main>
  )
}

/**
 * An address, then six digits. The second step survives a reload: phones reload the page when the
 * person comes back from the mail.
 */
export function CodeSteps({ sendCode, signIn, codeHint, onlyEmail, ...first }: StepsProps) {
  const [sent, setSent] = useState<SentCode | undefined>(() => sentCode(onlyEmail))
  const goOn = (next: SentCode) => {
    rememberSentCode(next)
    setSent(next)
  }
  /** Sends a mail, unless one is already on its way: then it only says when another may be sent. */
  const send = async (email: string) => {
    const goOnFor = (seconds: number) => goOn({ email, resendAt: Date.now() + seconds * 1000 })
    try {
      await sendCode(email)
      goOnFor(resendSeconds)
    } catch (error) {
      const wait = secondsToWait(error)
      const isCodeOnItsWay = wait > 0 && wait <= resendSeconds
      if (isCodeOnItsWay || (sent && wait > 0 && wait <= linkSeconds)) goOnFor(wait)
      if (!isCodeOnItsWay) throw error
    }
  }
  const goBack = () => {
    forgetSentCode()
    setSent(undefined)
  }
  if (sent)
    return (
      <CodeStep
        {...{ sent, codeHint, send }}
        signIn={async (credentials) => {
          await signIn(credentials)
          forgetSentCode()
        }}
        {...(onlyEmail === undefined ? { onBack: goBack } : {})}
      />
    )
  return <EmailStep {...first} {...{ send, onlyEmail }} onHaveCode={(email) => goOn({ email })} />
}

/** Seconds until the service sends another code, and another mail with a link alone. */
const resendSeconds = 60
const linkSeconds = 300

/** How long the service refuses another mail; 0 if the error is about something else. */
function secondsToWait(error: unknown): number {
  const isTooEarly = error instanceof Failure && error.code === 'rate_limited'
  return isTooEarly ? (error.retryAfter ?? 0) : 0
}

interface EmailStepProps extends Pick<StepsProps, 'hint' | 'children'> {
  onlyEmail: string | undefined
  send: (email: string) => Promise<void>
  onHaveCode: (email: string) => void
}

function EmailStep({ hint, onlyEmail, send, onHaveCode, children }: EmailStepProps) {
  const t = texts('front')
  const form = useForm({ email: onlyEmail ?? '' })
  const [isMissing, setMissing] = useState(false)
  const email = form.values.email.trim()
  const { onInput, error, ...field } = form.text('email')
  return (
    <form
      noValidate
      class="stack"
      onSubmit={(event) => {
        event.preventDefault()
        void form.save(() => send(email))
      }}
    >
      <p class="muted">{hint}</p>
      <FormFault form={form} />
      <TextField
        {...field}
        label={t('email')}
        type="email"
        autocomplete="email"
        autofocus
        readOnly={onlyEmail !== undefined}
        error={isMissing ? t('emailFirst') : error}
        onInput={(text) => {
          setMissing(false)
          onInput(text)
        }}
      />
      <button type="submit" class="primary" disabled={form.busy}>
        {form.busy ? t('sending') : t('sendCode')}
      </button>
      <button
        type="button"
        class="link"
        onClick={() => (email === '' ? setMissing(true) : onHaveCode(email))}
      >
        {t('haveCode')}
      </button>
      {children}
    </form>
  )
}

interface CodeStepProps extends Pick<StepsProps, 'codeHint' | 'signIn'> {
  sent: SentCode
  send: (email: string) => Promise<void>
  onBack?: () => void
}

function CodeStep({ sent, codeHint, signIn, send, onBack }: CodeStepProps) {
  const t = texts('front')
  const { email } = sent
  const form = useForm({ code: '' })
  const element = useRef<HTMLFormElement>(null)
  useEffect(() => element.current?.querySelector('input')?.focus(), [])
  const submit = () => form.save(({ code }) => signIn({ email, code }))
  const { onInput, error, ...field } = form.text('code')
  const codeError = form.failure?.code === 'code_invalid' ? t('codeInvalid') : error
  return (
    <form
      ref={element}
      noValidate
      class="stack"
      onSubmit={(event) => {
        event.preventDefault()
        void submit()
      }}
    >
      <p class="muted break">
        {t(sent.resendAt === undefined ? 'codeFor' : 'codeSent', { email })}
      </p>
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
          if (digits.length === limits.OneTimeCode.maxLength) void submit()
        }}
      />
      <button type="submit" class="primary" disabled={form.busy}>
        {t('signIn')}
      </button>
      <Resend resendAt={sent.resendAt ?? 0} onSend={() => form.save(() => send(email))} />
      {onBack ? (
        <button type="button" class="link" onClick={onBack}>
          {t('otherAddress')}
        </button>
      ) : null}
    </form>
  )
}

/** Sends the code again, once the service would. */
function Resend({ resendAt, onSend }: { resendAt: number; onSend: () => Promise<boolean> }) {
  const t = texts('front')
  const seconds = useSecondsUntil(resendAt)
  const [isSent, setSent] = useState(false)
  useEffect(() => {
    if (seconds === 0) setSent(false)
  }, [seconds])
  return (
    <>
      <button
        type="button"
        class="link"
        aria-disabled={seconds > 0}
        onClick={() => {
          if (seconds === 0) void onSend().then(setSent)
        }}
      >
        {seconds > 0 ? t('resendIn', { seconds }) : t('resend')}
      </button>
      <span class="hidden" role="status">
        {isSent ? t('sentAgain') : ''}
      </span>
    </>
  )
}

function useSecondsUntil(time: number): number {
  const [now, setNow] = useState(Date.now)
  const seconds = Math.max(0, Math.ceil((time - now) / 1000))
  useEffect(() => {
    setNow(Date.now())
    const interval = setInterval(() => setNow(Date.now()), 1000)
    return () => clearInterval(interval)
  }, [time])
  return seconds
}
