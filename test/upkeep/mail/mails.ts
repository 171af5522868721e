import type { Kysely } from 'kysely'
import type { Database } from '../../../src/db/schema.ts'
import { insertMail } from '../../../src/queries/upkeep/mails.ts'

export interface MailInput {
  to: string
  subject?: string
  text?: string
  sender?: string
  isUrgent?: boolean
}

export async function writeMails(db: Kysely<Database>, ...mails: MailInput[]): Promise<void> {
  await db.transaction().execute(async (trx) => {
    for (const mail of mails) {
      await insertMail(trx, { subject: 'Your code', text: 'Your code is 123456.', ...mail })
    }
  })
}
