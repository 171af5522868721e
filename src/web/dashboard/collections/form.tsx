import { useLocation } from 'wouter-preact'
import { limits } from '../../../generated/limits.ts'
import { api, ask, type Schemas, type Tagged } from '../../api.ts'
import { TextArea, TextField } from '../../kit/forms/fields.tsx'
import { FormPage } from '../../kit/forms/form_page.tsx'
import { StoredForm } from '../../kit/forms/stored_form.tsx'
import { forgetUnsaved } from '../../kit/forms/unsaved.ts'
import { type Form, useForm } from '../../kit/forms/use_form.ts'
import { toastFailure } from '../../kit/shell/toasts.tsx'
import { texts } from '../../language.ts'
import { useWorkspace } from '../../session.ts'
import { useLastChange } from '../activity/last_change.ts'
import { PictureField } from '../media/picture_field.tsx'
import { TagPicker } from '../tags/tag_picker.tsx'
import { CollectionProducts, type Member, memberOf } from './products.tsx'

type Collection = Schemas['Collection']

interface CollectionValues {
  name: string
  description: string
  image: Schemas['Media'] | null
  tags: Schemas['Tag'][]
  products: Member[]
}

function valuesOf({ name, description, image, tags, products }: Collection): CollectionValues {
  return { name, description, image, tags, products: products.map(memberOf) }
}

function updateOf({
  name,
  description,
  image,
  tags,
}: CollectionValues): Schemas['CollectionUpdate'] {
  return { name, description, imageId: image?.id ?? null, tagIds: tags.map(({ id }) => id) }
}

const productsPath = '/v1/workspaces/{workspaceId}/collections/{id}/products'

const idsOf = (products: readonly Member[]): string[] => products.map(({ id }) => id)

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
      write={async (values, header, stored) => {
        await ask(
          api.PUT('/v1/workspaces/{workspaceId}/collections/{id}', {
            params: { path, header },
            body: updateOf(values),
          }),
        )
        const productIds = idsOf(values.products)
        if (productIds.join() !== stored.value.productIds.join())
          await ask(api.PUT(productsPath, { params: { path }, body: { productIds } }))
      }}
    >
      {(form) => <CollectionFields form={form} />}
    </StoredForm>
  )
}

export function NewCollectionForm() {
  const { workspaceId } = useWorkspace()
  const [, navigate] = useLocation()
  const t = texts('catalogue')
  const form = useForm<CollectionValues>({
    name: '',
    description: '',
    image: null,
    tags: [],
    products: [],
  })
  const write = async (values: CollectionValues) => {
    const { id } = await ask(
      api.POST('/v1/workspaces/{workspaceId}/collections', {
        params: { path: { workspaceId } },
        body: updateOf(values),
      }),
    )
    const [path, productIds] = [{ workspaceId, id }, idsOf(values.products)]
    // The collection exists by now: its page is where the rest is tried again.
    if (productIds.length > 0)
      await ask(api.PUT(productsPath, { params: { path }, body: { productIds } })).catch(
        toastFailure,
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

function CollectionFields({ form }: { form: Form<CollectionValues> }) {
  const f = texts('fields')
  return (
    <>
      <section class="card">
        <TextField {...form.text('name')} label={f('name')} limit={limits.CollectionCreate.name} />
        <TextArea {...form.text('description')} label={f('description')} />
        <TagPicker tags={form.values.tags} onChange={(tags) => form.set('tags', tags)} />
        <PictureField
          field="image"
          label={f('image')}
          image={form.values.image}
          error={form.errors['imageId']}
          onChange={(image) => form.set('image', image)}
        />
      </section>
      <CollectionProducts
        products={form.values.products}
        error={form.errors['productIds']}
        onChange={(products) => form.set('products', products)}
      />
    </>
  )
}
