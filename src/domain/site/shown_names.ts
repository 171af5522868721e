import type { Transaction } from 'kysely'
import type { Database } from '../../db/schema.ts'
import type { components } from '../../generated/types.ts'
import type { AccountCaller } from '../../operation.ts'
import { isHiddenByStaff } from '../../queries/administration/audit_entries.ts'
import { isApprovedName, updateApprovedName } from '../../queries/people/sub_domains.ts'
import { requestReview } from '../administration/name_reviews.ts'
import { isImitation, isMisleading } from './misleading_names.ts'

/** A shop and the words that visitors know it by: its name, and the title and the headline of its home page. */
export interface NamedShop {
  workspace: Pick<components['schemas']['Workspace'], 'id' | 'name' | 'subDomain'>
  website: Pick<components['schemas']['Website'], 'headline' | 'seo'>
}

const namesOf = ({ workspace, website }: NamedShop) => [
  workspace.name,
  website.seo.title,
  website.headline,
]

export const passesForCompany = (shop: NamedShop) => namesOf(shop).some(isImitation)

/**
 * Hides the pages of a shop that has taken words which pass for a company, until a person has looked at them; one
 * that has given them all up is shown again, unless staff have hidden it. The caller holds the workspace's lock.
 */
export async function judgeNames(
  trx: Transaction<Database>,
  caller: AccountCaller,
  before: NamedShop,
  after: NamedShop,
): Promise<void> {
  const { id, subDomain } = after.workspace
  const [former, names] = [namesOf(before), namesOf(after)]
  const taken = names.filter((name, index) => name !== former[index])
  if (taken.length === 0 && subDomain === before.workspace.subDomain) return
  if (taken.some(isImitation)) await updateApprovedName(trx, subDomain, false)
  else {
    const isFree = passesForCompany(before) && !passesForCompany(after) && !isMisleading(subDomain)
    if (isFree && !(await isHiddenByStaff(trx, id))) await updateApprovedName(trx, subDomain, true)
  }
  if (!(await isApprovedName(trx, subDomain))) await reviewNames(trx, caller, after)
}

/** Asks the staff to look at all words of a shop that pass for others. */
export async function reviewNames(
  trx: Transaction<Database>,
  caller: AccountCaller,
  { workspace, website }: NamedShop,
): Promise<void> {
  const others = [website.seo.title, website.headline].filter(isImitation)
  const shown = [...new Set([workspace.subDomain, ...others])].join(', ')
  await requestReview(trx, caller, { ...workspace, shown })
}
