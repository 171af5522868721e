import { useState } from 'preact/hooks'
import { Link } from 'wouter-preact'
import { limits } from '../../../generated/limits.ts'
import { api, ask, askTagged, type Schemas, type Tagged } from '../../api.ts'
import { CheckField, TextArea, TextField } from '../../kit/forms/fields.tsx'
import { Page } from '../../kit/shell/page.tsx'
import { callingCodeOf, PhoneField } from '../../kit/forms/phone_field.tsx'
import { Loaded } from '../../kit/shell/states.tsx'
import { StoredForm } from '../../kit/forms/stored_form.tsx'
import { toastFailure } from '../../kit/shell/toasts.tsx'
import type { Form } from '../../kit/forms/use_form.ts'
import { useLoad } from '../../kit/shell/use_load.ts'
import { texts } from '../../language.ts'
import { useSession, useWorkspace } from '../../session.ts'
import { useLastChange } from '../activity/last_change.ts'
import { HistoryLink } from '../activity/history_link.tsx'
import { TimeZone } from './time_zone.tsx'

type Workspace = Schemas['Workspace']

interface ProfileValues {
  name: string
  subDomain: string
  isVisible: boolean
  billingEmail: string
  billingEmailCode: string
  billingPhone: string
  mainAgentPrompt: string
}

function valuesOf(workspace: Workspace): ProfileValues {
  const { name, subDomain, isVisible, billingEmail, mainAgentPrompt } = workspace
  return {
    name,
    subDomain,
    isVisible,
    billingEmail,
    mainAgentPrompt,
    billingEmailCode: '',
    billingPhone: workspace.billingPhone ?? '',
  }
}

/**
 * Sends only changed fields: an unchanged subdomain is not a change, and an unchanged billing email
 * needs no code. The country code of the phone follows from its number.
 */
function changesOf(values: ProfileValues, workspace: Workspace): Schemas['WorkspaceUpdate'] {
  const before = valuesOf(workspace)
  const changes = Object.entries(values).filter(
    ([key, value]) => value !== before[key as keyof ProfileValues],
  )
  const entries = changes.map(([key, value]) => [
    key,
    value === '' && key.startsWith('billing') ? null : (value as string | boolean),
  ])
  if (values.billingPhone !== before.billingPhone)
    entries.push(['billingGsmCountryCode', callingCodeOf(values.billingPhone)])
  return Object.fromEntries(entries) as Schemas['WorkspaceUpdate']
}

export function ProfilePage() {
  const { workspaceId, timeZone } = useWorkspace()
  const t = texts('business')
  const params = { path: { workspaceId } }
  const read = () => askTagged(api.GET('/v1/workspaces/{workspaceId}/workspace', { params }))
  const load = useLoad<Tagged<Workspace>>(read, [workspaceId])
  return (
    <Page
      narrow
      title={t('profile')}
      about={t('profileAbout')}
      actions={<HistoryLink of={{ topic: 'workspace' }} />}
    >
      <Loaded load={load}>
        {(tagged) => (
          <>
            <ProfileForm tagged={tagged} read={read} onRead={load.set} />
            <TimeZone key={timeZone} />
            <DeleteRequest workspace={tagged.value} />
          </>
        )}
      </Loaded>
    </Page>
  )
}

/** Only staff delete a workspace: the request is written for the owner. */
function DeleteRequest({ workspace: { name, id } }: { workspace: Workspace }) {
  const t = texts('business')
  const message = t('deleteMessage', { name, id })
  return (
    <section class="card" aria-labelledby="delete-workspace">
      <h2 id="delete-workspace">{t('deleteWorkspace')}</h2>
      <p class="muted">{t('deleteWorkspaceHint')}</p>
      <div>
        <Link class="button" href={`/contact?${new URLSearchParams({ message }).toString()}`}>
          {t('requestDeletion')}
        </Link>
      </div>
    </section>
  )
}

interface ProfileFormProps {
  tagged: Tagged<Workspace>
  read: () => Promise<Tagged<Workspace>>
  onRead: (tagged: Tagged<Workspace>) => void
}

function ProfileForm({ tagged, read, onRead }: ProfileFormProps) {
  const { workspaceId } = useWorkspace()
  const { refresh } = useSession()
  const path = { workspaceId }
  const changedBy = useLastChange({ topic: 'workspace' })
  return (
    <StoredForm
      changedBy={changedBy}
      draft="profile"
      resource={tagged}
      {...{ read, onRead }}
      valuesOf={({ value }) => valuesOf(value)}
      write={async (values, header, stored) => {
        const body = changesOf(values, stored.value)
        const params = { path, header }
        await ask(api.PUT('/v1/workspaces/{workspaceId}/workspace', { params, body }))
        await refresh()
      }}
    >
      {(form) => <ProfileFields form={form} current={tagged.value.billingEmail} />}
    </StoredForm>
  )
}

function ProfileFields({ form, current }: { form: Form<ProfileValues>; current: string }) {
  const t = texts('business')
  return (
    <>
      <section class="card">
        <h2>{t('general')}</h2>
        <TextField {...form.text('name')} label={t('name')} limit={limits.WorkspaceUpdate.name} />
        <TextField
          {...form.text('subDomain')}
          label={t('subDomain')}
          hint={t('subDomainHint')}
          limit={limits.WorkspaceUpdate.subDomain}
        />
        <CheckField
          name="isVisible"
          label={t('isVisible')}
          hint={t('isVisibleHint')}
          checked={form.values.isVisible}
          onChange={(isVisible) => form.set('isVisible', isVisible)}
        />
      </section>
      <Billing form={form} current={current} />
      <section class="card">
        <TextArea
          {...form.text('mainAgentPrompt')}
          label={t('agent')}
          hint={t('agentHint')}
          rows={8}
        />
      </section>
    </>
  )
}

function Billing({ form, current }: { form: Form<ProfileValues>; current: string }) {
  const { workspaceId } = useWorkspace()
  const t = texts('business')
  const [sentTo, setSentTo] = useState<string | undefined>()
  const { billingEmail } = form.values
  const isNew = billingEmail.trim() !== current
  const sendCode = () => {
    const params = { path: { workspaceId } }
    const body = { email: billingEmail }
    ask(api.POST('/api/workspaces/{workspaceId}/billing-email/code', { params, body })).then(
      () => setSentTo(billingEmail),
      toastFailure,
    )
  }
  return (
    <section class="card">
      <h2>{t('billing')}</h2>
      <TextField
        {...form.text('billingEmail')}
        label={t('billingEmail')}
        hint={t('billingEmailHint')}
        type="email"
      />
      {isNew ? (
        <div class="row">
          <button type="button" onClick={sendCode}>
            {t('sendCode')}
          </button>
          <span class="muted" role="status">
            {sentTo === billingEmail ? t('codeSent', { email: sentTo }) : ''}
          </span>
        </div>
      ) : null}
      {isNew ? (
        <TextField
          {...form.text('billingEmailCode')}
          label={t('code')}
          inputMode="numeric"
          autocomplete="one-time-code"
          limit={limits.WorkspaceUpdate.billingEmailCode}
        />
      ) : null}
      <PhoneField {...form.text('billingPhone')} label={t('billingPhone')} optional />
    </section>
  )
}
