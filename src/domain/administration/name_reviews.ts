import type { Transaction } from 'kysely'
import type { Database } from '../../db/schema.ts'
import type { AccountCaller } from '../../operation.ts'
import { claimReviewMail } from '../../queries/administration/administration.ts'
import { insertOrExtendContactRequest } from '../../queries/administration/contact_requests.ts'
import { listStaff } from '../../queries/administration/staff.ts'
import { getAccount } from '../../queries/people/accounts.ts'
import { contactMail, reviewMessage } from '../upkeep/mail_texts.ts'

/** Asks the staff to look at what a shop is called, as a contact request and, while they decide, by one mail a day. */
export async function requestReview(
  trx: Transaction<Database>,
  caller: AccountCaller,
  { id, name: workspace, shown }: { id: string; name: string; shown: string },
): Promise<void> {
  const { name, email } = await getAccount(trx, caller.accountId)
  const request = { name, email, message: reviewMessage({ workspace, shown }) }
  await insertOrExtendContactRequest(trx, request, caller.now)
  if (!(await claimReviewMail(trx, id, caller.now))) return
  const mail = contactMail(request, caller.config.adminUrl)
  for (const { email: to } of await listStaff(trx)) await caller.sendMail(trx, { to, ...mail })
}
