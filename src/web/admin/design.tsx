import * as enums from '../../generated/enums.ts'
import { limits } from '../../generated/limits.ts'
import { api, ask, askTagged, type Schemas, type Tagged } from '../api.ts'
import { CheckField, ColorField, TextField } from '../kit/forms/fields.tsx'
import { SelectField } from '../kit/forms/select.tsx'
import { StoredForm } from '../kit/forms/stored_form.tsx'
import type { Form } from '../kit/forms/use_form.ts'
import { Page } from '../kit/shell/page.tsx'
import { Loaded } from '../kit/shell/states.tsx'
import { useLoad } from '../kit/shell/use_load.ts'
import { findText, texts } from '../language.ts'
import { shopAddressOf } from '../session.ts'
import { designOf, type DesignValues, placed, valuesOf } from './design_values.ts'

type Workspace = Schemas['AdminWorkspace']

const designPath = '/api/admin/workspaces/{id}/design'

/** The template whose look is what staff choose here. */
export const designedTemplate = 'customized'

/** A design and the workspace that has it. */
interface LoadedDesign extends Tagged<Schemas['WorkspaceDesignDetail']> {
  workspace: Workspace
}

async function readDesign(id: string, signal?: AbortSignal): Promise<LoadedDesign> {
  const request = { params: { path: { id } }, ...(signal ? { signal } : {}) }
  const [{ workspace }, tagged] = await Promise.all([
    ask(api.GET('/api/admin/workspaces/{id}', request)),
    askTagged(api.GET(designPath, request)),
  ])
  return { workspace, ...tagged }
}

/** How the pages of one shop look, as staff have agreed with its owner. */
export function DesignPage({ id }: { id: string }) {
  const t = texts('admin')
  const load = useLoad((signal) => readDesign(id, signal), [id])
  const name = load.value?.workspace.name ?? t('workspace')
  return (
    <Page
      title={t('design')}
      about={t('designAbout')}
      crumb={{ href: `/workspaces/${id}`, label: name }}
      actions={load.value ? <VisitLink workspace={load.value.workspace} /> : null}
    >
      <Loaded load={load}>{(loaded) => <DesignForm loaded={loaded} onRead={load.set} />}</Loaded>
    </Page>
  )
}

function VisitLink({ workspace }: { workspace: Workspace }) {
  const address = shopAddressOf(workspace)
  if (address === undefined) return null
  return (
    <a class="button" href={address} target="_blank" rel="noopener">
      {texts('website')('visit')}
    </a>
  )
}

interface DesignFormProps {
  loaded: LoadedDesign
  onRead: (loaded: LoadedDesign) => void
}

function DesignForm({ loaded, onRead }: DesignFormProps) {
  const t = texts('admin')
  const { id, templateKey } = loaded.workspace
  const path = { id }
  const template = findText('templates', `${templateKey}.name`) ?? templateKey
  return (
    <StoredForm
      draft="design"
      resource={loaded}
      read={() => readDesign(id)}
      onRead={onRead}
      inWords={(value) => findText('admin', `value.${value}`)}
      valuesOf={({ value }) => valuesOf(value.design)}
      write={(values, header) =>
        ask(api.PUT(designPath, { params: { path, header }, body: designOf(values) }))
      }
    >
      {(form) => (
        <>
          {templateKey === designedTemplate ? null : (
            <p class="banner warning">{t('designUnused', { template })}</p>
          )}
          <HomePage form={form} />
          <Products form={form} />
          <Surface form={form} />
          <div>
            <button type="button" onClick={() => form.fill(valuesOf(loaded.value.defaults))}>
              {t('useDefaults')}
            </button>
          </div>
        </>
      )}
    </StoredForm>
  )
}

type DesignForm = Form<DesignValues>

function HomePage({ form }: { form: DesignForm }) {
  const t = texts('admin')
  const { values, errors, set } = form
  const choices = [
    { value: '' as const, label: t('noSection') },
    ...enums.HomeSection.map((value) => ({ value, label: t(`value.${value}`) })),
  ]
  return (
    <section class="card">
      <h2>{t('field.sections')}</h2>
      <div class="pair" data-field="sections" data-label={t('field.sections')}>
        {values.sections.map((section, place) => (
          <SelectField
            key={place}
            name={place === 0 ? 'sections' : `sections.${place}`}
            label={t('sectionAt', { place: place + 1 })}
            value={section}
            error={place === 0 ? errors['sections'] : undefined}
            choices={choices}
            onChange={(next) => set('sections', placed(values.sections, place, next))}
          />
        ))}
      </div>
      <div class="pair">
        <Choices form={form} name="heroPictures" values={['0', '1', '3']} />
        <TextField
          {...form.text('newest')}
          label={t('field.newest')}
          type="number"
          limit={limits.WorkspaceDesign.newest}
        />
      </div>
    </section>
  )
}

function Products({ form }: { form: DesignForm }) {
  const t = texts('admin')
  return (
    <section class="card">
      <h2>{t('designProducts')}</h2>
      <div class="pair">
        <Choices form={form} name="columns" values={['3', '4', '5']} />
        <Choices form={form} name="pictureRatio" values={enums.PictureRatio} />
      </div>
      <Check form={form} name="isFramed" />
    </section>
  )
}

function Surface({ form }: { form: DesignForm }) {
  const t = texts('admin')
  return (
    <section class="card">
      <h2>{t('designSurface')}</h2>
      <div class="pair">
        <ColorField {...form.text('paper')} label={t('field.paper')} />
        <ColorField {...form.text('night')} label={t('field.night')} />
        <Choices form={form} name="corners" values={enums.Corners} />
        <Choices form={form} name="headingSize" values={enums.HeadingSize} />
        <Choices form={form} name="headingWeight" values={enums.HeadingWeight} />
      </div>
      <p class="hint">{t('paperHint')}</p>
      <Check form={form} name="isHeadColored" />
    </section>
  )
}

type ChoiceField =
  | 'heroPictures'
  | 'columns'
  | 'pictureRatio'
  | 'corners'
  | 'headingSize'
  | 'headingWeight'

interface ChoicesProps<Name extends ChoiceField> {
  form: DesignForm
  name: Name
  values: readonly DesignValues[Name][]
}

function Choices<Name extends ChoiceField>({ form, name, values }: ChoicesProps<Name>) {
  return (
    <SelectField
      name={name}
      label={texts('admin')(`field.${name}`)}
      value={form.values[name]}
      error={form.errors[name]}
      choices={values.map((value) => ({
        value,
        label: findText('admin', `value.${value}`) ?? value,
      }))}
      onChange={(value) => form.set(name, value)}
    />
  )
}

function Check({ form, name }: { form: DesignForm; name: 'isFramed' | 'isHeadColored' }) {
  return (
    <CheckField
      name={name}
      label={texts('admin')(`field.${name}`)}
      checked={form.values[name]}
      onChange={(isChecked) => form.set(name, isChecked)}
    />
  )
}
