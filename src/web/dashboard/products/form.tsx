import { useLocation } from 'wouter-preact'
import { limits } from '../../../generated/limits.ts'
import { api, ask, type Tagged } from '../../api.ts'
import { numberIn, TextArea, TextField } from '../../kit/forms/fields.tsx'
import { SelectField } from '../../kit/forms/select.tsx'
import { FormPage } from '../../kit/forms/form_page.tsx'
import { StoredForm } from '../../kit/forms/stored_form.tsx'
import { forgetUnsaved } from '../../kit/forms/unsaved.ts'
import { type Form, useForm } from '../../kit/forms/use_form.ts'
import { texts } from '../../language.ts'
import { useWorkspace } from '../../session.ts'
import { useLastChange } from '../activity/last_change.ts'
import { TagPicker } from '../tags/tag_picker.tsx'
import { Pictures } from './pictures.tsx'
import { type Product, type ProductFormValues, updateOf, valuesOf } from './product_values.ts'
import { withNumbers } from './new_numbers.ts'
import { filledSales, Sales } from './sales.tsx'
import { statuses } from './status.tsx'

/** Form values; numbers stay as typed. */
type ProductInput = {
  [Field in keyof ProductFormValues]: ProductFormValues[Field] extends number
    ? string
    : ProductFormValues[Field]
}

function emptyProduct(brand: string): ProductInput {
  return {
    name: '',
    brand,
    sku: '',
    barcode: '',
    stock: '',
    status: 'ACTIVE',
    description: '',
    information: '',
    images: [],
    tags: [],
    sales: [],
  }
}

function inputOf(product: Product): ProductInput {
  return { ...valuesOf(product), stock: String(product.stock) }
}

function updateFrom(input: ProductInput) {
  return updateOf({
    ...input,
    stock: numberIn(input.stock),
    sales: filledSales(input.sales),
  })
}

/** A new product as the service takes it; until its owner has counted it, there is none. */
function newProductFrom(input: ProductInput) {
  return withNumbers(updateFrom({ ...input, stock: input.stock.trim() || '0' }))
}

interface ProductFormProps {
  tagged: Tagged<Product>
  read: () => Promise<Tagged<Product>>
  onRead: (tagged: Tagged<Product>) => void
}

export function ProductForm({ tagged, read, onRead }: ProductFormProps) {
  const { workspaceId } = useWorkspace()
  const path = { workspaceId, id: tagged.value.id }
  const changedBy = useLastChange({ resourceId: tagged.value.id })
  return (
    <StoredForm
      changedBy={changedBy}
      draft="product"
      resource={tagged}
      {...{ read, onRead }}
      valuesOf={({ value }) => inputOf(value)}
      write={(values, header) =>
        ask(
          api.PUT('/v1/workspaces/{workspaceId}/products/{id}', {
            params: { path, header },
            body: updateFrom(values),
          }),
        )
      }
    >
      {(form) => <ProductFields form={form} isNew={false} />}
    </StoredForm>
  )
}

const brandKey = 'vitrine-brand'

/** Most shops sell one brand, so prefill the last one. */
export function lastBrand(): string {
  try {
    return sessionStorage.getItem(brandKey) ?? ''
  } catch {
    return ''
  }
}

function rememberBrand(brand: string): void {
  try {
    sessionStorage.setItem(brandKey, brand)
  } catch {
    // Storage may be blocked; it is only a convenience.
  }
}

/** A copy has everything but what must be unique. */
function copyOf(product: Product): ProductInput {
  const name = texts('catalogue')('copyOf', { name: product.name })
  return { ...inputOf(product), name, sku: '', barcode: '', status: 'INACTIVE' }
}

/** A new product with these values and numbers of its own. */
export function productWith(brand: string, values: Partial<ProductInput>) {
  return newProductFrom({ ...emptyProduct(brand), ...values })
}

/** A product that so far is a picture with a name, and not yet for visitors. */
export function draftOf(name: string, brand: string, picture: Product['images'][number]) {
  return productWith(brand, { name, status: 'INACTIVE', images: [picture] })
}

export function NewProductForm({ source }: { source?: Product }) {
  const { workspaceId } = useWorkspace()
  const [, navigate] = useLocation()
  const t = texts('catalogue')
  const form = useForm(source ? copyOf(source) : emptyProduct(lastBrand()))
  const write = async (values: ProductInput) => {
    const { id } = await ask(
      api.POST('/v1/workspaces/{workspaceId}/products', {
        params: { path: { workspaceId } },
        body: newProductFrom(values),
      }),
    )
    rememberBrand(values.brand)
    forgetUnsaved()
    navigate(`/w/${workspaceId}/products/${id}`, { replace: true })
  }
  return (
    <FormPage
      form={form}
      draft="product"
      write={write}
      saveUnchanged
      savedText={t('created', { name: form.values.name })}
    >
      <ProductFields form={form} isNew />
    </FormPage>
  )
}

/** What visitors read while there is no number, or none left; a product that they do not see tells them nothing. */
function stockHint({ stock, status }: ProductInput, isNew: boolean): string | undefined {
  const t = texts('catalogue')
  if (status !== 'ACTIVE') return undefined
  if (isNew && stock === '') return t('notCountedHint')
  return stock === '0' ? t('stockNone') : undefined
}

/** An empty SKU or barcode of a new product is generated. */
function ProductFields({ form, isNew }: { form: Form<ProductInput>; isNew: boolean }) {
  const [t, f] = [texts('catalogue'), texts('fields')]
  const { values, errors, set } = form
  return (
    <div class="columns">
      <div>
        <Pictures
          images={values.images}
          error={errors['imageIds']}
          onChange={(change) => set('images', change(form.current().images))}
        />
        <section class="card">
          <TextField
            {...form.text('name')}
            label={f('name')}
            limit={limits.ProductCreate.name}
            autofocus={isNew}
          />
          <TextField
            {...form.text('brand')}
            label={f('brand')}
            limit={limits.ProductCreate.brand}
          />
          <TextArea
            {...form.text('description')}
            label={f('description')}
            hint={t('descriptionHint')}
          />
          <TextArea
            {...form.text('information')}
            label={f('information')}
            hint={t('informationHint')}
            rows={7}
          />
        </section>
        <Sales sales={values.sales} errors={errors} onChange={(sales) => set('sales', sales)} />
      </div>
      <div>
        <section class="card">
          <SelectField
            name="status"
            label={f('status')}
            value={values.status}
            hint={t(`statusHint.${values.status}`)}
            error={errors['status']}
            choices={statuses.map((value) => ({ value, label: t(`status.${value}`) }))}
            onChange={(status) => set('status', status)}
          />
          <TextField
            {...form.text('stock')}
            label={f('stock')}
            hint={stockHint(values, isNew)}
            placeholder={isNew ? t('notCounted') : undefined}
            type="number"
            inputMode="numeric"
            limit={limits.ProductCreate.stock}
          />
          <TextField
            {...form.text('sku')}
            label={f('sku')}
            limit={limits.ProductCreate.sku}
            hint={isNew ? t('skuHint') : undefined}
          />
          <TextField
            {...form.text('barcode')}
            label={f('barcode')}
            limit={limits.ProductCreate.barcode}
            hint={isNew ? t('barcodeHint') : undefined}
          />
          <TagPicker tags={values.tags} onChange={(tags) => set('tags', tags)} />
        </section>
      </div>
    </div>
  )
}
