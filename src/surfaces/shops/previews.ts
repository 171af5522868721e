import type { Request, Response } from 'express'
import { readDraft } from '../../domain/site/drafts.ts'
import type { FoundSite } from '../../queries/site/found_sites.ts'
import { addressOf } from '../../site/address.ts'
import { drawPage } from '../../site/draw.tsx'
import { loadShop } from '../../site/shop.ts'
import { previewPolicy } from '../../site/policy.ts'
import type { Service } from '../call/call.ts'
import type { ReadForm } from './forms.ts'

/** A draft is a website, signed and encoded. */
const maxDraftBytes = 256 * 1024

/**
 * Draws the home page of a draft that the owner's dashboard has had signed. Only the dashboard may frame
 * it; it is not kept, and closed shops have previews, too. False if the draft is not valid.
 */
export async function showPreview(
  { service, readForm }: { service: Service; readForm: ReadForm },
  site: FoundSite,
  url: string,
  { request, response }: { request: Request; response: Response },
): Promise<boolean> {
  const { config, dbOf } = service
  const form = await readForm({ request, response }, maxDraftBytes)
  const website = readDraft(config, site.workspaceId, form.get('draft') ?? '', service.clock())
  if (!website) return false
  const db = dbOf(site.workspaceId, 'read')
  const shop = await loadShop(db, { ...site, website }, url)
  const setting = { ...config, isPreview: true }
  const page = await drawPage(db, shop, addressOf('/', ''), setting)
  response.removeHeader('X-Frame-Options')
  // A frame with an opaque origin cannot be keyed by it, and browsers would complain.
  response.removeHeader('Origin-Agent-Cluster')
  response.set({
    'Content-Type': page.type,
    'Cache-Control': 'no-store',
    'X-Robots-Tag': 'noindex',
    'Content-Security-Policy': previewPolicy(page.policy ?? '', config.dashboardUrl),
    'Cross-Origin-Embedder-Policy': 'require-corp',
    'Cross-Origin-Resource-Policy': 'cross-origin',
  })
  response.end(page.plain)
  return true
}
