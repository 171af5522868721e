import type { Transaction } from 'kysely'
import { ApiError, invalidInput, notFound } from '../src/core/errors.ts'
import { requireAllowedEmail } from '../src/domain/people/email_addresses.ts'
import { mayMail } from '../src/domain/upkeep/mail_limits.ts'
import { invitationMail, newOwnerMail, ownerRemovedMail } from '../src/domain/upkeep/mail_texts.ts'
import {
  lockInvitation,
  requireAnotherOwner,
  requireNewOwnersAllowed,
  requireOwnerRemovable,
} from '../src/domain/people/members.ts'
import { rateLimits } from '../src/core/rate_limits.ts'
import { requireRoomToOwn } from '../src/domain/site/workspaces.ts'
import type { Database } from '../src/db/schema.ts'
import type { components } from '../src/generated/types.ts'
import type { AccountCaller, Caller, Handler, SessionCaller } from '../src/operation.ts'
import { findLanguageOf, getAccount } from '../src/queries/people/accounts.ts'
import { listAddressesOf } from '../src/queries/people/email_changes.ts'
import {
  acceptInvitation,
  deleteMember,
  getMember,
  insertInvitation,
  isMember,
  listInvitations,
  listMembers,
  listOtherOwners,
  updateMember,
} from '../src/queries/people/members.ts'
import { lockWorkspace } from '../src/queries/people/workspaces.ts'
import { getSender } from '../src/queries/upkeep/mail_reach.ts'
import { bestLanguage } from '../src/texts/languages.ts'

type Role = components['schemas']['Role']
type Workspace = { id: string; name: string }

interface Invited {
  email: string
  role: Role
  workspace: Workspace
  /** Whether the account of the workspace has paid. */
  isTrusted: boolean
}

export const list_members: Handler<'list_members'> = async ({ path }, { db }) => ({
  members: await listMembers(db, path.workspaceId),
})

export const add_member: Handler<'add_member'> = async ({ path, body }, caller) => {
  const { workspaceId } = path
  const email = requireAllowedEmail(body.email)
  // An invitation mails the owner's words to any address: it must not become an open relay.
  await caller.consume(rateLimits.invitationsOfAccount, caller.accountId)
  await caller.consume(rateLimits.invitationsOfAddress, email)
  const sender = await getSender(caller.db, workspaceId)
  if (!(await mayMail(caller, sender, email)))
    throw new ApiError('rate_limited', 'mailsUsedUp', { email: 'mailsUsedUp' }, 3600)
  return caller.transaction(async (trx) => {
    const workspace = await lockWorkspace(trx, workspaceId)
    if (await isMember(trx, workspaceId, email))
      throw new ApiError('duplicate', 'memberAlready', { email: 'memberAlready' })
    const invitedBy = caller.accountId
    const id = await insertInvitation(trx, workspaceId, { email, role: body.role, invitedBy })
    await mailInvitation(trx, caller, {
      email,
      role: body.role,
      workspace: { id: workspaceId, name: workspace.name },
      isTrusted: sender.hasPaid,
    })
    return getMember(trx, workspaceId, id)
  })
}

export const resend_invitation: Handler<'resend_invitation'> = async ({ path }, caller) => {
  const { workspaceId, id } = path
  const invited = await getMember(caller.db, workspaceId, id)
  await caller.consume(rateLimits.invitationsOfAccount, caller.accountId)
  await caller.consume(rateLimits.invitationsOfAddress, invited.email)
  const sender = await getSender(caller.db, workspaceId)
  if (!(await mayMail(caller, sender, invited.email)))
    throw new ApiError('rate_limited', 'mailsUsedUp', { email: 'mailsUsedUp' }, 3600)
  return caller.transaction(async (trx) => {
    const workspace = await lockWorkspace(trx, workspaceId)
    const member = await getMember(trx, workspaceId, id)
    if (member.status !== 'INVITED') throw notFound('invitation')
    const { email, role } = member
    await mailInvitation(trx, caller, {
      email,
      role,
      workspace: { id: workspaceId, name: workspace.name },
      isTrusted: sender.hasPaid,
    })
    return member
  })
}

/** In the language of the invited account; without one, in that of the person who invites. */
async function mailInvitation(
  trx: Transaction<Database>,
  caller: AccountCaller,
  { email, role, workspace, isTrusted }: Invited,
): Promise<void> {
  const { name: inviter } = await getAccount(trx, caller.accountId)
  const language = await findLanguageOf(trx, email)
  const invitation = {
    workspace: workspace.name,
    role,
    inviter,
    isTrusted,
    url: `${caller.config.dashboardUrl}/invitations`,
  }
  const mail = invitationMail(bestLanguage(language ? [language] : caller.languages), invitation)
  await caller.sendMail(trx, { ...mail, to: email, sender: workspace.id })
}

// Every change of members locks the workspace first and an account after it: the check for the last
// owner sees current rows, and two calls cannot deadlock.

export const update_member: Handler<'update_member'> = async ({ path, body }, caller) => {
  const { workspaceId, id } = path
  await caller.consume(rateLimits.memberChanges, workspaceId)
  return caller.transaction(async (trx) => {
    const workspace = await lockWorkspace(trx, workspaceId)
    const member = await getMember(trx, workspaceId, id)
    if (member.status === 'INVITED' && body.status !== undefined)
      throw invalidInput({ status: 'invitationPending' })

    const next = { role: body.role ?? member.role, status: body.status ?? member.status }
    const owns = member.role === 'owner' && member.status === 'ACTIVE'
    const willOwn = next.role === 'owner' && next.status === 'ACTIVE'
    if (owns && !willOwn) {
      await requireAnotherOwner(trx, workspaceId, id)
      await endOwnership(trx, caller, { id: workspaceId, ...workspace }, member)
    }
    if (!owns && willOwn) await requireNewOwnersAllowed(trx, workspaceId, caller.now)
    if (!owns && willOwn && member.accountId) await requireRoomToOwn(trx, member.accountId)
    const since = !owns && willOwn ? { owner_since: caller.now } : {}
    await updateMember(trx, workspaceId, id, { ...next, ...since })
    if (!owns && willOwn) await tellOwners(trx, caller, { id: workspaceId, ...workspace }, member)
    return getMember(trx, workspaceId, id)
  })
}

/** Mails the other owners that there is a new one. */
async function tellOwners(
  trx: Transaction<Database>,
  caller: Caller,
  workspace: { id: string; name: string },
  member: { id: string; email: string },
): Promise<void> {
  for (const { email: to, language } of await listOtherOwners(trx, workspace.id, member.id)) {
    const mail = newOwnerMail(bestLanguage([language]), workspace.name, member.email)
    await caller.sendMail(trx, { ...mail, to, sender: workspace.id })
  }
}

/** Refuses to end it if it is frozen; otherwise tells the owner, who may not know of it. */
async function endOwnership(
  trx: Transaction<Database>,
  caller: SessionCaller,
  workspace: { id: string; name: string },
  { accountId }: { accountId: string | null },
): Promise<void> {
  const { accountId: by, now } = caller
  await requireOwnerRemovable(trx, workspace.id, { accountId, by, now })
  if (accountId === null || accountId === by) return
  for (const { email: to, language } of await listAddressesOf(trx, accountId, now)) {
    const mail = ownerRemovedMail(bestLanguage([language]), workspace.name)
    await caller.sendMail(trx, { ...mail, to, sender: workspace.id })
  }
}

export const remove_member: Handler<'remove_member'> = ({ path }, caller) =>
  caller.transaction(async (trx) => {
    const { workspaceId, id } = path
    const workspace = await lockWorkspace(trx, workspaceId)
    const member = await getMember(trx, workspaceId, id)
    if (member.role === 'owner' && member.status === 'ACTIVE') {
      await requireAnotherOwner(trx, workspaceId, id)
      await endOwnership(trx, caller, { id: workspaceId, ...workspace }, member)
    }
    await deleteMember(trx, workspaceId, id)
    return { id, deleted: true }
  })

export const list_invitations: Handler<'list_invitations'> = async (_input, { db, accountId }) => {
  const { email } = await getAccount(db, accountId)
  return { invitations: await listInvitations(db, email) }
}

export const accept_invitation: Handler<'accept_invitation'> = async ({ path }, caller) => {
  const { accountId } = caller
  return caller.transaction(async (trx) => {
    const { workspaceId, workspaceName, role } = await lockInvitation(trx, accountId, path.id)
    if (role === 'owner') {
      await requireNewOwnersAllowed(trx, workspaceId, caller.now)
      await requireRoomToOwn(trx, accountId)
    }
    await acceptInvitation(trx, workspaceId, path.id, accountId, caller.now)
    const member = await getMember(trx, workspaceId, path.id)
    if (role === 'owner')
      await tellOwners(trx, caller, { id: workspaceId, name: workspaceName }, member)
    return member
  })
}

export const decline_invitation: Handler<'decline_invitation'> = (
  { path },
  { transaction, accountId },
) =>
  transaction(async (trx) => {
    const { workspaceId } = await lockInvitation(trx, accountId, path.id)
    await deleteMember(trx, workspaceId, path.id)
    return { id: path.id, deleted: true }
  })
