import { clearDrafts } from '../forms/drafts.ts'
import { forgetUnsaved } from '../forms/unsaved.ts'

/** Loads the app again from its start, so that nothing of the person's stays in memory or in this tab. */
export function startOver(): void {
  clearDrafts()
  forgetUnsaved()
  location.assign('/')
}
