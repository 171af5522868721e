import type { Kysely } from 'kysely'
import type { Database } from '../db/schema.ts'
import {
  findSite,
  findSiteOfDomain,
  type FoundSite,
  knownOf,
  type ReadSite,
} from '../queries/site/found_sites.ts'

/** By what a site has its address. */
export type SiteNames = Pick<FoundSite, 'subDomain' | 'domain'>

const label = /^[a-z0-9][a-z0-9-]{1,30}[a-z0-9]$/
const hostName = /^(?=.{4,244}$)([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z0-9-]{2,63}$/

/** The part of `SITE_DOMAIN` that a host ends with: `:3003`, or nothing. */
const portOf = (siteDomain: string) => /:\d+$/.exec(siteDomain)?.[0] ?? ''

/** The one host at which a site's pages are: its own domain, or its name before that of the sites. */
export function hostOf(siteDomain: string, { subDomain, domain }: SiteNames): string {
  return domain === null ? `${subDomain}.${siteDomain}` : `${domain}${portOf(siteDomain)}`
}

/**
 * The site that a host names: one label before the domain of the sites, or a verified domain, exactly as
 * they are stored. What it was found as before spares the reading of a website that has not changed.
 */
export async function findSiteAt(
  db: Kysely<Database>,
  siteDomain: string,
  host: string,
  { now, last }: { now: Date; last?: FoundSite | undefined },
): Promise<FoundSite | undefined> {
  const read = readerOf(siteDomain, host)
  const site = await read?.(db, { known: knownOf(last), now })
  return site && { ...site, website: site.website ?? last!.website }
}

type ReadSiteAt = (
  db: Kysely<Database>,
  parameters: { known: string; now: Date },
) => Promise<ReadSite | undefined>

function readerOf(siteDomain: string, host: string): ReadSiteAt | undefined {
  const end = `.${siteDomain}`
  if (host.endsWith(end)) {
    const name = host.slice(0, -end.length)
    return label.test(name) ? (db, parts) => findSite(db, { name, ...parts }) : undefined
  }
  const port = portOf(siteDomain)
  if (!host.endsWith(port)) return undefined
  const domain = host.slice(0, host.length - port.length)
  if (!hostName.test(domain)) return undefined
  return (db, { known }) => findSiteOfDomain(db, { domain, known })
}
