import type { Transaction } from 'kysely'
import { invalidInput } from '../../core/errors.ts'
import type { Database } from '../../db/schema.ts'
import { findClippedTexts } from '../../queries/catalogue/clipped_texts.ts'
import type { FieldErrors } from '../../texts/refusals.ts'

/** What `view=summary` puts in place of the omitted text. */
const mark = /… \[[\d,]+ characters\]/

/**
 * How many characters before the mark must match. Fewer than a summary shows, because a caller may have
 * edited the beginning.
 */
const compared = 50

/** How many characters of a text a summary shows. */
const clippedCharacters = 200

/**
 * Refuses texts that a summary of the same row has clipped, even with words added: storing one would lose
 * the rest for good. Any other text may end in such a mark.
 */
export async function refuseClipped(
  trx: Transaction<Database>,
  table: 'products' | 'collections',
  row: { workspaceId: string; id: string },
  texts: { description?: string; information?: string },
): Promise<void> {
  const fields = (['description', 'information'] as const).filter((field) =>
    mark.test(texts[field] ?? ''),
  )
  if (fields.length === 0) return
  const stored = await findClippedTexts(trx, table, row)
  const faults: FieldErrors = {}
  for (const field of fields)
    if (holdsEnd(texts[field] ?? '', stored[field])) faults[field] = 'textClipped'
  if (Object.keys(faults).length > 0) throw invalidInput(faults)
}

/** The same check for texts already loaded: a reason for each clipped one; undefined if there is none. */
export function clippedFields(
  texts: { description?: unknown; information?: unknown },
  stored: { description: string; information: string },
): FieldErrors | undefined {
  const fields = (['description', 'information'] as const).filter((field) => {
    const text = texts[field]
    return typeof text === 'string' && mark.test(text) && holdsEnd(text, clip(stored[field]))
  })
  if (fields.length === 0) return undefined
  return Object.fromEntries(fields.map((field) => [field, 'textClipped' as const]))
}

/** A text as a summary shows it; null if that is the whole text. */
function clip(text: string): string | null {
  const characters = [...text]
  if (characters.length <= clippedCharacters) return null
  const start = characters.slice(0, clippedCharacters).join('')
  return `${start}… [${characters.length.toLocaleString('en-US')} characters]`
}

function holdsEnd(text: string, clipped: string | null | undefined): boolean {
  if (!clipped) return false
  return text.includes(clipped.slice(clipped.lastIndexOf('… [') - compared))
}
