import type { Transaction } from 'kysely'
import { ApiError } from '../../core/errors.ts'
import { newId } from '../../core/ids.ts'
import { day } from '../../core/time.ts'
import type { Database } from '../../db/schema.ts'
import type { components } from '../../generated/types.ts'
import { isHiddenByStaff } from '../../queries/administration/audit_entries.ts'
import { lockAccount } from '../../queries/people/accounts.ts'
import { insertWebsite } from '../../queries/site/websites.ts'
import {
  getOwnership,
  getWorkspace,
  insertOwner,
  insertWorkspace,
} from '../../queries/people/workspaces.ts'
import { claimSubDomain, holdSubDomain, isApprovedName } from '../../queries/people/sub_domains.ts'
import { bestLanguage } from '../../texts/languages.ts'
import { isImitation, isMisleading } from './misleading_names.ts'
import { type NamedShop, passesForCompany } from './shown_names.ts'
import { defaultAccessPolicy, requireTemplate } from './templates.ts'

type Workspace = components['schemas']['Workspace']
type WorkspaceCreate = components['schemas']['WorkspaceCreate']

/** Names that a visitor would take for the service itself, or that mail and name servers use. */
const reserved = new Set(
  `api workspace admin docs website-editor www mail smtp imap ftp ns1 ns2 app dashboard static assets
  cdn media status support help login account auth oauth mcp widget blog shop`.split(/\s+/),
)

/** Browsers show such a name in another script, where it may look like a name of someone else. */
const isPunycode = (subDomain: string) => subDomain.startsWith('xn--')

/** Days until a subdomain can change again, and that a released one is held for its workspace. */
const holdDays = 30
const holdMilliseconds = holdDays * day

/** Creates a workspace owned by the account, with a website from the template. */
export async function createWorkspace(
  trx: Transaction<Database>,
  accountId: string,
  { name, subDomain, templateKey, phone }: WorkspaceCreate,
  now: Date,
): Promise<Workspace> {
  const template = requireTemplate(templateKey, { field: 'phone', number: phone })
  const { email, language } = await requireRoomToOwn(trx, accountId)
  const id = newId('ws')
  const isApproved = !isMisleading(subDomain) && !isImitation(name)
  await requireSubDomain(trx, id, { name: subDomain, isApproved, mayKeep: false }, now)
  const billing = { billingEmail: email, billingPhone: phone ?? null }
  await insertWorkspace(trx, { id, name, subDomain, ...billing }, now)
  const website = {
    templateKey: template.key,
    theme: template.theme,
    seo: { title: name, description: '' },
    accessPolicy: defaultAccessPolicy,
    language: bestLanguage([language]),
  }
  await insertWebsite(trx, id, website, now)
  await insertOwner(trx, id, accountId, email)
  return getWorkspace(trx, id)
}

/** Claims the subdomain for the workspace, or refuses: reserved, taken and held look the same. */
async function requireSubDomain(
  trx: Transaction<Database>,
  workspaceId: string,
  claim: { name: string; isApproved: boolean; mayKeep: boolean },
  now: Date,
): Promise<void> {
  const subDomain = claim.name
  const isOffered = !reserved.has(subDomain) && !isPunycode(subDomain)
  if (isOffered && (await claimSubDomain(trx, workspaceId, claim, now))) return
  const reason = ['subDomainUnavailable', { subDomain }] as const
  throw new ApiError('subdomain_unavailable', reason, { subDomain: reason })
}

/**
 * Moves a workspace to another subdomain and holds the old one for it; once in 30 days. What staff have decided
 * of the shop, or have yet to decide of its name, holds at the other subdomain, too.
 */
export async function moveSubDomain(
  trx: Transaction<Database>,
  shop: NamedShop,
  { subDomain, subDomainChangedAt }: { subDomain: string; subDomainChangedAt: string | null },
  now: Date,
): Promise<void> {
  const { id, subDomain: former } = shop.workspace
  if (subDomainChangedAt !== null) {
    const free = new Date(new Date(subDomainChangedAt).getTime() + holdMilliseconds)
    if (now < free) {
      const reason = ['subDomainCooldown', { days: holdDays, time: minuteOf(free) }] as const
      throw new ApiError('subdomain_cooldown', reason, { subDomain: reason })
    }
  }
  const mayBeShown =
    (await isApprovedName(trx, former)) ||
    (!passesForCompany(shop) && !(await isHiddenByStaff(trx, id)))
  const isApproved = !isMisleading(subDomain) && mayBeShown
  await requireSubDomain(trx, id, { name: subDomain, isApproved, mayKeep: mayBeShown }, now)
  await holdSubDomain(trx, former, new Date(now.getTime() + holdMilliseconds))
}

/** Rounds up, so that the stated time is never too early. */
function minuteOf(time: Date): string {
  const minute = new Date(Math.ceil(time.getTime() / 60_000) * 60_000)
  return `${minute.toISOString().slice(0, 16).replace('T', ' ')} UTC`
}

/**
 * Refuses ownership beyond the account's limit. The account stays locked until the transaction
 * ends, so that parallel attempts count each other.
 */
export async function requireRoomToOwn(
  trx: Transaction<Database>,
  accountId: string,
): Promise<{ email: string; language: string }> {
  const { email, language } = await lockAccount(trx, accountId)
  const { limit, owned } = await getOwnership(trx, accountId)
  if (owned >= limit)
    throw new ApiError('workspace_limit_reached', ['workspaceLimit', { count: limit }])
  return { email, language }
}
