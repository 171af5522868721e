import { ApiError } from '../../core/errors.ts'
import type { components } from '../../generated/types.ts'
import type { Site, VisitorCaller } from '../../operation.ts'

type AccessPolicy = components['schemas']['AccessPolicy']

/** Refuses everybody at a site that its owner has hidden or closed. */
export function requireSiteOpen(site: Site): void {
  if (effectivePolicy(site).visibility === 'CLOSED')
    throw new ApiError('access_restricted', 'siteClosed')
}

/** What shows the catalogue asks for a customer where the site says so. */
export function requireCatalogueOpen({
  site,
  visitor,
}: Pick<VisitorCaller, 'site' | 'visitor'>): void {
  requireSiteOpen(site)
  if (site.accessPolicy.visibility === 'SIGN_IN' && visitor?.type !== 'CUSTOMER')
    throw new ApiError('sign_in_required', 'catalogueNeedsSignIn')
}

/** The policy as visitors meet it: a hidden site is a closed one. */
export function effectivePolicy({ isVisible, accessPolicy }: Site): AccessPolicy {
  return isVisible ? accessPolicy : { ...accessPolicy, visibility: 'CLOSED' }
}
