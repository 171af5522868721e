import * as enums from '../../../generated/enums.ts'
import { limits } from '../../../generated/limits.ts'
import { Link } from 'wouter-preact'
import { api, ask, type Schemas } from '../../api.ts'
import { CheckField, ColorField, TextArea, TextField } from '../../kit/forms/fields.tsx'
import { SelectField } from '../../kit/forms/select.tsx'
import { linesOf } from '../../kit/forms/addresses.ts'
import type { Form } from '../../kit/forms/use_form.ts'
import { useLoad } from '../../kit/shell/use_load.ts'
import { texts } from '../../language.ts'
import { useWorkspace } from '../../session.ts'
import { templateTexts } from '../template_texts.ts'
import { PictureField } from '../media/picture_field.tsx'
import type { WebsiteValues } from './values.ts'

type WebsiteForm = Form<WebsiteValues>

const fonts = ['Inter', 'Playfair Display', 'Work Sans', 'Georgia', 'system-ui']

export function Look(props: { form: WebsiteForm; templates: Schemas['Template'][] }) {
  const { form, templates } = props
  const t = texts('website')
  const font = form.values['theme.font']
  const fontChoices = fonts.includes(font) ? fonts : [font, ...fonts]
  return (
    <section class="card">
      <h2>{t('look')}</h2>
      <SelectField
        name="templateKey"
        label={t('template')}
        value={form.values.templateKey}
        error={form.errors['templateKey']}
        choices={templates.map((one) => ({ value: one.key, label: templateTexts(one).name }))}
        onChange={(key) => form.set('templateKey', key)}
      />
      <div class="pair">
        <ColorField {...form.text('theme.primaryColor')} label={t('primaryColor')} />
        <ColorField {...form.text('theme.accentColor')} label={t('accentColor')} />
      </div>
      <SelectField
        name="theme.font"
        label={t('font')}
        value={font}
        error={form.errors['theme.font']}
        choices={fontChoices.map((value) => ({ value, label: value }))}
        onChange={(value) => form.set('theme.font', value)}
      />
      <PictureField
        field="logo"
        label={t('logo')}
        image={form.values.logo}
        error={form.errors['logoImageId']}
        onChange={(logo) => form.set('logo', logo)}
      />
    </section>
  )
}

export function Texts({ form }: { form: WebsiteForm }) {
  const t = texts('website')
  return (
    <section class="card">
      <h2>{t('texts')}</h2>
      <SelectField
        name="language"
        label={t('language')}
        value={form.values.language}
        error={form.errors['language']}
        choices={enums.SiteLanguage.map((value) => ({ value, label: t(`language.${value}`) }))}
        onChange={(language) => form.set('language', language)}
      />
      <TextField
        {...form.text('headline')}
        label={t('headline')}
        limit={limits.WebsiteUpdate.headline}
      />
      <TextField
        {...form.text('tagline')}
        label={t('tagline')}
        limit={limits.WebsiteUpdate.tagline}
      />
      <TextArea {...form.text('about')} label={t('aboutText')} rows={5} />
      <TextField {...form.text('contactEmail')} label={t('contactEmail')} type="email" optional />
      <TextArea
        {...form.text('socialLinks')}
        label={t('socialLinks')}
        hint={t('socialLinksHint')}
        error={firstErrorOf(form, 'socialLinks')}
        rows={3}
      />
    </section>
  )
}

/** Each line of the field is a list item to the service, with its own error, which quotes the line. */
function firstErrorOf(
  { errors, values }: WebsiteForm,
  name: 'socialLinks' | 'embedOrigins',
): string | undefined {
  const [key, error] =
    Object.entries(errors).find(([path]) => path === name || path.startsWith(`${name}.`)) ?? []
  if (key === undefined || error === undefined || key === name) return error
  const line = linesOf(values[name])[Number(key.slice(name.length + 1))]
  return line === undefined ? error : texts('website')('lineError', { line, error })
}

export function SearchEngines({ form }: { form: WebsiteForm }) {
  const t = texts('website')
  return (
    <section class="card">
      <h2>{t('seo')}</h2>
      <TextField
        {...form.text('seo.title')}
        label={t('seoTitle')}
        limit={limits.WebsiteUpdate.seo.title}
      />
      <TextArea {...form.text('seo.description')} label={t('seoDescription')} rows={3} />
    </section>
  )
}

/** Where the workspace is closed, what is chosen here lets no visitor in. */
function ClosedNow() {
  const { workspaceId } = useWorkspace()
  const t = texts('website')
  const params = { path: { workspaceId } }
  const load = useLoad(
    (signal) => ask(api.GET('/v1/workspaces/{workspaceId}/workspace', { signal, params })),
    [workspaceId],
  )
  if (load.value?.isVisible !== false) return null
  return (
    <p class="banner warning">
      {t('closedNow')} <Link href={`/w/${workspaceId}/profile`}>{t('openInProfile')}</Link>
    </p>
  )
}

export function Access({ form }: { form: WebsiteForm }) {
  const t = texts('website')
  const { values, errors, set } = form
  return (
    <section class="card">
      <h2>{t('access')}</h2>
      <ClosedNow />
      <div class="pair">
        <SelectField
          name="accessPolicy.visibility"
          label={t('visibility')}
          hint={t('visibilityHint')}
          value={values['accessPolicy.visibility']}
          error={errors['accessPolicy.visibility']}
          choices={enums.Visibility.map((value) => ({ value, label: t(`visibility.${value}`) }))}
          onChange={(visibility) => set('accessPolicy.visibility', visibility)}
        />
        <SelectField
          name="accessPolicy.challenge"
          label={t('challenge')}
          value={values['accessPolicy.challenge']}
          error={errors['accessPolicy.challenge']}
          choices={enums.ChallengePolicy.map((value) => ({
            value,
            label: t(`challenge.${value}`),
          }))}
          onChange={(challenge) => set('accessPolicy.challenge', challenge)}
        />
        <TextField
          {...form.text('accessPolicy.guestDailyRequests')}
          label={t('guestDaily')}
          type="number"
          limit={limits.WebsiteUpdate.accessPolicy.guestDailyRequests}
        />
        <TextField
          {...form.text('accessPolicy.customerDailyRequests')}
          label={t('customerDaily')}
          type="number"
          limit={limits.WebsiteUpdate.accessPolicy.customerDailyRequests}
        />
      </div>
      <CheckField
        name="accessPolicy.guestAiEnabled"
        label={t('guestAi')}
        checked={values['accessPolicy.guestAiEnabled']}
        onChange={(guestAiEnabled) => set('accessPolicy.guestAiEnabled', guestAiEnabled)}
      />
      <TextArea
        {...form.text('embedOrigins')}
        label={t('embedOrigins')}
        hint={t('embedOriginsHint')}
        error={firstErrorOf(form, 'embedOrigins')}
        rows={2}
      />
    </section>
  )
}
