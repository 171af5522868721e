import type { Visit } from '../../../access/access.ts'
import { operations } from '../../../generated/operations.ts'
import { readCatalogueVersion } from '../../../queries/catalogue/feed.ts'
import { effectivePolicy } from '../../../domain/site/site_access.ts'
import type { Call } from '../call.ts'

const shared = 'public, max-age=0, s-maxage=60'
const immutable = 'public, max-age=86400, immutable'

/**
 * Says who may keep a published read. Guests of an open shop all read the same, whatever their tokens
 * are; what a customer reads, and what only customers may read, nobody stores.
 */
export function announceCaching({ door, operationId, access, headers, isOfVersion }: Call): void {
  const visit = access?.visit
  // A shop's own pages are kept apart, and their answers may set cookies.
  if (!visit || door.counts !== 'connections' || operations[operationId].tag !== 'storefront')
    return
  const isOpen = effectivePolicy(visit.site).visibility === 'PUBLIC'
  if (!isOpen || visit.visitor?.type === 'CUSTOMER')
    return void (headers['Cache-Control'] = 'private, no-store')
  headers['Cache-Control'] = isOfVersion ? immutable : shared
  headers.Vary = 'Accept-Encoding, Origin'
}

/**
 * Runs a call and notes whether what it read is of the version that its query names. That version must be
 * current before and after: every change moves it in its own transaction, so that what was read in
 * between is of that version. Who knows a version has sent the call after the change that made it, so
 * that the call was admitted by what holds since.
 */
export async function inVersion<T>(call: Call, { site }: Visit, run: () => Promise<T>): Promise<T> {
  const { version } = call.query
  if (version === undefined) return run()
  const isCurrent = async () => (await readCatalogueVersion(call.db, site.workspaceId)) === version
  const wasCurrent = await isCurrent()
  const output = await run()
  call.isOfVersion = wasCurrent && (await isCurrent())
  return output
}
