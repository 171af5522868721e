import type { ServiceConfig } from '../operation.ts'

/** The origin of a shop's pages, by its name; undefined if shops have none. */
export function shopAddress(
  { environment, siteDomain }: Pick<ServiceConfig, 'environment' | 'siteDomain'>,
  subDomain: string,
): string | undefined {
  if (siteDomain === undefined) return undefined
  return `${environment === 'production' ? 'https' : 'http'}://${subDomain}.${siteDomain}`
}
