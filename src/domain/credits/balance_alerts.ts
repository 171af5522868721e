import type { Kysely, Transaction } from 'kysely'
import type { Database } from '../../db/schema.ts'
import { eachAlone } from '../../fairness/alone.ts'
import {
  listLowBalances,
  rearmBalanceAlerts,
  takeBalanceAlert,
} from '../../queries/credits/balance_alerts.ts'
import { recordChanges, upserts } from '../../queries/catalogue/feed.ts'
import { findOwnersLanguage } from '../../queries/people/members.ts'
import { getWorkspace } from '../../queries/people/workspaces.ts'
import { insertMail } from '../../queries/upkeep/mails.ts'
import { bestLanguage } from '../../texts/languages.ts'
import { lowBalanceMail } from '../upkeep/mail_texts.ts'

/** Sends one mail to the billing address of each wallet that fell below its owner's threshold. */
export async function sweepBalanceAlerts(
  db: Kysely<Database>,
  dashboardUrl: string,
  now: Date,
): Promise<void> {
  await rearmBalanceAlerts(db)
  const alert = (workspaceId: string) =>
    db.transaction().execute((trx) => alertOwner(trx, workspaceId, dashboardUrl, now))
  await eachAlone(await listLowBalances(db), alert, 'Some balances were not mailed.')
}

async function alertOwner(
  trx: Transaction<Database>,
  workspaceId: string,
  dashboardUrl: string,
  now: Date,
): Promise<void> {
  const alert = await takeBalanceAlert(trx, workspaceId, now)
  if (!alert) return
  const { name, subDomain, billingEmail } = await getWorkspace(trx, workspaceId)
  const language = bestLanguage([(await findOwnersLanguage(trx, workspaceId)) ?? ''])
  const url = `${dashboardUrl}/w/${workspaceId}/wallet`
  const mail = lowBalanceMail(language, { workspace: name, subDomain, ...alert, url })
  await insertMail(trx, { to: billingEmail, ...mail })
  await recordChanges(trx, workspaceId, upserts('WALLET_LOW', [workspaceId]), now)
}
