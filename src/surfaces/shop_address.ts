import type { ServiceConfig } from '../operation.ts'
import { hostOf, type SiteNames } from '../site/hosts.ts'

/** The origin of a shop's pages, by its names; undefined if shops have none. */
export function shopAddress(
  { environment, siteDomain }: Pick<ServiceConfig, 'environment' | 'siteDomain'>,
  names: SiteNames,
): string | undefined {
  if (siteDomain === undefined) return undefined
  return `${environment === 'production' ? 'https' : 'http'}://${hostOf(siteDomain, names)}`
}
