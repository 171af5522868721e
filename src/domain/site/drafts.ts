import { signedText, verifiedText } from '../../core/secrets.ts'
import { minute } from '../../core/time.ts'
import type { components } from '../../generated/types.ts'
import type { ServiceConfig } from '../../operation.ts'

type Website = components['schemas']['Website']

/** A website that its owner looks at before it is stored. */
interface WebsiteDraft {
  workspaceId: string
  website: Website
  expiresAt: number
}

const purpose = 'website draft'
const validMilliseconds = 10 * minute

/** A website after changes, as the update stores it. */
export function changedWebsite(
  current: Website,
  change: components['schemas']['WebsiteUpdate'],
): Website {
  return {
    ...current,
    ...change,
    theme: { ...current.theme, ...change.theme },
    seo: { ...current.seo, ...change.seo },
    accessPolicy: { ...current.accessPolicy, ...change.accessPolicy },
  }
}

/** A draft that the shop's own origin will draw, because we have signed it. */
export function signDraft(
  { secretKey }: Pick<ServiceConfig, 'secretKey'>,
  workspaceId: string,
  website: Website,
  now: Date,
): string {
  const draft: WebsiteDraft = { workspaceId, website, expiresAt: now.getTime() + validMilliseconds }
  return signedText(secretKey, purpose, JSON.stringify(draft))
}

/** The draft of this workspace; undefined if it is another's, has ended or is not ours. */
export function readDraft(
  { secretKey }: Pick<ServiceConfig, 'secretKey'>,
  workspaceId: string,
  signed: string,
  now: Date,
): Website | undefined {
  const text = verifiedText(secretKey, purpose, signed)
  if (text === undefined) return undefined
  const draft = JSON.parse(text) as WebsiteDraft
  const isGood = draft.workspaceId === workspaceId && draft.expiresAt > now.getTime()
  return isGood ? draft.website : undefined
}
