import { randomBytes } from 'node:crypto'
import { invalidInput } from '../src/core/errors.ts'
import { newId } from '../src/core/ids.ts'
import { rateLimits } from '../src/core/rate_limits.ts'
import { requestReview } from '../src/domain/administration/name_reviews.ts'
import { claimName, problemIn, readRecord, requireDomainName } from '../src/domain/site/domains.ts'
import { isImitatingDomain } from '../src/domain/site/misleading_names.ts'
import type { Handler } from '../src/operation.ts'
import { movePages } from '../src/queries/catalogue/feed.ts'
import { isApprovedShop } from '../src/queries/people/sub_domains.ts'
import { lockWorkspace } from '../src/queries/people/workspaces.ts'
import {
  deleteDomain,
  getDomain,
  insertDomain,
  listDomains,
  lockDomain,
  updatePrimary,
  updateProblem,
} from '../src/queries/site/domains.ts'

const maxDomains = 5

export const list_domains: Handler<'list_domains'> = async ({ path }, { db }) => ({
  isNameApproved: await isApprovedShop(db, path.workspaceId),
  domains: await listDomains(db, path.workspaceId),
})

export const get_domain: Handler<'get_domain'> = ({ path }, { db }) =>
  getDomain(db, path.workspaceId, path.id)

export const create_domain: Handler<'create_domain'> = ({ path, body }, caller) =>
  caller.transaction(async (trx) => {
    const { workspaceId } = path
    const name = requireDomainName(body.name, caller.config)
    // The lock decides which of two concurrent calls is the fifth.
    const { name: workspace } = await lockWorkspace(trx, workspaceId)
    const existing = await listDomains(trx, workspaceId)
    if (existing.length >= maxDomains)
      throw invalidInput({ name: ['domainsMax', { limit: maxDomains }] })
    const id = newId('dom')
    const token = randomBytes(16).toString('base64url')
    const isApproved = !isImitatingDomain(name)
    await insertDomain(trx, workspaceId, { id, name, token, isApproved }, caller.now)
    if (!isApproved)
      await requestReview(trx, caller, { id: workspaceId, name: workspace, shown: name })
    return getDomain(trx, workspaceId, id)
  })

export const update_domain: Handler<'update_domain'> = ({ path, body }, caller) =>
  caller.transaction(async (trx) => {
    const { workspaceId, id } = path
    // Two that are chosen at once come one after the other.
    await lockWorkspace(trx, workspaceId)
    const current = await lockDomain(trx, workspaceId, id)
    caller.requireCurrent(current)
    if (body.isPrimary && !current.isNameApproved) throw invalidInput({ isPrimary: 'domainWaits' })
    if (body.isPrimary && current.status !== 'VERIFIED')
      throw invalidInput({ isPrimary: 'domainNotVerified' })
    if (body.isPrimary === current.isPrimary) return current
    await updatePrimary(trx, workspaceId, body.isPrimary ? id : null)
    await movePages(trx, workspaceId)
    return getDomain(trx, workspaceId, id)
  })

export const verify_domain: Handler<'verify_domain'> = async ({ path }, caller) => {
  const { workspaceId, id } = path
  await caller.consume(rateLimits.domainLooks, workspaceId)
  // Name servers may be slow: no transaction waits for them.
  const found = await readRecord(caller.lookUpTxt, await getDomain(caller.db, workspaceId, id))
  return caller.transaction(async (trx) => {
    const domain = await lockDomain(trx, workspaceId, id)
    const problem = problemIn(found, domain)
    if (found && problem === null) await claimName(trx, domain, found, caller)
    await updateProblem(trx, id, problem, caller.now)
    return getDomain(trx, workspaceId, id)
  })
}

export const delete_domain: Handler<'delete_domain'> = ({ path }, caller) =>
  caller.transaction(async (trx) => {
    const { workspaceId, id } = path
    const domain = await lockDomain(trx, workspaceId, id)
    caller.requireCurrent(domain)
    await deleteDomain(trx, workspaceId, id)
    if (domain.isPrimary) await movePages(trx, workspaceId)
    return { id, deleted: true as const }
  })
