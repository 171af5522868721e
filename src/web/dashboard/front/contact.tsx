import { useEffect, useState } from 'preact/hooks'
import { Link, useSearch } from 'wouter-preact'
import { limits } from '../../../generated/limits.ts'
import { api, ask, type Schemas } from '../../api.ts'
import { Brand } from '../../kit/shell/frame.tsx'
import { TextArea, TextField } from '../../kit/forms/fields.tsx'
import { FormFault } from '../../kit/forms/form_fault.tsx'
import { useForm } from '../../kit/forms/use_form.ts'
import { texts } from '../../language.ts'
import { solvedChallenge } from '../solved_challenge.ts'

interface ContactProps {
  config: Schemas['DashboardConfig']
  /** If signed in, prefills name and email. */
  account: Schemas['Account'] | undefined
}

/** Public contact form to the staff. */
export function ContactPage({ config, account }: ContactProps) {
  const [t, f] = [texts('contact'), texts('front')]
  const [isSent, setSent] = useState(false)
  useEffect(() => {
    document.title = `${f('contact')} · Vitrine`
  }, [])
  return (
    <main class="front">
      <div class="front-card">
        <Brand />
        <h1>{f('contact')}</h1>
        {isSent ? (
          <div class="stack" role="status">
            <p class="banner good">{t('sent')}</p>
            <p class="muted">{t('sentHint')}</p>
          </div>
        ) : (
          <Letter {...{ config, account }} onSent={() => setSent(true)} />
        )}
        <Link class="crumb" href="/">
          {t('back')}
        </Link>
      </div>
    </main>
  )
}

function Letter({ config, account, onSent }: ContactProps & { onSent: () => void }) {
  const [t, f] = [texts('contact'), texts('front')]
  const form = useForm({
    name: account?.name ?? '',
    email: account?.email ?? '',
    // A page may have written the request.
    message: new URLSearchParams(useSearch()).get('message') ?? '',
  })
  const send = async () => {
    const isSent = await form.save(async (values) => {
      const challengeToken = (await solvedChallenge(config.challengeSiteKey, 'contact')) ?? ''
      await ask(api.POST('/api/contact', { body: { ...values, challengeToken } }))
    })
    if (isSent) onSent()
  }
  const isPending = form.failure?.code === 'contact_pending'
  return (
    <form
      noValidate
      class="stack"
      onSubmit={(event) => {
        event.preventDefault()
        void send()
      }}
    >
      <p class="muted">{t('about')}</p>
      {isPending ? (
        <p class="banner bad" role="alert">
          {t('pending')}
        </p>
      ) : (
        <FormFault form={form} />
      )}
      <TextField {...form.text('name')} label={f('name')} autocomplete="name" />
      <TextField {...form.text('email')} label={f('email')} type="email" autocomplete="email" />
      <TextArea
        {...form.text('message')}
        label={t('message')}
        hint={t('messageHint', limits.ContactMessage.message)}
        rows={6}
      />
      <button type="submit" class="primary" disabled={form.busy}>
        {form.busy ? f('sending') : t('send')}
      </button>
    </form>
  )
}
