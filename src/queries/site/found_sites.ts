import { type RawBuilder, sql } from 'kysely'
import { preparedRow } from '../../db/prepared.ts'
import { jsonObject } from '../../db/read_fields.ts'
import type { components } from '../../generated/types.ts'
import { websiteFields } from './websites.ts'

/* Raw SQL: every page of a shop begins with one of these statements. */

/** A site, as found by one of its names. */
export interface FoundSite {
  workspaceId: string
  name: string
  /** The current name; it differs from the requested one if that is only held. */
  subDomain: string
  /** The shop's own domain, if it is chosen as its address. */
  domain: string | null
  isVisible: boolean
  /** Whether the workspace is suspended, its name awaits approval, or it has no active owner. */
  isSuspended: boolean
  website: components['schemas']['Website']
  /** What staff chose for the customized template; null if nothing. */
  design: components['schemas']['WorkspaceDesign'] | null
  /** Null until one is chosen. */
  timeZone: string | null
  /** Changes with everything that a visitor can see. */
  version: string
}

/** A site without its website if the reader already has that version. */
export type ReadSite = Omit<FoundSite, 'website'> & { website: FoundSite['website'] | null }

const version = sql<string>`coalesce(heads.last, 0) || '.' || coalesce(heads.pages, 0)`

/** Identifies the website that a reader already has: it changes only with the version. */
export function knownOf(site: FoundSite | undefined): string {
  return site ? `${site.workspaceId} ${site.version}` : ''
}

/**
 * The website is most of the row, so it is skipped if known. A former name must not reach a site whose
 * current name awaits approval, either.
 */
const siteColumns = (known: RawBuilder<string>) => sql`
  workspaces.id as "workspaceId", workspaces.name, workspaces.sub_domain as "subDomain",
  (select own.name from site_domains own
    where own.workspace_id = workspaces.id and own.is_primary) as domain,
  workspaces.is_visible as "isVisible",
  workspaces.status <> 'ACTIVE' or not names.is_approved
    or (names.name <> workspaces.sub_domain and exists (select from sub_domains current
      where current.name = workspaces.sub_domain and not current.is_approved))
    or not exists (
    select from members join accounts on accounts.id = members.account_id
    where members.workspace_id = workspaces.id and members.role = 'owner'
      and members.status = 'ACTIVE' and accounts.status = 'ACTIVE') as "isSuspended",
  case when workspaces.id || ' ' || ${version} <> ${known} then ${jsonObject(websiteFields)} end
    as website,
  websites.design, workspaces.time_zone as "timeZone", ${version} as version`

/**
 * The site with this name, in use or held for it, and the version of its pages. One statement, so that
 * name, policy and version are of the same moment: a page kept for a version is never older than the
 * version.
 */
export const findSite = preparedRow<{ name: string; known: string; now: Date }>()(
  'find_site',
  (_db, parameter) => sql<ReadSite>`(
    select ${siteColumns(parameter('known'))}
    from sub_domains names
    join workspaces on workspaces.id = names.workspace_id
    join websites on websites.workspace_id = workspaces.id
    left join feed_heads heads on heads.workspace_id = workspaces.id
    where names.name = ${parameter('name')}
      and (names.held_until is null or names.held_until > ${parameter('now')}::timestamptz))`,
)

/** The site that has verified this domain. Both names must be approved. */
export const findSiteOfDomain = preparedRow<{ domain: string; known: string }>()(
  'find_site_of_domain',
  (_db, parameter) => sql<ReadSite>`(
    select ${siteColumns(parameter('known'))}
    from site_domains
    join workspaces on workspaces.id = site_domains.workspace_id
    join sub_domains names on names.name = workspaces.sub_domain
    join websites on websites.workspace_id = workspaces.id
    left join feed_heads heads on heads.workspace_id = workspaces.id
    where site_domains.name = ${parameter('domain')} and site_domains.verified_at is not null
      and site_domains.is_approved)`,
)
