import type { Transaction } from 'kysely'
import { invalidInput } from '../../core/errors.ts'
import type { Database } from '../../db/schema.ts'
import { findClippedTexts } from '../../queries/catalogue/clipped_texts.ts'
import type { FieldErrors } from '../../texts/refusals.ts'

/** What `view=summary` puts in the place of what it leaves out. */
const mark = /… \[[\d,]+ characters\]/

/**
 * How many characters before its mark tell a clipped text from others. Not all that a summary shows: a
 * caller may have edited the beginning.
 */
const compared = 50

/**
 * Refuses texts that a summary of this very row clipped, also with words added: storing one would cut
 * off the rest for good. Any other text may end in such a mark.
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

function holdsEnd(text: string, clipped: string | null | undefined): boolean {
  if (!clipped) return false
  return text.includes(clipped.slice(clipped.lastIndexOf('… [') - compared))
}
