import type { Kysely } from 'kysely'
import { deliveryFailure, isPermanent, parallelMails, type Mailer } from '../../adapters/mailer.ts'
import type { Log } from '../../core/log.ts'
import type { Database } from '../../db/schema.ts'
import { type Rounds, startRounds } from '../../fairness/rounds.ts'
import {
  claimMails,
  deleteMail,
  failMail,
  nobody,
  postponeMail,
  type ClaimedMail,
} from '../../queries/upkeep/mails.ts'

interface OutboxParts {
  db: Kysely<Database>
  mailer: Mailer
  log: Log
  clock?: () => Date
}

const sweepMilliseconds = 5_000
const maxAttempts = 20
const backoffSeconds = [5, 30, 120, 600]
const longestBackoffSeconds = 3_600

/** Of the mails sent at the same time: the rest is free for urgent ones at any time. */
const parallelOthers = 4

/**
 * Delivers the mails that transactions inserted, each at least once. The lease on a claimed mail
 * keeps other processes off it, and lets them take over after a crash.
 */
export function startOutbox({ db, mailer, log, clock = () => new Date() }: OutboxParts): Rounds {
  /** Mails that are being sent, by whether they are urgent. */
  const underway = { urgent: 0, others: 0 }

  async function deliver(mail: ClaimedMail): Promise<void> {
    try {
      const error = mail.to === nobody ? undefined : await failureOf(mail)
      if (error) await setAside(mail, error.reason)
      else await deleteMail(db, mail.id)
    } catch (err) {
      // The lease expires and the mail is due again.
      log.error({ err, mailId: mail.id }, 'The outcome of a mail was not recorded.')
    }
  }

  function failureOf(mail: ClaimedMail): Promise<{ reason: unknown } | undefined> {
    return mailer.send(mail).then(
      () => undefined,
      (reason: unknown) => ({ reason }),
    )
  }

  async function setAside(mail: ClaimedMail, error: unknown): Promise<void> {
    const now = clock()
    const fields = { mailId: mail.id, attempts: mail.attempts, ...deliveryFailure(error) }
    if (isPermanent(error) || mail.attempts >= maxAttempts) {
      await failMail(db, mail, now, failureText(error))
      log.error(fields, 'A mail was given up.')
    } else {
      const seconds = backoffSeconds[mail.attempts - 1] ?? longestBackoffSeconds
      await postponeMail(db, mail, new Date(now.getTime() + seconds * 1000), failureText(error))
      log.warn({ ...fields, retrySeconds: seconds }, 'A mail was not accepted and waits.')
    }
  }

  async function send(mail: ClaimedMail): Promise<void> {
    const kind = mail.isUrgent ? 'urgent' : 'others'
    underway[kind]++
    await deliver(mail)
    underway[kind]--
  }

  return startRounds({
    everyMilliseconds: sweepMilliseconds,
    onFailure: (err) => log.error({ err }, 'The outbox could not be read.'),
    /** As many due mails as there is room for: a slow one holds up nothing but its own place. */
    async look(handOver) {
      const claim = async (isUrgent: boolean, most: number) => {
        const limit = Math.min(most, parallelMails - underway.urgent - underway.others)
        const mails = limit > 0 ? await claimMails(db, clock(), { isUrgent, limit }) : []
        for (const mail of mails) handOver(send(mail))
        return mails.length > 0
      }
      const hasUrgent = await claim(true, parallelMails)
      const hasOthers = await claim(false, parallelOthers - underway.others)
      return hasUrgent || hasOthers
    },
  })
}

/** Stored for the operator but never logged: a server's error may quote the mail. */
function failureText(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error)
  return message.replace(/\p{Cc}+/gu, ' ').slice(0, 500)
}
