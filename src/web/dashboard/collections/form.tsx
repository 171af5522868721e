import { useLocation } from 'wouter-preact'
import { limits } from '../../../generated/limits.ts'
import { api, ask, type Schemas, type Tagged } from '../../api.ts'
import { TextArea, TextField } from '../../kit/forms/fields.tsx'
import { FormPage } from '../../kit/forms/form_page.tsx'
import { StoredForm } from '../../kit/forms/stored_form.tsx'
import { forgetUnsaved } from '../../kit/forms/unsaved.ts'
import { type Form, useForm } from '../../kit/forms/use_form.ts'
import { texts } from '../../language.ts'
import { useWorkspace } from '../../session.ts'
import { useLastChange } from '../activity/last_change.ts'
import { PictureField } from '../media/picture_field.tsx'
import { TagPicker } from '../tags/tag_picker.tsx'

type Collection = Schemas['Collection']

interface Values {
  name: string
  description: string
  image: Schemas['Media'] | null
  tags: Schemas['Tag'][]
}

function valuesOf({ name, description, image, tags }: Collection): Values {
  return { name, description, image, tags }
}

function updateOf({ name, description, image, tags }: Values): Schemas['CollectionUpdate'] {
  return { name, description, imageId: image?.id ?? null, tagIds: tags.map(({ id }) => id) }
}

interface CollectionFormProps {
  tagged: Tagged<Collection>
  read: () => Promise<Tagged<Collection>>
  onRead: (tagged: Tagged<Collection>) => void
}

export function CollectionForm({ tagged, read, onRead }: CollectionFormProps) {
  const { workspaceId } = useWorkspace()
  const path = { workspaceId, id: tagged.value.id }
  const changedBy = useLastChange({ resourceId: tagged.value.id })
  return (
    <StoredForm
      changedBy={changedBy}
      draft="collection"
      resource={tagged}
      {...{ read, onRead }}
      valuesOf={({ value }) => valuesOf(value)}
      write={(values, header) =>
        ask(
          api.PUT('/v1/workspaces/{workspaceId}/collections/{id}', {
            params: { path, header },
            body: updateOf(values),
          }),
        )
      }
    >
      {(form) => <CollectionFields form={form} />}
    </StoredForm>
  )
}

export function NewCollectionForm() {
  const { workspaceId } = useWorkspace()
  const [, navigate] = useLocation()
  const t = texts('catalogue')
  const form = useForm<Values>({ name: '', description: '', image: null, tags: [] })
  const write = async (values: Values) => {
    const { id } = await ask(
      api.POST('/v1/workspaces/{workspaceId}/collections', {
        params: { path: { workspaceId } },
        body: updateOf(values),
      }),
    )
    forgetUnsaved()
    navigate(`/w/${workspaceId}/collections/${id}`, { replace: true })
  }
  return (
    <FormPage
      form={form}
      draft="collection"
      write={write}
      saveUnchanged
      savedText={t('created', { name: form.values.name })}
    >
      <CollectionFields form={form} />
    </FormPage>
  )
}

function CollectionFields({ form }: { form: Form<Values> }) {
  const t = texts('catalogue')
  return (
    <section class="card">
      <TextField {...form.text('name')} label={t('name')} limit={limits.CollectionCreate.name} />
      <TextArea {...form.text('description')} label={t('description')} />
      <TagPicker tags={form.values.tags} onChange={(tags) => form.set('tags', tags)} />
      <PictureField
        field="image"
        label={t('picture')}
        image={form.values.image}
        error={form.errors['imageId']}
        onChange={(image) => form.set('image', image)}
      />
    </section>
  )
}
