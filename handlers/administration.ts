import type { Kysely } from 'kysely'
import { ApiError, invalidInput } from '../src/core/errors.ts'
import { newId } from '../src/core/ids.ts'
import { paginationOf } from '../src/core/paging.ts'
import type { Database } from '../src/db/schema.ts'
import { recordChange } from '../src/domain/administration/audit.ts'
import { adjustCredits } from '../src/domain/credits/wallet.ts'
import { defaultDesign, designChange, wholeDesign } from '../src/domain/site/designs.ts'
import type { Handler, StaffCaller } from '../src/operation.ts'
import {
  getAccountDetail,
  getAdminAccount,
  getAdminWorkspace,
  listAccounts,
  listAllWorkspaces,
  lockStandingOfAccount,
  lockStandingOfWorkspace,
  updateNameApproval,
  updateStandingOfAccount,
  updateStandingOfWorkspace,
} from '../src/queries/administration/administration.ts'
import { insertAuditEntry, listAuditEntries } from '../src/queries/administration/audit_entries.ts'
import {
  listContactRequests,
  lockContactRequest,
  updateReadAt,
} from '../src/queries/administration/contact_requests.ts'
import {
  getSource,
  listSourceConnections,
  listSources,
  lockSource,
  updateSource,
} from '../src/queries/agents/sources.ts'
import { movePages } from '../src/queries/catalogue/feed.ts'
import { lockWallet } from '../src/queries/credits/wallets.ts'
import { listMembers } from '../src/queries/people/members.ts'
import { listOwnedNames } from '../src/queries/people/workspaces.ts'
import { getDesign, updateDesign } from '../src/queries/site/designs.ts'
import type { components } from '../src/generated/types.ts'

export const list_accounts: Handler<'list_accounts'> = async ({ query }, { db }) => {
  const { rows, total } = await listAccounts(db, query)
  return { accounts: rows, pagination: paginationOf(query.page, query.pageSize, total) }
}

export const get_admin_account: Handler<'get_admin_account'> = async ({ path }, { db, now }) => ({
  account: await getAdminAccount(db, path.id),
  ...(await getAccountDetail(db, path.id, now)),
})

export const get_admin_workspace: Handler<'get_admin_workspace'> = async ({ path }, { db }) => ({
  workspace: await getAdminWorkspace(db, path.id),
  members: await listMembers(db, path.id),
})

export const update_account_limit: Handler<'update_account_limit'> = ({ path, body }, caller) =>
  updateAccount(caller, 'update_account_limit', path.id, body)

export const update_account_status: Handler<'update_account_status'> = ({ path, body }, caller) =>
  updateAccount(caller, 'update_account_status', path.id, body)

function updateAccount(
  caller: StaffCaller,
  action: 'update_account_limit' | 'update_account_status',
  id: string,
  after: components['schemas']['StandingUpdate'] | components['schemas']['WorkspaceLimit'],
): Promise<components['schemas']['AdminAccount']> {
  return caller.transaction(async (trx) => {
    const standing = await lockStandingOfAccount(trx, id)
    const { status, workspaceLimit } = standing
    const before = action === 'update_account_limit' ? { workspaceLimit } : { status }
    const change = { action, subjectType: 'account', subjectId: id, before, after } as const
    await recordChange(trx, caller, change, () =>
      updateStandingOfAccount(trx, id, { ...standing, ...after }, caller.now),
    )
    // A shop is closed while all its owners are suspended.
    if ('status' in after) {
      const owned = (await listOwnedNames(trx, id)).map((workspace) => workspace.id)
      // In one order, so that two of these cannot wait for each other.
      for (const workspaceId of owned.sort()) await movePages(trx, workspaceId)
    }
    return getAdminAccount(trx, id)
  })
}

export const list_all_workspaces: Handler<'list_all_workspaces'> = async ({ query }, { db }) => {
  const { rows, total } = await listAllWorkspaces(db, query)
  return { workspaces: rows, pagination: paginationOf(query.page, query.pageSize, total) }
}

export const update_workspace_status: Handler<'update_workspace_status'> = (
  { path, body },
  caller,
) =>
  caller.transaction(async (trx) => {
    const before = await lockStandingOfWorkspace(trx, path.id)
    const subject = { subjectType: 'workspace', subjectId: path.id } as const
    const change = { action: 'update_workspace_status', ...subject, before, after: body } as const
    await recordChange(trx, caller, change, () =>
      updateStandingOfWorkspace(trx, path.id, body.status, caller.now),
    )
    await movePages(trx, path.id)
    return getAdminWorkspace(trx, path.id)
  })

/** What a shop is called, as staff have seen it. */
const seenNames = ['name', 'subDomain', 'title', 'headline'] as const

export const update_name_approval: Handler<'update_name_approval'> = ({ path, body }, caller) =>
  caller.transaction(async (trx) => {
    const { id } = path
    await lockStandingOfWorkspace(trx, id)
    const workspace = await getAdminWorkspace(trx, id)
    const { isNameApproved } = body
    // The owner may have changed it since it was looked at.
    if (seenNames.some((name) => body[name] !== undefined && body[name] !== workspace[name]))
      throw new ApiError('write_conflict', 'writeConflict')
    const domains = workspace.waitingDomains.filter((domain) => body.domains.includes(domain))
    const states = approvalStates(workspace, { isNameApproved, domains })
    const subject = { subjectType: 'workspace', subjectId: id } as const
    const change = { action: 'update_name_approval', ...subject, ...states } as const
    await recordChange(trx, caller, change, () =>
      updateNameApproval(trx, id, { isNameApproved, domains }),
    )
    await movePages(trx, path.id)
    return getAdminWorkspace(trx, path.id)
  })

/** What changes of a name and of domains, for the audit. */
function approvalStates(
  before: { isNameApproved: boolean },
  { isNameApproved, domains }: { isNameApproved: boolean; domains: string[] },
) {
  const isNamed = isNameApproved !== before.isNameApproved
  const stateOf = (isApproved: boolean, approved: string | null) => ({
    ...(isNamed && { name: isApproved ? 'APPROVED' : 'WAITING' }),
    ...(domains.length > 0 && { domains: approved }),
  })
  return {
    before: stateOf(before.isNameApproved, null),
    after: stateOf(isNameApproved, domains.join(', ')),
  }
}

export const get_workspace_design: Handler<'get_workspace_design'> = ({ path }, { db }) =>
  readDesign(db, path.id)

async function readDesign(
  db: Kysely<Database>,
  id: string,
): Promise<components['schemas']['WorkspaceDesignDetail']> {
  return { design: wholeDesign(await getDesign(db, id)), defaults: defaultDesign }
}

export const update_workspace_design: Handler<'update_workspace_design'> = (
  { path, body },
  caller,
) =>
  caller.transaction(async (trx) => {
    await lockStandingOfWorkspace(trx, path.id)
    const current = await readDesign(trx, path.id)
    caller.requireCurrent(current)
    const states = designChange(current.design, body)
    const subject = { subjectType: 'workspace', subjectId: path.id } as const
    const change = { action: 'update_workspace_design', ...subject, ...states } as const
    await recordChange(trx, caller, change, () => updateDesign(trx, path.id, body))
    await movePages(trx, path.id)
    return body
  })

export const adjust_credits: Handler<'adjust_credits'> = ({ path, body }, caller) => {
  const { credits, reason } = body
  if (credits === 0) throw invalidInput({ credits: 'notZero' })
  return caller.transaction(async (trx) => {
    await getAdminWorkspace(trx, path.id)
    const { balance } = await lockWallet(trx, path.id)
    // The ledger refers to the audit entry, and the audit entry records the change of the balance.
    const auditId = newId('aud')
    const move = { credits, reason, reference: auditId, now: caller.now }
    const entry = await adjustCredits(trx, path.id, move)
    await insertAuditEntry(
      trx,
      {
        id: auditId,
        staffEmail: caller.staffEmail,
        action: 'adjust_credits',
        subjectType: 'workspace',
        subjectId: path.id,
        before: { balance },
        after: { balance: entry.balanceAfter, credits, reason },
      },
      caller.now,
    )
    return entry
  })
}

export const list_sources: Handler<'list_sources'> = async ({ query }, { db }) => {
  const { rows, total } = await listSources(db, query)
  return { sources: rows, pagination: paginationOf(query.page, query.pageSize, total) }
}

export const list_source_connections: Handler<'list_source_connections'> = async (
  { path, query },
  { db },
) => {
  const source = await getSource(db, path.id)
  const { rows, total } = await listSourceConnections(db, source, query)
  return { connections: rows, pagination: paginationOf(query.page, query.pageSize, total) }
}

export const block_source: Handler<'block_source'> = ({ path }, caller) =>
  setSource(caller, 'block_source', path.id, 'BLOCKED')

export const unblock_source: Handler<'unblock_source'> = ({ path }, caller) =>
  setSource(caller, 'unblock_source', path.id, 'APPROVED')

/** Every call with a key or a token reads this row, so the change applies to the next call. */
function setSource(
  caller: StaffCaller,
  action: 'block_source' | 'unblock_source',
  id: string,
  status: components['schemas']['Source']['status'],
): Promise<components['schemas']['Source']> {
  return caller.transaction(async (trx) => {
    const before = await lockSource(trx, id)
    const subject = { subjectType: 'source', subjectId: id } as const
    const change = { action, ...subject, before, after: { status } }
    await recordChange(trx, caller, change, () => updateSource(trx, id, status))
    return getSource(trx, id)
  })
}

export const list_contact_requests: Handler<'list_contact_requests'> = async (
  { query },
  { db },
) => {
  const { rows, total } = await listContactRequests(db, query)
  return { contactRequests: rows, pagination: paginationOf(query.page, query.pageSize, total) }
}

export const mark_contact_request_read: Handler<'mark_contact_request_read'> = ({ path }, caller) =>
  caller.transaction(async (trx) => {
    const request = await lockContactRequest(trx, path.id)
    const readAt = request.readAt ?? caller.now.toISOString()
    const subject = { subjectType: 'contact_request', subjectId: path.id } as const
    const states = { before: { readAt: request.readAt }, after: { readAt } }
    const change = { action: 'mark_contact_request_read', ...subject, ...states } as const
    await recordChange(trx, caller, change, () => updateReadAt(trx, path.id, caller.now))
    return { ...request, readAt }
  })

export const list_audit_entries: Handler<'list_audit_entries'> = async ({ query }, { db }) => {
  const { rows, total } = await listAuditEntries(db, query)
  return { entries: rows, pagination: paginationOf(query.page, query.pageSize, total) }
}
