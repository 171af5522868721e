import { mkdir, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { mailHtml } from './mail_html.ts'

export interface OutgoingMail {
  id: string
  to: string
  subject: string
  text: string
  createdAt: string
  /** Where its reader stops mails of this kind. */
  stopUrl?: string | null
}

export interface Mailer {
  send(mail: OutgoingMail): Promise<void>
  /** Rejects if the server would not take mails from us. */
  verify?(): Promise<unknown>
  close(): Promise<void> | void
}

/** Matches what the outbox sends at the same time, so that no mail waits for a connection. */
export const parallelMails = 6

/** For one mail in all, and below the time for which the outbox leases it to a process. */
const maxSeconds = 45

export function smtpMailer(url: string, from: string, { seconds = maxSeconds } = {}): Mailer {
  const domain = from.slice(from.lastIndexOf('@') + 1).replace(/[>\s]/g, '')

  async function connect() {
    // Expensive to load, and a process may never send.
    const { createTransport } = await import('nodemailer')
    return createTransport({
      url,
      pool: true,
      maxConnections: parallelMails,
      // The outbox retries; a second retry here could send a mail twice.
      maxRequeues: 0,
      dnsTimeout: 10_000,
      connectionTimeout: 10_000,
      greetingTimeout: 10_000,
      socketTimeout: 20_000,
      disableFileAccess: true,
      disableUrlAccess: true,
    })
  }

  let transport: ReturnType<typeof connect> | undefined
  return {
    async send(mail) {
      const current = (transport ??= connect())
      const pool = await current
      // Timeouts of the transport are of silence: a server may trickle its replies for ever. The
      // other mails under way fail, too, and are sent again.
      const deadline = setTimeout(() => {
        if (transport === current) transport = undefined
        pool.close({ force: true })
      }, seconds * 1000)
      const sending = pool.sendMail({
        // The same id on every attempt, so that clients can fold a mail resent after a crash.
        messageId: `<${mail.id}@${domain}>`,
        date: new Date(mail.createdAt),
        from,
        // An object is one address. A string is parsed as a list: a comma would add a recipient.
        to: { name: '', address: mail.to },
        subject: mail.subject,
        text: mail.text,
        html: mailHtml(mail.text),
        headers: { 'Auto-Submitted': 'auto-generated', ...stopHeaders(mail.stopUrl) },
      })
      await sending.finally(() => clearTimeout(deadline))
    },
    verify: async () => (await (transport ??= connect())).verify(),
    async close() {
      if (transport) (await transport).close()
    },
  }
}

/** Lets mail programs offer a button that stops such mails, without a page (RFC 8058). */
function stopHeaders(url: string | null | undefined): Record<string, string> {
  if (!url) return {}
  return {
    'List-Unsubscribe': `<${url}>`,
    'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
  }
}

/**
 * Development without an SMTP server: one JSON file per mail. The name sorts by time and depends
 * only on the mail, so a mail delivered twice is one file.
 */
export function outboxFolderMailer(dir: string): Mailer {
  return {
    async send({ id, to, subject, text, createdAt }) {
      await mkdir(dir, { recursive: true, mode: 0o700 })
      const name = `${createdAt.replaceAll(':', '-')}-${id}`
      const unfinished = join(dir, `.${name}.tmp`)
      const content = JSON.stringify({ to, subject, text, createdAt }, null, 2)
      await writeFile(unfinished, `${content}\n`, { mode: 0o600 })
      await rename(unfinished, join(dir, `${name}.json`))
    },
    close() {},
  }
}

export interface DeliveryFailure {
  code: string | undefined
  responseCode: number | undefined
  command: string | undefined
}

/** The parts of a delivery error that cannot quote the mail. */
export function deliveryFailure(error: unknown): DeliveryFailure {
  const fields: Record<string, unknown> = error instanceof Error ? { ...error } : {}
  const { code, responseCode, command } = fields
  return {
    code: typeof code === 'string' ? code : undefined,
    responseCode: typeof responseCode === 'number' ? responseCode : undefined,
    command: typeof command === 'string' ? command : undefined,
  }
}

/**
 * Whether a retry is pointless. A server that rejects our login or greets us with an error has
 * judged the connection, not the mail: a rotated password must not lose mails.
 */
export function isPermanent(error: unknown): boolean {
  const { code, responseCode } = deliveryFailure(error)
  if (responseCode === undefined) return code === 'EENVELOPE' || code === 'EMESSAGE'
  if (code === 'EAUTH' || code === 'EPROTOCOL' || responseCode === 530) return false
  return responseCode >= 500
}
