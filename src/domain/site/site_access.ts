import { ApiError } from '../../core/errors.ts'
import type { components } from '../../generated/types.ts'
import type { Site, VisitorCaller } from '../../operation.ts'

type AccessPolicy = components['schemas']['AccessPolicy']

/** Refuses all visitors of a hidden or closed site. */
export function requireSiteOpen(site: Site): void {
  if (effectivePolicy(site).visibility === 'CLOSED')
    throw new ApiError('access_restricted', 'siteClosed')
}

/** Requires a customer to show the catalogue where the site's policy says so. */
export function requireCatalogueOpen({
  site,
  visitor,
}: Pick<VisitorCaller, 'site' | 'visitor'>): void {
  requireSiteOpen(site)
  if (site.accessPolicy.visibility === 'SIGN_IN' && visitor?.type !== 'CUSTOMER')
    throw new ApiError('sign_in_required', 'catalogueNeedsSignIn')
}

/** The policy visitors experience: a hidden site is closed. */
export function effectivePolicy({ isVisible, accessPolicy }: Site): AccessPolicy {
  return isVisible ? accessPolicy : { ...accessPolicy, visibility: 'CLOSED' }
}
