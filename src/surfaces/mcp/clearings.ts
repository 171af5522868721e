import { showsNothing } from '../../core/text.ts'
import { isObject } from './messages.ts'

/** Spaces and invisible characters count as empty, too. */
const isEmpty = (value: unknown) =>
  value === null ||
  (typeof value === 'string' && showsNothing(value)) ||
  (Array.isArray(value) && value.length === 0)

/** Fields of a body that the resource answers under another name. */
const answeredAs: Record<string, string> = { imageIds: 'images', tagIds: 'tags' }

/** Names as people say them: "main agent prompt". */
const inWords = (field: string) =>
  (answeredAs[field] ?? field.replace(/Id$/, ''))
    .replace(/[A-Z]/g, (letter) => ` ${letter}`)
    .toLowerCase()

/** Whether a body clears a value, regardless of the current value. */
export const clears = ({ body }: { body: object }): boolean =>
  Object.values(body).some(
    (value) => isEmpty(value) || (isObject(value) && clears({ body: value })),
  )

/**
 * What a body clears of a resource: texts, pictures, tags, links. Everything it empties, if the resource is
 * not known.
 */
function clearedIn(body: object, current: unknown): string[] {
  return Object.entries(body).flatMap(([field, value]) => {
    const before = isObject(current) ? current[answeredAs[field] ?? field] : undefined
    if (isObject(value)) return clearedIn(value, before)
    if (!isEmpty(value) || (current !== undefined && (before === undefined || isEmpty(before))))
      return []
    const isSeveral = Array.isArray(before) && before.length > 1
    return [`${isSeveral ? `all ${before.length}` : 'the'} ${inWords(field)}`]
  })
}

/** The question about what a body clears; undefined if it clears nothing. */
export function cleared(body: object, current: unknown, of: string): string | undefined {
  const what = clearedIn(body, current)
  if (what.length === 0) return undefined
  const last = what.pop()!
  return `Clear ${what.length > 0 ? `${what.join(', ')} and ${last}` : last} of ${of}?`
}
