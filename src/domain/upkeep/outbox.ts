import type { Kysely } from 'kysely'
import { deliveryFailure, isPermanent, parallelMails, type Mailer } from '../../adapters/mailer.ts'
import type { Log } from '../../core/log.ts'
import type { Database } from '../../db/schema.ts'
import {
  claimMails,
  deleteMail,
  failMail,
  nobody,
  postponeMail,
  type ClaimedMail,
} from '../../queries/upkeep/mails.ts'

export interface Outbox {
  /** Starts delivery at once. Call it after the commit that inserted a mail. */
  kick(): void
  /** Resolves when no due mail is left; rejects if the database does not respond. */
  flush(): Promise<void>
  /** Resolves when the delivery in progress ends; no other starts. */
  stop(): Promise<void>
}

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
export function startOutbox({ db, mailer, log, clock = () => new Date() }: OutboxParts): Outbox {
  let running: Promise<void> | undefined
  let kicked = false
  let stopped = false
  /** Mails that are being sent; true for urgent ones. */
  const underway = new Map<Promise<void>, boolean>()
  /** Ends the wait for a kick or for a mail that has been sent. */
  let wake = () => undefined as void

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

  function begin(mails: ClaimedMail[]): void {
    for (const mail of mails) {
      const delivery: Promise<void> = deliver(mail).finally(() => {
        underway.delete(delivery)
        wake()
      })
      underway.set(delivery, mail.isUrgent)
    }
  }

  /** Starts as many due mails as there is room for; whether there were any. */
  async function fillUp(): Promise<boolean> {
    const room = () => parallelMails - underway.size
    const urgent = await claimMails(db, clock(), { isUrgent: true, limit: room() })
    begin(urgent)
    const others = [...underway.values()].filter((isUrgent) => !isUrgent).length
    const limit = Math.min(room(), parallelOthers - others)
    const rest = limit > 0 ? await claimMails(db, clock(), { isUrgent: false, limit }) : []
    begin(rest)
    return urgent.length + rest.length > 0
  }

  /** A slow mail holds up nothing but its own place. */
  async function deliverDue(): Promise<void> {
    try {
      while (!stopped) {
        kicked = false
        const changed = new Promise<void>((resolve) => (wake = resolve))
        const found = underway.size < parallelMails && (await fillUp())
        if (kicked) continue
        if (underway.size > 0) await changed
        else if (!found) return
      }
    } finally {
      await Promise.all(underway.keys())
    }
  }

  function run(): void {
    if (stopped) return
    kicked = true
    wake()
    if (running) return
    running = deliverDue().finally(() => {
      running = undefined
      // The kick's mail may have been committed after this run's last query.
      if (kicked) run()
    })
    running.catch((err: unknown) => log.error({ err }, 'The outbox could not be read.'))
  }

  const sweep = setInterval(run, sweepMilliseconds)
  sweep.unref()

  return {
    kick: run,
    async flush() {
      run()
      while (running) await running
    },
    async stop() {
      stopped = true
      clearInterval(sweep)
      await running?.catch(() => undefined)
    },
  }
}

/** Stored for the operator but never logged: a server's error may quote the mail. */
function failureText(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error)
  return message.replace(/\p{Cc}+/gu, ' ').slice(0, 500)
}
