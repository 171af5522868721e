import { useState } from 'preact/hooks'
import { Link, useLocation } from 'wouter-preact'
import { limits } from '../../../generated/limits.ts'
import { api, ask, type Schemas } from '../../api.ts'
import { TextField } from '../../kit/forms/fields.tsx'
import { FormPage } from '../../kit/forms/form_page.tsx'
import { PhoneField } from '../../kit/forms/phone_field.tsx'
import { Page } from '../../kit/shell/page.tsx'
import { Loaded } from '../../kit/shell/states.tsx'
import { forgetUnsaved } from '../../kit/forms/unsaved.ts'
import { useForm } from '../../kit/forms/use_form.ts'
import { useLoad } from '../../kit/shell/use_load.ts'
import { texts } from '../../language.ts'
import { homeOf, useSession } from '../../session.ts'
import { ownTimeZone } from '../../time.ts'
import { saveTimeZone } from '../profile/zones.ts'
import { templateTexts } from '../template_texts.ts'

/** Creates a workspace, or joins one by invitation. */
export function NewWorkspacePage() {
  const t = texts('front')
  const load = useLoad(
    () => Promise.all([ask(api.GET('/v1/templates')), ask(api.GET('/v1/workspaces'))]),
    [],
  )
  return (
    <Page narrow title={t('newWorkspace')} about={t('newWorkspaceHint')}>
      <Loaded load={load}>
        {([
          { templates },
          {
            creationPolicy: { canCreate, owned, limit },
          },
        ]) =>
          canCreate ? (
            <CreateForm templates={templates} />
          ) : (
            <p class="banner info">
              {t('limitReached', { owned, count: limit })}{' '}
              <Link href="/contact">{t('contact')}</Link>
            </p>
          )
        }
      </Loaded>
    </Page>
  )
}

interface WorkspaceValues {
  name: string
  subDomain: string
  templateKey: string
  phone: string
}

function CreateForm({ templates }: { templates: Schemas['Template'][] }) {
  const t = texts('front')
  const { refresh } = useSession()
  const [, navigate] = useLocation()
  const [ownSubDomain, setOwnSubDomain] = useState(false)
  const [first] = templates
  const form = useForm<WorkspaceValues>({
    name: '',
    subDomain: '',
    phone: '',
    templateKey: first?.key ?? '',
  })
  const { values, set } = form
  const needsPhone = templates.some(
    ({ key, requiresPhone }) => key === values.templateKey && requiresPhone,
  )
  const write = async ({ phone, ...rest }: WorkspaceValues) => {
    // Only what is shown is sent.
    const body = needsPhone && phone !== '' ? { ...rest, phone } : rest
    const { id } = await ask(api.POST('/v1/workspaces', { body }))
    // A shop is mostly where its owner is; the profile says it, and changes it.
    await saveTimeZone(id, ownTimeZone()).catch(() => undefined)
    await refresh()
    forgetUnsaved()
    navigate(homeOf({ workspaceId: id }))
  }
  const name = form.text('name')
  const subDomain = form.text('subDomain')
  return (
    <FormPage
      form={form}
      draft="workspace"
      write={write}
      saveUnchanged
      saveLabel={t('create')}
      savedText={t('created')}
    >
      <section class="card">
        <TextField
          {...name}
          label={t('name')}
          autofocus
          limit={limits.WorkspaceCreate.name}
          onInput={(text) => {
            name.onInput(text)
            if (!ownSubDomain) set('subDomain', subDomainFrom(text))
          }}
        />
        <TextField
          {...subDomain}
          label={t('subDomain')}
          hint={t('subDomainHint', limits.WorkspaceCreate.subDomain)}
          limit={limits.WorkspaceCreate.subDomain}
          onInput={(text) => {
            setOwnSubDomain(text !== '')
            subDomain.onInput(text)
          }}
        />
        <Templates
          templates={templates}
          selectedKey={values.templateKey}
          onSelect={(key) => set('templateKey', key)}
        />
        {needsPhone ? <PhoneField {...form.text('phone')} label={t('phone')} /> : null}
      </section>
    </FormPage>
  )
}

/**
 * Derives a subdomain from the name. Non-Latin letters are dropped: the owner types one instead.
 */
function subDomainFrom(name: string): string {
  return name
    .toLocaleLowerCase('en')
    .normalize('NFKD')
    .replaceAll('ı', 'i')
    .replace(/\p{M}/gu, '')
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, limits.WorkspaceCreate.subDomain.maxLength)
    .replace(/^-+|-+$/g, '')
}

interface TemplatesProps {
  templates: Schemas['Template'][]
  selectedKey: string
  onSelect: (key: string) => void
}

function Templates({ templates, selectedKey, onSelect }: TemplatesProps) {
  const t = texts('front')
  return (
    <fieldset class="stack">
      <legend>{t('template')}</legend>
      <div class="choices">
        {templates.map((template) => (
          <label key={template.key} class="choice">
            <input
              type="radio"
              name="templateKey"
              value={template.key}
              checked={template.key === selectedKey}
              onChange={() => onSelect(template.key)}
            />
            <span>
              <b>{templateTexts(template).name}</b>
              <small>{templateTexts(template).description}</small>
            </span>
          </label>
        ))}
      </div>
    </fieldset>
  )
}
