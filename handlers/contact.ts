import { contactSite } from '../src/adapters/bot_challenge.ts'
import { ApiError } from '../src/core/errors.ts'
import { requireEmail } from '../src/domain/people/email_addresses.ts'
import { contactMail } from '../src/domain/upkeep/mail_texts.ts'
import { rateLimits } from '../src/core/rate_limits.ts'
import type { Handler } from '../src/operation.ts'
import { insertContactRequest } from '../src/queries/administration/contact_requests.ts'
import { listStaff } from '../src/queries/administration/staff.ts'

export const create_contact_request: Handler<'create_contact_request'> = async (
  { body },
  caller,
) => {
  const { clientIp, now, botChallenge, config } = caller
  const email = requireEmail(body.email)
  await caller.consume(rateLimits.contactsOfClient, clientIp)
  const use = { site: contactSite, action: 'contact', clientIp, now } as const
  if (!(await botChallenge.verify(body.challengeToken, use)))
    throw new ApiError('challenge_failed', 'challengeFailed')

  const request = { name: body.name, email, message: body.message }
  return caller.transaction(async (trx) => {
    await insertContactRequest(trx, request, now)
    const mail = contactMail(request, config.adminUrl)
    for (const { email: to } of await listStaff(trx)) await caller.sendMail(trx, { to, ...mail })
    return { accepted: true as const }
  })
}
