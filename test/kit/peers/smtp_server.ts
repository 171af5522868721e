import { simpleParser } from 'mailparser'
import { SMTPServer } from 'smtp-server'

export interface ReceivedMail {
  from: string
  recipients: string[]
  to: string
  subject: string
  text: string
  messageId: string
  headerNames: string[]
}

export interface Refusal {
  responseCode: number
  message: string
}

interface Behaviour {
  /** The reply to a recipient instead of accepting it. */
  refusalOf: (recipient: string) => Refusal | undefined
  /** The server confirms a mail only after this. */
  onMail: (mail: ReceivedMail) => Promise<void>
}

/** A mail server that accepts the tests' user, not listening yet. */
export function smtpServer({ refusalOf, onMail }: Behaviour): SMTPServer {
  return new SMTPServer({
    authOptional: true,
    allowInsecureAuth: true,
    disabledCommands: ['STARTTLS'],
    onAuth: (auth, _session, done) =>
      auth.password === 'right'
        ? done(null, { user: 'shop' })
        : done(Object.assign(new Error('Wrong password'), { responseCode: 535 })),
    onRcptTo(address, _session, done) {
      const refusal = refusalOf(address.address)
      done(refusal && Object.assign(new Error(refusal.message), refusal))
    },
    onData(stream, session, done) {
      void simpleParser(stream).then(async (mail) => {
        const { mailFrom, rcptTo } = session.envelope
        const receivedMail = {
          from: mailFrom ? mailFrom.address : '',
          recipients: rcptTo.map((recipient) => recipient.address),
          to: [mail.to ?? []]
            .flat()
            .map((address) => address.text)
            .join(),
          subject: mail.subject ?? '',
          text: (mail.text ?? '').trimEnd(),
          messageId: mail.messageId ?? '',
          headerNames: [...mail.headers.keys()].sort(),
        }
        await onMail(receivedMail)
        done()
      })
    },
  })
}
