import { notFound } from '../../core/errors.ts'
import { newGuestToken } from '../../core/secrets.ts'
import { day } from '../../core/time.ts'
import { writeOnTheSide } from '../../db/read_only.ts'
import type { components } from '../../generated/types.ts'
import type { Visitor, VisitorCaller } from '../../operation.ts'
import { findBootstrapVisitor, insertVisit, type VisitorActor } from '../../queries/site/visits.ts'
import { effectivePolicy } from './site_access.ts'

type Bootstrap = components['schemas']['Bootstrap']
type AccessPolicy = components['schemas']['AccessPolicy']

const guestTokenMilliseconds = 90 * day
/** A token on a page of others may be read by whatever else runs there. */
const widgetTokenMilliseconds = day

/** Quotas and visits are counted per UTC day. */
export function utcDay(now: Date): string {
  return now.toISOString().slice(0, 10)
}

/** Answers of one trial: an owner who tries the assistant does not stop where a guest would. */
const trialRequests = 200

/** AI requests per day that the policy allows this visitor. */
export function dailyRequests(policy: AccessPolicy, { type, isTrial }: Visitor): number {
  if (isTrial) return trialRequests
  if (type === 'CUSTOMER') return policy.customerDailyRequests
  return policy.guestAiEnabled ? policy.guestDailyRequests : 0
}

/** Who an event of the visitor is recorded for. Trials are counted together, as guests are. */
export function actorOf({ type, id, isTrial }: Visitor): VisitorActor {
  if (isTrial) return { actorType: 'TRIAL', userId: null }
  return { actorType: type, userId: type === 'CUSTOMER' ? id : null }
}

/** Starts a visit: returns the site, the visitor and what is left of today's quota. */
export async function bootstrapVisit(caller: VisitorCaller, visitor: Visitor): Promise<Bootstrap> {
  const { db, now, site } = caller
  const { workspaceId } = site
  const today = { workspaceId, visitorId: visitor.id, day: utcDay(now) }
  if (!site.front) throw notFound('workspace')
  const { subDomain, website } = site.front
  const { logoImageId } = website
  const [row] = await findBootstrapVisitor(db, { ...today, logoImageId })
  const { customer, requestsMade, visited, logo, catalogueVersion } = row!
  // On the shop's own pages, visitors are counted as they read.
  if (!visited && !visitor.isTrial && site.from !== 'pages')
    await writeOnTheSide(db, () => insertVisit(db, { ...today, ...actorOf(visitor) }, now))
  const remaining = dailyRequests(site.accessPolicy, visitor) - requestsMade
  const accessPolicy = effectivePolicy(site)
  return {
    workspace: {
      id: workspaceId,
      name: site.workspaceName,
      subDomain,
      templateKey: website.templateKey,
      // One policy in both places, or a site that reads this one would show a closed shop as open.
      website: { ...website, logo, accessPolicy },
    },
    accessPolicy,
    viewer: {
      type: visitor.type,
      customer,
      remainingRequests: Math.max(0, remaining),
    },
    guestToken: guestTokenFor(caller),
    challengeSiteKey: caller.botChallenge.siteKey(workspaceId),
    catalogueVersion,
  }
}

/**
 * A guest token for the named device, even while a customer is signed in: after signing out they
 * are a guest again.
 */
function guestTokenFor({ config, site, deviceId, now }: VisitorCaller): string | null {
  if (deviceId === undefined) return null
  const guest = { workspaceId: site.workspaceId, deviceId }
  const life = site.from === 'widget' ? widgetTokenMilliseconds : guestTokenMilliseconds
  const expiresAt = new Date(now.getTime() + life)
  return newGuestToken(config.secretKey, config.environment, guest, expiresAt)
}
