import type { Transaction } from 'kysely'
import type { Database } from '../../db/schema.ts'
import type { components } from '../../generated/types.ts'
import type { AccountCaller } from '../../operation.ts'
import { insertOrExtendContactRequest } from '../../queries/administration/contact_requests.ts'
import { listStaff } from '../../queries/administration/staff.ts'
import { callMessage, contactMail } from '../upkeep/mail_texts.ts'

/** What the staff need to know of the workspace they are to call about. */
interface CallRequest {
  workspace: Pick<components['schemas']['Workspace'], 'id' | 'name' | 'subDomain' | 'billingPhone'>
  /** The account that asks. */
  sender: { name: string; email: string }
  template: string
}

/** Asks the staff to call, as a contact request and by mail; once, while they have not read it. */
export async function requestCall(
  trx: Transaction<Database>,
  caller: AccountCaller,
  { workspace, sender: { name, email }, template }: CallRequest,
): Promise<void> {
  const { id, billingPhone, subDomain } = workspace
  const phone = billingPhone ?? ''
  const message = callMessage({ workspace: workspace.name, id, subDomain, template, phone })
  const request = { name, email, message }
  if (!(await insertOrExtendContactRequest(trx, request, caller.now))) return
  const mail = contactMail(request, caller.config.adminUrl)
  for (const { email: to } of await listStaff(trx)) await caller.sendMail(trx, { to, ...mail })
}
