import { domainToASCII } from 'node:url'
import type { Kysely, Transaction } from 'kysely'
import type { TxtLookup } from '../../adapters/txt_records.ts'
import { ApiError, invalidInput } from '../../core/errors.ts'
import { isPublicName } from '../../core/public_urls.ts'
import { day } from '../../core/time.ts'
import { parsedUrl, registrableDomain } from '../../core/urls.ts'
import type { Database } from '../../db/schema.ts'
import { eachAlone } from '../../fairness/alone.ts'
import type { ServiceConfig } from '../../operation.ts'
import {
  type Domain,
  listDueDomains,
  lockVerifiedDomain,
  updateProblem,
  updateVerified,
} from '../../queries/site/domains.ts'
import { loseDomain } from './lost_domains.ts'

type Origins = Pick<ServiceConfig, 'siteDomain' | 'baseUrl' | 'dashboardUrl' | 'adminUrl'>
type Addresses = Pick<ServiceConfig, 'siteDomain' | 'dashboardUrl'>

const label = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/
/** The last label is a word, or one in another script. */
const lastLabel = /^([a-z]{2,}|xn--.+)$/

/** Longer names have no room for that of the record before them. */
const maxLength = 253 - '_vitrine.'.length

/**
 * The ASCII form of a public host name that a shop can have: none of our own addresses, or of the names
 * beside them, which visitors would take for ours.
 */
export function requireDomainName(text: string, config: Origins): string {
  if (config.siteDomain === undefined) throw invalidInput({ name: 'domainsOff' })
  const name = hostNameIn(text)
  if (name === undefined || !isPublicName(name)) throw invalidInput({ name: 'domainName' })
  const own = ownHosts(config).map(registrableDomain)
  if (own.includes(registrableDomain(name))) throw invalidInput({ name: 'domainReserved' })
  return name
}

function ownHosts({ siteDomain, baseUrl, dashboardUrl, adminUrl }: Origins): string[] {
  const urls = [`http://${siteDomain}`, baseUrl, dashboardUrl, adminUrl]
  return urls.map((url) => parsedUrl(url)?.hostname ?? '')
}

/** The host in its one form; undefined if the text is none, or an IP address, which ends with a number. */
function hostNameIn(text: string): string | undefined {
  // What the parser of URLs would take for something else than a host, or decode.
  if (/[\s\p{Cc}/\\:?#@%[\]*|<>^]/u.test(text)) return undefined
  const name = domainToASCII(text).replace(/\.$/, '')
  const labels = name.split('.')
  const isName = labels.length > 1 && labels.every((part) => label.test(part))
  const isWord = lastLabel.test(labels.at(-1) ?? '')
  return isName && isWord && name.length <= maxLength ? name : undefined
}

/** What stands at a domain's record; undefined if no name server answered. */
export async function readRecord(
  lookUp: TxtLookup,
  { recordName }: Pick<Domain, 'recordName'>,
): Promise<string[] | undefined> {
  try {
    return await lookUp(recordName)
  } catch {
    return undefined
  }
}

/** Why what was read does not verify the domain; null if it does. */
export function problemIn(
  found: string[] | undefined,
  { recordValue }: Pick<Domain, 'recordValue'>,
): Domain['problem'] {
  if (found === undefined) return 'NO_ANSWER'
  if (found.includes(recordValue)) return null
  return found.length === 0 ? 'NO_RECORD' : 'OTHER_VALUE'
}

/** A name server may answer what stood there yesterday, and would give the name back to who had it then. */
const shortestHold = day

/**
 * Gives the name to the workspace whose record was found. One that had it before keeps it as long as its
 * own record is there, too, and for a day in any case: a domain that is sold changes hands, and a
 * stranger's record takes nothing.
 */
export async function claimName(
  trx: Transaction<Database>,
  domain: Domain,
  found: string[],
  { config, now }: { config: Addresses; now: Date },
): Promise<void> {
  const holder = await lockVerifiedDomain(trx, domain.name)
  if (holder && holder.id !== domain.id) {
    const heldFor = now.getTime() - new Date(holder.verifiedAt!).getTime()
    if (heldFor < shortestHold || found.includes(holder.recordValue))
      throw new ApiError('duplicate', 'domainTaken', { name: 'domainTaken' })
    await loseDomain(trx, holder, 'taken', config)
  }
  await updateVerified(trx, domain.id, now)
}

/** Looks at domains that were not looked at for a day. */
export async function sweepDomains(
  db: Kysely<Database>,
  { lookUp, config, now }: { lookUp: TxtLookup; config: Addresses; now: Date },
): Promise<void> {
  const before = new Date(now.getTime() - day)
  const due = await listDueDomains(db, { before, limit: looksInSweep })
  const note = async ({ domain, found }: Look) => {
    const problem = problemIn(found, domain)
    if (isMissing(problem) && isMissing(domain.problem)) await giveUp(db, domain, config)
    else await updateProblem(db, domain.id, problem, now)
  }
  await eachAlone(looksAt(due, lookUp), note, 'Some domains were not looked at.')
}

const looksInSweep = 100

interface Look {
  domain: Domain
  found: string[] | undefined
}

/** An answer may be seconds in coming: one after the other, a sweep would outlast its interval. */
const looksAtOnce = 10

async function* looksAt(domains: Domain[], lookUp: TxtLookup): AsyncGenerator<Look> {
  const look = async (domain: Domain) => ({ domain, found: await readRecord(lookUp, domain) })
  for (let start = 0; start < domains.length; start += looksAtOnce)
    yield* await Promise.all(domains.slice(start, start + looksAtOnce).map(look))
}

const isMissing = (problem: Domain['problem']) =>
  problem === 'NO_RECORD' || problem === 'OTHER_VALUE'

/**
 * Leads visitors no longer to a domain whose record was missing a day ago and is missing now: it may be another
 * owner's, and visitors would take what stands there for the shop.
 */
async function giveUp(
  db: Kysely<Database>,
  { id, name }: Domain,
  config: Addresses,
): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const domain = await lockVerifiedDomain(trx, name)
    if (domain?.id !== id || domain.problem === null) return
    await loseDomain(trx, domain, 'gone', config)
  })
}
