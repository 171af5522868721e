/** A field that a write has changed, in words; null where it had or has no value. */
export interface Change {
  field: string
  before: string | null
  after: string | null
}

/** Fields that follow from others, or that no person chose. */
const derived = new Set([
  'id',
  'createdAt',
  'updatedAt',
  'slug',
  'workspaceId',
  'imageId',
  'logoImageId',
  'key',
  'url',
  'usageCount',
])

/** Longer texts are cut, so that a record stays small. */
export const maxCharacters = 300

/** The fields that differ between two versions of a resource; a missing version has none. */
export function changesBetween(before: unknown, after: unknown): Change[] {
  const [earlier, later] = [fieldsOf(before), fieldsOf(after)]
  const names = new Set([...earlier.keys(), ...later.keys()])
  return [...names]
    .filter((name) => JSON.stringify(earlier.get(name)) !== JSON.stringify(later.get(name)))
    .map((field) => ({
      field,
      before: wordsFor(earlier.get(field)),
      after: wordsFor(later.get(field)),
    }))
}

/** Values by field path: `theme.font` for a field of a nested object. */
function fieldsOf(version: unknown, prefix = ''): Map<string, unknown> {
  const fields = new Map<string, unknown>()
  if (!isObject(version)) return fields
  for (const [name, value] of Object.entries(version)) {
    if (derived.has(name)) continue
    const path = `${prefix}${name}`
    if (isObject(value) && nameIn(value) === undefined)
      for (const [inner, part] of fieldsOf(value, `${path}.`)) fields.set(inner, part)
    else fields.set(path, value)
  }
  return fields
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** What people call a resource. */
export function nameIn(resource: unknown): string | undefined {
  if (!isObject(resource)) return undefined
  const { name, fileName, text, email } = resource
  // An invited person has an address and no name yet.
  return [name, fileName, text, email].find((one) => typeof one === 'string' && one !== '') as
    | string
    | undefined
}

/** A value for people. */
function wordsFor(value: unknown): string | null {
  if (value === undefined || value === null || value === '') return null
  if (Array.isArray(value)) return wordsFor(value.map((item) => wordsFor(item) ?? '').join(', '))
  if (isObject(value)) return wordsFor(nameIn(value) ?? JSON.stringify(value))
  return cutText(typeof value === 'string' ? value : JSON.stringify(value), maxCharacters)
}

/** The start of a text that is longer than this; others as they are. */
export function cutText(text: string, most: number): string {
  if (text.length <= most) return text
  const characters = [...text.slice(0, 2 * most + 2)]
  return characters.length <= most ? text : `${characters.slice(0, most).join('')}…`
}
