import { requestCall } from '../src/domain/administration/call_requests.ts'
import { changedWebsite, signDraft } from '../src/domain/site/drafts.ts'
import { requireOrigins } from '../src/domain/site/embedding.ts'
import { judgeNames } from '../src/domain/site/shown_names.ts'
import { madeWithStaff, requireTemplate, templates } from '../src/domain/site/templates.ts'
import type { Handler } from '../src/operation.ts'
import {
  lockWebsite,
  recordWebsite,
  requireInWorkspace,
} from '../src/queries/catalogue/references.ts'
import { getWebsite, updateWebsite } from '../src/queries/site/websites.ts'
import { getAccount } from '../src/queries/people/accounts.ts'
import { getWorkspace, lockWorkspace } from '../src/queries/people/workspaces.ts'

export const list_templates: Handler<'list_templates'> = () =>
  Promise.resolve({
    templates: templates.map(({ key, name, description, requiresPhone }) => ({
      key,
      name,
      description,
      requiresPhone,
    })),
  })

export const get_website: Handler<'get_website'> = ({ path }, { db }) =>
  getWebsite(db, path.workspaceId)

export const update_website: Handler<'update_website'> = ({ path, body }, caller) =>
  caller.transaction(async (trx) => {
    const { workspaceId } = path
    await lockWorkspace(trx, workspaceId)
    await lockWebsite(trx, workspaceId)
    const current = await getWebsite(trx, workspaceId)
    caller.requireCurrent(current)

    const workspace = await getWorkspace(trx, workspaceId)
    if (body.templateKey !== undefined && body.templateKey !== current.templateKey) {
      const phone = { field: 'templateKey', number: workspace.billingPhone }
      requireTemplate(body.templateKey, phone)
      const template = madeWithStaff(body.templateKey)
      if (template) {
        const sender = await getAccount(trx, caller.accountId)
        await requestCall(trx, caller, { workspace, sender, template })
      }
    }
    requireOrigins('embedOrigins', body.embedOrigins ?? [], caller.config.environment)
    await requireInWorkspace(trx, workspaceId, body)
    const website = changedWebsite(current, body)
    await updateWebsite(trx, workspaceId, website, caller.now)
    const before = { workspace, website: current }
    await judgeNames(trx, caller, before, { workspace, website })
    await recordWebsite(trx, workspaceId, current, website, caller.now)
    return getWebsite(trx, workspaceId)
  })

export const preview_website: Handler<'preview_website'> = ({ path, body }, caller) =>
  caller.transaction(async (trx) => {
    const { workspaceId } = path
    await requireInWorkspace(trx, workspaceId, body)
    const website = changedWebsite(await getWebsite(trx, workspaceId), body)
    return { draft: signDraft(caller.config, workspaceId, website, caller.now) }
  })
