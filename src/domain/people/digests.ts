import type { Kysely, Transaction } from 'kysely'
import { seal, unseal } from '../../core/sealed.ts'
import type { Database } from '../../db/schema.ts'
import { eachAlone } from '../../fairness/alone.ts'
import {
  countWaiting,
  type DigestFigures,
  listDueDigests,
  takeDigest,
} from '../../queries/people/digests.ts'
import { getWorkspace } from '../../queries/people/workspaces.ts'
import { insertMail } from '../../queries/upkeep/mails.ts'
import { bestLanguage } from '../../texts/languages.ts'
import { digestMail } from '../upkeep/mail_texts.ts'

interface Origin {
  dashboardUrl: string
  secretKey: string
}

const purpose = 'digest stop'

/** The path that stops a member's mails. It works as long as the member is one. */
export function stopPathOf(secretKey: string, memberId: string): string {
  return `/stop-mails/${seal(secretKey, purpose, memberId).toString('base64url')}`
}

/** The member whose mails a path stops; undefined if it is none of ours. */
export function memberToStop(secretKey: string, token: string): string | undefined {
  try {
    return unseal(secretKey, purpose, Buffer.from(token, 'base64url'))
  } catch {
    return undefined
  }
}

/** Mails members what waits for them, as often as they want it. */
export async function sweepDigests(db: Kysely<Database>, origin: Origin, now: Date): Promise<void> {
  const mail = (id: string) => db.transaction().execute((trx) => mailDigest(trx, id, origin, now))
  await eachAlone(await listDueDigests(db, now), mail, 'Some digests were not mailed.')
}

async function mailDigest(
  trx: Transaction<Database>,
  id: string,
  { dashboardUrl, secretKey }: Origin,
  now: Date,
): Promise<void> {
  const due = await takeDigest(trx, id, now)
  if (!due) return
  const figures = visibleTo(due.role, await countWaiting(trx, due.workspaceId, due.since))
  // Nothing waits: nobody needs a mail that says so.
  if (Object.values(figures).every((count) => count === 0)) return
  const { name, subDomain } = await getWorkspace(trx, due.workspaceId)
  const stopUrl = `${dashboardUrl}${stopPathOf(secretKey, id)}`
  const url = `${dashboardUrl}/w/${due.workspaceId}/home`
  const about = { workspace: name, subDomain, url, stopUrl }
  const mail = digestMail(bestLanguage([due.language]), about, figures)
  await insertMail(trx, { to: due.email, sender: due.workspaceId, stopUrl, ...mail })
}

/** Those who only pay the bills cannot open what waits. */
function visibleTo(role: Database['members']['role'], figures: DigestFigures): DigestFigures {
  if (role !== 'billing') return figures
  return { unanswered: 0, changes: 0, feedback: 0, soldOut: 0 }
}
