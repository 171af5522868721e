import type { Transaction } from 'kysely'
import { invalidInput } from '../src/core/errors.ts'
import { newId } from '../src/core/ids.ts'
import { isTimeZone } from '../src/core/time.ts'
import type { Database } from '../src/db/schema.ts'
import { adjustCredits } from '../src/domain/credits/wallet.ts'
import { normaliseEmail, requireEmail } from '../src/domain/people/email_addresses.ts'
import { mayMail } from '../src/domain/upkeep/mail_limits.ts'
import { codeMail } from '../src/domain/upkeep/mail_texts.ts'
import { requestCode, useCode } from '../src/domain/people/one_time_codes.ts'
import { requestCall } from '../src/domain/administration/call_requests.ts'
import { judgeNames, reviewNames } from '../src/domain/site/shown_names.ts'
import { madeWithStaff, requirePhoneFor } from '../src/domain/site/templates.ts'
import { createWorkspace, moveSubDomain } from '../src/domain/site/workspaces.ts'
import { needsApproval, updateApproval } from '../src/queries/change_sets/approval.ts'
import { movePages } from '../src/queries/catalogue/feed.ts'
import type { Caller, Handler } from '../src/operation.ts'
import { insertAuditEntry } from '../src/queries/administration/audit_entries.ts'
import { getAccount } from '../src/queries/people/accounts.ts'
import { isApprovedName } from '../src/queries/people/sub_domains.ts'
import {
  getOwnership,
  getWorkspace,
  listOwnedWorkspaces,
  lockWorkspace,
  updateTimeZone,
  updateWorkspace,
} from '../src/queries/people/workspaces.ts'
import { getWebsite } from '../src/queries/site/websites.ts'
import { getSender } from '../src/queries/upkeep/mail_reach.ts'
import { bestLanguage } from '../src/texts/languages.ts'

export const list_workspaces: Handler<'list_workspaces'> = async ({ query }, caller) => {
  const { db, accountId, onlyWorkspaceId } = caller
  const { page, pageSize } = query
  const { limit, owned } = await getOwnership(db, accountId)
  const part = { onlyWorkspaceId, limit: pageSize, offset: (page - 1) * pageSize }
  const workspaces = await listOwnedWorkspaces(db, { accountId, ...part })
  // The figures are the account's; a connection that is limited to one workspace cannot add to them.
  const canCreate = onlyWorkspaceId === null && owned < limit
  return { page, pageSize, creationPolicy: { limit, owned, canCreate }, workspaces }
}

export const create_workspace: Handler<'create_workspace'> = ({ body }, caller) =>
  caller.transaction(async (trx) => {
    const { accountId, now } = caller
    const workspace = await createWorkspace(trx, accountId, body, now)
    const template = madeWithStaff(workspace.templateKey)
    if (template) {
      const sender = await getAccount(trx, accountId)
      await requestCall(trx, caller, { workspace, sender, template })
    }
    if (!(await isApprovedName(trx, workspace.subDomain)))
      await reviewNames(trx, caller, { workspace, website: await getWebsite(trx, workspace.id) })
    await giveStarterCredits(trx, caller, workspace.id)
    return workspace
  })

/** What the operator gives a new workspace: in the ledger and the audit, as an adjustment by staff. */
async function giveStarterCredits(
  trx: Transaction<Database>,
  { config, now }: Caller,
  workspaceId: string,
): Promise<void> {
  const credits = config.starterCredits
  if (credits === 0) return
  const [auditId, reason] = [newId('aud'), 'Starter credits']
  const move = { credits, reason, reference: auditId, now }
  const { balanceAfter } = await adjustCredits(trx, workspaceId, move)
  const entry = {
    id: auditId,
    staffEmail: 'operator',
    action: 'adjust_credits' as const,
    subjectType: 'workspace' as const,
    subjectId: workspaceId,
    before: { balance: 0 },
    after: { balance: balanceAfter, credits, reason },
  }
  await insertAuditEntry(trx, entry, now)
}

export const get_workspace: Handler<'get_workspace'> = ({ path }, { db }) =>
  getWorkspace(db, path.workspaceId)

export const update_workspace: Handler<'update_workspace'> = async ({ path, body }, caller) => {
  const { workspaceId } = path
  const { now } = caller
  const workspace = await caller.transaction(async (trx) => {
    const { subDomainChangedAt } = await lockWorkspace(trx, workspaceId)
    const current = await getWorkspace(trx, workspaceId)
    caller.requireCurrent(current)

    const { billingEmailCode, ...change } = body
    // A switch of the template holds the same lock, so it cannot slip in after this check.
    if (change.billingPhone === null)
      requirePhoneFor(current.templateKey, { field: 'billingPhone', number: null })
    if (change.billingEmail !== undefined) {
      change.billingEmail = normaliseEmail(change.billingEmail)
      if (change.billingEmail !== current.billingEmail) {
        const email = requireEmail(change.billingEmail, 'billingEmail')
        const address = { purpose: 'billing_email', subject: workspaceId, email } as const
        // Check the code before writing anything else: a wrong one is counted by committing this
        // otherwise empty transaction, and refused afterwards.
        if (!billingEmailCode || !(await useCode(trx, caller, address, billingEmailCode)))
          return undefined
      }
    }
    const { subDomain } = change
    const moves = subDomain !== undefined && subDomain !== current.subDomain
    const before = { workspace: current, website: await getWebsite(trx, workspaceId) }
    if (moves) await moveSubDomain(trx, before, { subDomain, subDomainChangedAt }, now)
    await updateWorkspace(trx, workspaceId, change, { now, moves })
    await movePages(trx, workspaceId)
    const changed = await getWorkspace(trx, workspaceId)
    await judgeNames(trx, caller, before, { ...before, workspace: changed })
    return changed
  })
  if (!workspace) throw invalidInput({ billingEmailCode: 'billingCodeNeeded' })
  return workspace
}

export const request_billing_email_code: Handler<'request_billing_email_code'> = async (
  { path, body },
  caller,
) => {
  const email = requireEmail(body.email)
  const address = { purpose: 'billing_email', subject: path.workspaceId, email } as const
  const { language } = await getAccount(caller.db, caller.accountId)
  return requestCode(
    caller,
    address,
    (code) => codeMail(bestLanguage([language]), 'billingEmail', code),
    {
      isMailed: async () => mayMail(caller, await getSender(caller.db, path.workspaceId), email),
    },
  )
}

export const get_agent_changes: Handler<'get_agent_changes'> = async ({ path }, { db }) => ({
  agentChangesNeedApproval: await needsApproval(db, path.workspaceId),
})

export const update_agent_changes: Handler<'update_agent_changes'> = ({ path, body }, caller) =>
  caller.transaction(async (trx) => {
    await updateApproval(trx, path.workspaceId, body.agentChangesNeedApproval)
    return body
  })

export const update_time_zone: Handler<'update_time_zone'> = ({ path, body }, caller) => {
  if (!isTimeZone(body.timeZone)) throw invalidInput({ timeZone: 'unknownTimeZone' })
  return caller.transaction(async (trx) => {
    await updateTimeZone(trx, path.workspaceId, body.timeZone)
    return body
  })
}
