import type { Transaction } from 'kysely'
import { hashAddress, hashToken, newToken } from '../../core/secrets.ts'
import { day } from '../../core/time.ts'
import type { Database } from '../../db/schema.ts'
import type { components } from '../../generated/types.ts'
import type { VisitorCaller } from '../../operation.ts'
import { ensureCustomer, insertCustomerSession } from '../../queries/site/customers.ts'
import { type CodeAddress, getCodeDetails } from '../../queries/people/one_time_codes.ts'
import { moveRequests } from '../../queries/credits/quotas.ts'
import { insertUsageEvent, type UsageEvent } from '../../queries/credits/usage_events.ts'

type CustomerCredential = components['schemas']['CustomerCredential']

/** The profile stated when requesting a code. */
interface CodeProfile {
  name: string
  phone: string | null
  language: string
}

export function sessionEnd({ config, now }: Pick<VisitorCaller, 'config' | 'now'>): Date {
  return new Date(now.getTime() + config.customerSessionDays * day)
}

/** The key of a code: one live code per address and workspace. */
export function codeAddressOf(workspaceId: string, email: string): CodeAddress {
  return { purpose: 'customer_sign_in', subject: workspaceId, email }
}

/**
 * The visitor id under which the day's requests of an address count while it has no customer: deleting
 * oneself and signing in again must not be a new day.
 */
export function absenteeOf(
  { config, site }: Pick<VisitorCaller, 'config' | 'site'>,
  email: string,
): string {
  const hash = hashAddress(config.secretKey, [site.workspaceId, email])
  return `abs_${hash.toString('base64url')}`
}

/** Signs in the customer who has just used the code for this address. */
export async function openCustomerSession(
  trx: Transaction<Database>,
  caller: VisitorCaller,
  address: CodeAddress,
): Promise<CustomerCredential> {
  const { now, config, site } = caller
  const { workspaceId } = site
  const details = (await getCodeDetails(trx, address)) as CodeProfile
  const profile = { ...details, email: address.email }
  const customer = await ensureCustomer(trx, workspaceId, profile, now)
  const from = absenteeOf(caller, address.email)
  await moveRequests(trx, { workspaceId, from, to: customer.id })
  const token = newToken('customerSession', config.environment)
  const sessionExpiresAt = await insertCustomerSession(trx, workspaceId, {
    customerId: customer.id,
    tokenHash: hashToken(token),
    now,
    expiresAt: sessionEnd(caller),
  })
  const signIn: UsageEvent = {
    actorType: 'CUSTOMER',
    userId: customer.id,
    eventName: 'customer.sign_in',
    endpoint: 'verify_customer_code',
    resourceType: 'customer',
    resourceId: customer.id,
  }
  await insertUsageEvent(trx, workspaceId, signIn, now)
  return { token, sessionExpiresAt, customer }
}
