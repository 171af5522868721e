import type { AddressInfo } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { SMTPServer } from 'smtp-server'

/** A mail server on loopback, which can be made slow. */
export interface MailServer {
  url: string
  /** How long it takes over each mail from now on. */
  take(milliseconds: number): void
  /** What a pattern finds in the next mail to an address that has it; undefined if none comes in time. */
  next(recipient: string, pattern: RegExp, milliseconds: number): Promise<string | undefined>
  close(): Promise<void>
}

/** Accepts every mail, and hands what is looked for to the caller of `next` for its recipient. */
export async function startMailServer(): Promise<MailServer> {
  const waiting = new Map<string, { pattern: RegExp; found: (text: string) => void }>()
  const hand = (recipient: string, text: string) => {
    const { pattern, found } = waiting.get(recipient) ?? {}
    const [match] = pattern?.exec(text) ?? []
    if (match !== undefined) found?.(match)
  }
  let pace = 0
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onData(stream, { envelope }, done) {
      void stream.toArray().then(async (chunks) => {
        // Long lines are broken in the encoding of mails.
        const text = Buffer.concat(chunks as Buffer[])
          .toString()
          .replaceAll('=\r\n', '')
        await delay(pace)
        for (const { address } of envelope.rcptTo) hand(address, text)
        done()
      })
    },
  })
  // A client that is stopped leaves in the middle of a mail.
  server.on('error', () => undefined)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()))
  const { port } = server.server.address() as AddressInfo
  return {
    url: `smtp://127.0.0.1:${port}`,
    take(milliseconds) {
      pace = milliseconds
    },
    async next(recipient, pattern, milliseconds) {
      const late = new AbortController()
      const arrival = new Promise<string>((found) => waiting.set(recipient, { pattern, found }))
      const limit = delay(milliseconds, undefined, { signal: late.signal })
      try {
        return await Promise.race([arrival, limit])
      } finally {
        late.abort()
        limit.catch(() => undefined)
        waiting.delete(recipient)
      }
    },
    close: () => new Promise<void>((resolve) => server.close(() => resolve())),
  }
}
