import { invalidInput } from '../../../core/errors.ts'
import type { FileSource } from '../../../db/schema/change_sets.ts'
import * as enums from '../../../generated/enums.ts'
import type { components } from '../../../generated/types.ts'
import { languages, loadPageTexts } from '../../../texts/languages.ts'
import type { FieldErrors } from '../../../texts/refusals.ts'
import { wordKeyOf } from './records.ts'

type Schemas = components['schemas']
export type ImportField = Schemas['ImportField']

/** What a product's row stores; images and tags are columns of other names. */
type StoredField = Exclude<keyof Schemas['ProductUpdate'], 'imageIds' | 'tagIds'>

/** A label for each column. A field that the contract's ImportField lacks has none that fits. */
type Labels = {
  readonly [Field in ImportField | StoredField]: Field extends ImportField ? string : never
}

/** What the dashboard's pages call the fields in each language; one without a label does not compile. */
const labels: readonly Labels[] = await Promise.all(
  languages.map(async (language) => (await loadPageTexts[language]()).default.fields),
)

/** Other names in shops' own tables, each of which can be meant in no other way. */
const aliases: Partial<Record<ImportField, readonly string[]>> = {
  name: ['product name', 'product title', 'title', 'ürün adı', 'ürün ismi', 'isim'],
  brand: ['brand name', 'marka adı'],
  sku: ['sku code', 'stock code', 'stok kodu'],
  barcode: ['barkod no', 'barkod numarası', 'ean', 'gtin'],
  stock: ['stock quantity', 'stok adedi', 'stok miktarı'],
  description: ['product description', 'ürün açıklaması'],
  information: ['bilgi'],
  sales: ['satış'],
}

const namesOf = (field: ImportField): string[] => [field, ...labels.map((label) => label[field])]

const fieldsBy = (names: (field: ImportField) => readonly string[]) =>
  new Map(
    enums.ImportField.flatMap((field) => names(field).map((name) => [wordKeyOf(name), field])),
  )

/** A column that is called as its field goes before one of another name. */
const named = [fieldsBy(namesOf), fieldsBy((field) => aliases[field] ?? [])]

/** The field of each column by its name; where two say the same, the first has it. */
export function fieldsOf(columns: readonly string[]): (ImportField | null)[] {
  const taken = new Set<ImportField>()
  const found: (ImportField | null)[] = columns.map(() => null)
  for (const fields of named)
    for (const [index, column] of columns.entries()) {
      const field = fields.get(wordKeyOf(column))
      if (field === undefined || taken.has(field)) continue
      taken.add(field)
      found[index] = field
    }
  return found
}

/** The same with what the caller says of some of them. */
export function mappedFields(
  columns: readonly string[],
  mapping: Readonly<Record<string, string | null>> = {},
): FileSource['columns'] {
  const faults: FieldErrors = {}
  for (const [name, field] of Object.entries(mapping)) {
    if (!columns.includes(name)) faults[`mapping.${name}`] = 'noSuchColumn'
    else if (field !== null && !enums.ImportField.some((known) => known === field))
      faults[`mapping.${name}`] = ['noSuchField', { known: enums.ImportField.join(', ') }]
  }
  if (Object.keys(faults).length > 0) throw invalidInput(faults)
  const chosen = mapping as Readonly<Record<string, ImportField | null>>
  const said = new Set(Object.values(chosen))
  const mapped = fieldsOf(columns).map((field, index) => {
    const name = columns[index]!
    if (Object.hasOwn(chosen, name)) return { name, field: chosen[name] ?? null }
    // A field that another column is said to have is not this one's.
    return { name, field: field !== null && said.has(field) ? null : field }
  })
  const first = new Map<ImportField, string>()
  for (const { name, field } of mapped) {
    if (field === null) continue
    const other = first.get(field)
    if (other !== undefined) faults[`mapping.${name}`] = ['fieldTwice', { field, other }]
    first.set(field, name)
  }
  if (first.size === 0) faults.mapping = 'noColumnTaken'
  if (Object.keys(faults).length > 0) throw invalidInput(faults)
  return mapped
}

/** The members of a product that a column fills, where they are not called as it is. */
const membersOf: Record<string, ImportField> = {
  tagIds: 'tags',
  imageIds: 'images',
  addToCollectionIds: 'collections',
  removeFromCollectionIds: 'collections',
}

/** The name of the column in which a fault of a product's member is to be mended. */
export function columnOf({ columns }: FileSource, member: string): string {
  const [name = member] = member.split('.')
  const field = membersOf[name] ?? name
  return columns.find((column) => column.field === field)?.name ?? field
}
