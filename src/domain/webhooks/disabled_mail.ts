import type { Transaction } from 'kysely'
import type { Database } from '../../db/schema.ts'
import { listOwners } from '../../queries/people/members.ts'
import { getWorkspace } from '../../queries/people/workspaces.ts'
import { insertMail } from '../../queries/upkeep/mails.ts'
import { bestLanguage } from '../../texts/languages.ts'
import { webhookDisabledMail } from '../upkeep/mail_texts.ts'

/** Tells the workspace's owners that a webhook is disabled. */
export async function mailDisabled(
  trx: Transaction<Database>,
  dashboardUrl: string,
  { workspaceId, url }: { workspaceId: string; url: string },
): Promise<void> {
  const { name, subDomain } = await getWorkspace(trx, workspaceId)
  const page = `${dashboardUrl}/w/${workspaceId}/webhooks`
  const host = new URL(url).hostname
  for (const { email, language } of await listOwners(trx, workspaceId)) {
    const about = { workspace: name, subDomain, host, page }
    const mail = webhookDisabledMail(bestLanguage([language]), about)
    await insertMail(trx, { to: email, sender: workspaceId, ...mail })
  }
}
