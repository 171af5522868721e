import { invalidInput } from '../../core/errors.ts'
import type { FieldErrors } from '../../texts/refusals.ts'

/** The end of a text that `view=summary` has clipped. */
const mark = /… \[[\d,]+ characters\]$/

/** Refuses texts that a summary clipped: storing one would cut off the rest for good. */
export function refuseClipped(texts: { description?: string; information?: string }): void {
  const faults: FieldErrors = {}
  for (const field of ['description', 'information'] as const)
    if (mark.test(texts[field] ?? '')) faults[field] = 'textClipped'
  if (Object.keys(faults).length > 0) throw invalidInput(faults)
}
