import type { Visit } from '../../../access/access.ts'
import { operations } from '../../../generated/operations.ts'
import { readCatalogueVersion } from '../../../queries/catalogue/feed.ts'
import { effectivePolicy } from '../../../domain/site/site_access.ts'
import type { Call } from '../call.ts'

const shared = 'public, max-age=0, s-maxage=60'
const immutable = 'public, max-age=86400, immutable'

/**
 * Says who may cache a published read. All guests of an open shop read the same, with any token; what a
 * customer reads, or what only customers may read, must not be stored.
 */
export function announceCaching({ door, operationId, access, headers, isOfVersion }: Call): void {
  const visit = access?.visit
  // A shop's own pages are cached in another way, and their answers may set cookies.
  if (!visit || door.counts !== 'connections' || operations[operationId].tag !== 'storefront')
    return
  const isOpen = effectivePolicy(visit.site).visibility === 'PUBLIC'
  if (!isOpen || visit.visitor?.type === 'CUSTOMER')
    return void (headers['Cache-Control'] = 'private, no-store')
  headers['Cache-Control'] = isOfVersion ? immutable : shared
  headers.Vary = 'Accept-Encoding, Origin'
}

/**
 * Runs a call and notes whether its result belongs to the version that its query names. It does if that
 * version is current both before and after: every change moves the version in its own transaction, so the
 * data read in between is of that version. A client that knows a version sends its call after the change
 * that made it, so the call was admitted by rules at least as new.
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
