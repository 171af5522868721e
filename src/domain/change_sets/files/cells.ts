import type { FileSource } from '../../../db/schema/change_sets.ts'
import type { components } from '../../../generated/types.ts'
import { storedProduct } from '../../../queries/catalogue/product_fields.ts'
import {
  defaultLanguage,
  type Language,
  languages,
  serviceTexts,
} from '../../../texts/languages.ts'
import type { FieldErrors } from '../../../texts/refusals.ts'
import { RowFault } from '../rows.ts'
import type { ImportField } from './columns.ts'
import { type Cells, wordKeyOf } from './records.ts'

/** A row of a file, with the names of what it refers to not looked up yet. */
export interface FileRow {
  id?: string
  /** Fields of the product as they are sent. */
  values: Record<string, unknown>
  tags?: string[]
  collections?: string[]
  images?: string[]
}

const lists = ['tags', 'collections', 'images'] as const
type List = (typeof lists)[number]
const isList = (field: ImportField): field is List => (lists as readonly string[]).includes(field)

/** A row by the fields of its columns; throws a RowFault where a value cannot be one of its field. */
export function fileRowOf(cells: Cells, { columns, format }: FileSource): FileRow {
  if (cells.length > columns.length)
    throw new RowFault('invalid_input', ['rowTooLong', { count: columns.length }])
  const row: FileRow = { values: {} }
  const faults: FieldErrors = {}
  for (const [index, { field }] of columns.entries()) {
    if (field === null) continue
    const value = readCell(field, cells[index], format)
    if (value === undefined) continue
    if (Array.isArray(value) && value.length > mostItems) {
      faults[field] = ['maxItems', { count: mostItems }]
      continue
    }
    if (typeof value === 'number' && Number.isInteger(value) && !Number.isSafeInteger(value)) {
      faults[field] = 'numberTooLong'
      continue
    }
    if (field === 'id') row.id = typeof value === 'string' ? value : JSON.stringify(value)
    else if (!isList(field)) row.values[field] = value
    else if (isTexts(value)) row[field] = value
    else faults[field] = 'mustBeList'
  }
  if (Object.keys(faults).length > 0) throw new RowFault('invalid_input', 'invalidRequest', faults)
  return row
}

const isTexts = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every((item) => typeof item === 'string')

/** The items of a cell that is a list. */
export function listIn(cell: unknown, format: FileSource['format']): string[] {
  const value = readCell('images', cell, format)
  return isTexts(value) && value.length <= mostItems ? value : []
}

function readCell(field: ImportField, cell: unknown, format: FileSource['format']): unknown {
  return format === 'csv' ? valueOf(field, cell) : givenValue(field, cell)
}

/** What a cell of CSV says; undefined where it leaves the field alone. */
function valueOf(field: ImportField, cell: unknown): unknown {
  const written = typeof cell === 'string' ? cell : ''
  const bare = written.trim()
  if (bare === '') return undefined
  const isNone = bare === '-'
  // The export writes an apostrophe before what a spreadsheet would run as a formula.
  const text = written.replace(/^'(?='*[=+\-@\t\r])/, '')
  if (field === 'id') return isNone ? undefined : text.trim()
  if (isNumber(field)) return numberIn(bare)
  if (field === 'status') return statusOf(text)
  if (isList(field)) return isNone ? [] : itemsIn(text).map(unescaped)
  if (field === 'sales') return isNone ? [] : itemsIn(text).map(saleOf)
  return isNone ? '' : text
}

/** What a value of JSON says; undefined where it leaves the field alone. */
function givenValue(field: ImportField, value: unknown): unknown {
  if (value === undefined || value === null) return undefined
  if (isNumber(field)) return typeof value === 'string' ? numberIn(value.trim()) : value
  if (field === 'status') return typeof value === 'string' ? statusOf(value) : value
  if (isList(field)) return typeof value === 'string' ? [value] : value
  // Codes are often written as numbers; one that is too long has lost digits by now.
  if (field !== 'sales' && typeof value === 'number')
    return Number.isSafeInteger(value) || !Number.isInteger(value) ? String(value) : value
  return value
}

const isNumber = (field: ImportField) => storedProduct.fieldTypes[field] === 'integer'

/** What is no number is refused by the product's own rules. */
const numberIn = (text: string) => (/^\d{1,15}$/.test(text) ? Number(text) : text)

interface StatusWords {
  importStatuses: Readonly<Record<components['schemas']['ProductStatus'], string>>
}

/** In every language but the default one, in which the contract calls statuses. */
const translated: Record<Exclude<Language, typeof defaultLanguage>, StatusWords> = serviceTexts

const statuses = new Map(
  languages.flatMap((language) =>
    language === defaultLanguage
      ? []
      : Object.entries(translated[language].importStatuses).map(
          ([status, word]) => [wordKeyOf(word), status] as const,
        ),
  ),
)

const statusOf = (text: string): string =>
  statuses.get(wordKeyOf(text)) ?? text.trim().toUpperCase()

/** More than any list of a product can have. */
const mostItems = 100

/** The items of a list, still escaped, up to the one that is too many. */
function itemsIn(text: string): string[] {
  const items: string[] = []
  for (const [item] of text.matchAll(/(?:\\.|[^|\\]|\\$)+/gs)) {
    const bare = item.trim()
    if (bare !== '' && items.push(bare) > mostItems) break
  }
  return items
}

const unescaped = (text: string) => text.replaceAll(/\\([|=\\])/g, '$1')

/** `name=url`. */
function saleOf(item: string): { name: string; link: string } {
  const [, name = '', link = item] = /^((?:\\.|[^=\\])*)=(.*)$/s.exec(item) ?? []
  return { name: unescaped(name.trim()), link: unescaped(link.trim()) }
}
