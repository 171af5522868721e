import { mkdir, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

export interface OutgoingMail {
  id: string
  to: string
  subject: string
  text: string
  createdAt: string
}

export interface Mailer {
  send(mail: OutgoingMail): Promise<void>
  close(): Promise<void> | void
}

/** As many mails as one delivery run hands over at a time, so that none waits for a connection. */
export const parallelMails = 5

export function smtpMailer(url: string, from: string): Mailer {
  const domain = from.slice(from.lastIndexOf('@') + 1).replace(/[>\s]/g, '')

  async function connect() {
    // Loading the library costs more than everything else here, and a process may never send.
    const { createTransport } = await import('nodemailer')
    return createTransport({
      url,
      pool: true,
      maxConnections: parallelMails,
      // The outbox retries. A second retry in here could send twice what it believes sent once.
      maxRequeues: 0,
      // Together well below the time for which the outbox reserves a mail to one process.
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
      transport ??= connect()
      const pool = await transport
      await pool.sendMail({
        // The same id on every attempt: a mail sent again after a crash is one message to readers
        // that fold duplicates.
        messageId: `<${mail.id}@${domain}>`,
        date: new Date(mail.createdAt),
        from,
        // An object is one address. A string would be parsed as a list, and a comma in it would
        // add a recipient.
        to: { name: '', address: mail.to },
        subject: mail.subject,
        text: mail.text,
        headers: { 'Auto-Submitted': 'auto-generated' },
      })
    },
    async close() {
      if (transport) (await transport).close()
    },
  }
}

/**
 * Development without an SMTP server: one JSON file a mail. The name sorts by time and is made of
 * the mail alone, so that a mail delivered twice is still one file.
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

/** The parts of a delivery error that never quote the mail. */
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
 * Whether the same mail would be refused again. A server that refuses our own sign-in or greets us
 * with an error has judged the connection, not the mail: a rotated password must not cost mails.
 */
export function isPermanent(error: unknown): boolean {
  const { code, responseCode } = deliveryFailure(error)
  if (responseCode === undefined) return code === 'EENVELOPE' || code === 'EMESSAGE'
  if (code === 'EAUTH' || code === 'EPROTOCOL' || responseCode === 530) return false
  return responseCode >= 500
}
