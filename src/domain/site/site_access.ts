import { ApiError } from '../../core/errors.ts'
import type { components } from '../../generated/types.ts'
import type { Site, VisitorCaller } from '../../operation.ts'

type AccessPolicy = components['schemas']['AccessPolicy']

/** Refuses all visitors of a hidden or closed site. */
export function requireSiteOpen(site: Site): void {
  if (effectivePolicy(site).visibility === 'CLOSED')
    throw new ApiError('access_restricted', 'siteClosed')
}

type Visit = Pick<VisitorCaller, 'site' | 'visitor'>

/** Requires a customer to show the catalogue where the site's policy says so. */
export function requireCatalogueOpen(visit: Visit): void {
  requireSiteOpen(visit.site)
  if (!mayReadCatalogue(visit)) throw new ApiError('sign_in_required', 'catalogueNeedsSignIn')
}

/** Whether a visitor of an open site may read its catalogue. */
export function mayReadCatalogue({ site, visitor }: Visit): boolean {
  return site.accessPolicy.visibility !== 'SIGN_IN' || visitor?.type === 'CUSTOMER'
}

/** The policy visitors experience: a hidden site is closed. */
export function effectivePolicy({ isVisible, accessPolicy }: Site): AccessPolicy {
  return isVisible ? accessPolicy : { ...accessPolicy, visibility: 'CLOSED' }
}
