import { useState } from 'preact/hooks'
import { limits } from '../../../generated/limits.ts'
import { api, ask, type Schemas } from '../../api.ts'
import { TextField } from '../../kit/forms/fields.tsx'
import { SelectField } from '../../kit/forms/select.tsx'
import { FormFault } from '../../kit/forms/form_fault.tsx'
import { FormPage } from '../../kit/forms/form_page.tsx'
import { PhoneField } from '../../kit/forms/phone_field.tsx'
import { Page } from '../../kit/shell/page.tsx'
import { toast } from '../../kit/shell/toasts.tsx'
import { forgetUnsaved } from '../../kit/forms/unsaved.ts'
import { useForm } from '../../kit/forms/use_form.ts'
import { type Language, languages } from '../../../texts/languages.ts'
import { language, texts } from '../../language.ts'
import { useSession } from '../../session.ts'
import { Sessions } from './sessions.tsx'

/** Each language in its own language, for readers who know no other. */
const languageChoices = languages.map((value) => ({
  value,
  label: new Intl.DisplayNames(value, { type: 'language' }).of(value) ?? value,
}))

export function AccountPage() {
  const t = texts('account')
  return (
    <Page narrow title={t('title')} about={t('about')}>
      <ProfileForm />
      <EmailChange />
      <Sessions />
    </Page>
  )
}

interface AccountValues {
  name: string
  phone: string
  language: Language
}

function ProfileForm() {
  const t = texts('account')
  const { session, refresh } = useSession()
  const { name, phone } = session.account
  const form = useForm<AccountValues>({ name, phone: phone ?? '', language: language() })
  const write = async (values: AccountValues) => {
    const body = { ...values, phone: values.phone.trim() === '' ? null : values.phone.trim() }
    await ask(api.PUT('/api/account', { body }))
    // A new language redraws every page, including this one.
    forgetUnsaved()
    await refresh()
  }
  return (
    <section class="card">
      <FormPage form={form} draft="account" write={write}>
        <TextField
          {...form.text('name')}
          label={t('name')}
          autocomplete="name"
          limit={limits.AccountUpdate.name}
        />
        <PhoneField {...form.text('phone')} label={t('phone')} optional />
        <SelectField
          name="language"
          label={t('language')}
          hint={t('languageHint')}
          value={form.values.language}
          error={form.errors['language']}
          choices={languageChoices}
          onChange={(value) => form.set('language', value)}
        />
      </FormPage>
    </section>
  )
}

/** The new address takes effect once its code is entered. */
function EmailChange() {
  const t = texts('account')
  const { session, refresh } = useSession()
  const [sentTo, setSentTo] = useState<string | undefined>()
  const form = useForm<Schemas['EmailCode']>({ email: '', code: '' })
  const step = () =>
    form.save(async ({ email, code }) => {
      if (sentTo !== email) {
        await ask(api.POST('/api/account/email/code', { body: { email } }))
        setSentTo(email)
        return
      }
      await ask(api.PUT('/api/account/email', { body: { email, code } }))
      setSentTo(undefined)
      form.reset({ email: '', code: '' })
      await refresh()
      toast(t('changed'))
    })
  const isSent = sentTo !== undefined && sentTo === form.values.email
  return (
    <form
      noValidate
      class="card"
      aria-labelledby="email-change"
      onSubmit={(event) => {
        event.preventDefault()
        void step()
      }}
    >
      <div>
        <h2 id="email-change">{t('emailTitle')}</h2>
        <p class="hint">{t('emailHint', { email: session.account.email })}</p>
      </div>
      <FormFault form={form} />
      <TextField {...form.text('email')} label={t('newEmail')} type="email" autocomplete="email" />
      {isSent ? (
        <TextField
          {...form.text('code')}
          label={t('code')}
          hint={t('codeSent', { email: sentTo })}
          autofocus
          inputMode="numeric"
          autocomplete="one-time-code"
          limit={limits.OneTimeCode}
        />
      ) : null}
      <div class="actions">
        <button type="submit" disabled={form.busy || form.values.email.trim() === ''}>
          {isSent ? t('changeEmail') : t('sendCode')}
        </button>
      </div>
    </form>
  )
}
