import type { Transaction } from 'kysely'
import type { Database } from '../../db/schema.ts'
import type { ServiceConfig } from '../../operation.ts'
import { movePages } from '../../queries/catalogue/feed.ts'
import { listOwners } from '../../queries/people/members.ts'
import { getWorkspace } from '../../queries/people/workspaces.ts'
import { releaseDomain } from '../../queries/site/domains.ts'
import { insertMail } from '../../queries/upkeep/mails.ts'
import { bestLanguage } from '../../texts/languages.ts'
import { domainLostMail } from '../upkeep/mail_texts.ts'

interface LostDomain {
  id: string
  name: string
  workspaceId: string
}

/** Takes a name from its workspace, and tells the owners, who may not know of it. */
export async function loseDomain(
  trx: Transaction<Database>,
  { id, name, workspaceId }: LostDomain,
  reason: 'gone' | 'taken',
  { dashboardUrl, siteDomain }: Pick<ServiceConfig, 'dashboardUrl' | 'siteDomain'>,
): Promise<void> {
  await releaseDomain(trx, id)
  await movePages(trx, workspaceId)
  const workspace = await getWorkspace(trx, workspaceId)
  const { subDomain } = workspace
  const about = {
    workspace: workspace.name,
    subDomain,
    domain: name,
    reason,
    shop: `${subDomain}.${siteDomain}`,
    page: `${dashboardUrl}/w/${workspaceId}/website`,
  }
  for (const { email, language } of await listOwners(trx, workspaceId)) {
    const mail = domainLostMail(bestLanguage([language]), about)
    await insertMail(trx, { to: email, sender: workspaceId, ...mail })
  }
}
