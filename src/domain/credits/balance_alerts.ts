import type { Kysely } from 'kysely'
import type { Database } from '../../db/schema.ts'
import {
  listLowBalances,
  rearmBalanceAlerts,
  takeBalanceAlert,
} from '../../queries/credits/balance_alerts.ts'
import { findOwnersLanguage } from '../../queries/people/members.ts'
import { getWorkspace } from '../../queries/people/workspaces.ts'
import { insertMail } from '../../queries/upkeep/mails.ts'
import { bestLanguage } from '../../texts/languages.ts'
import { lowBalanceMail } from '../upkeep/mail_texts.ts'

/** Mails the billing address of every wallet that has fallen below its owner's threshold, once. */
export async function sweepBalanceAlerts(
  db: Kysely<Database>,
  dashboardUrl: string,
  now: Date,
): Promise<void> {
  await rearmBalanceAlerts(db)
  for (const workspaceId of await listLowBalances(db))
    await db.transaction().execute(async (trx) => {
      const alert = await takeBalanceAlert(trx, workspaceId, now)
      if (!alert) return
      const { name, billingEmail } = await getWorkspace(trx, workspaceId)
      const language = bestLanguage([(await findOwnersLanguage(trx, workspaceId)) ?? ''])
      const url = `${dashboardUrl}/w/${workspaceId}/wallet`
      const mail = lowBalanceMail(language, { workspace: name, ...alert, url })
      await insertMail(trx, { to: billingEmail, ...mail })
    })
}
