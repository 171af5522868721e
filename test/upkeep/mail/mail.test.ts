import { createServer, type AddressInfo } from 'node:net'
import { pino } from 'pino'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { smtpMailer, type Mailer } from '../../../src/adapters/mailer.ts'
import { connect } from '../../../src/db/connect.ts'
import { startOutbox } from '../../../src/domain/upkeep/outbox.ts'
import type { Rounds } from '../../../src/fairness/rounds.ts'
import { claimMails, insertMail } from '../../../src/queries/upkeep/mails.ts'
import { createDatabase } from '../../kit/database.ts'
import { type ReceivedMail, type Refusal, smtpServer } from '../../kit/peers/smtp_server.ts'
import { writeMails, type MailInput } from './mails.ts'

/** Replies that refuse a recipient's next mails, in order. */
const refusals = new Map<string, Refusal[]>()
let received: ReceivedMail[] = []
/** Resolves with the next mail that reaches the server. */
let onArrival: (mail: ReceivedMail) => void
/** The server confirms a mail only after this. */
let mayConfirm: Promise<void>
let recipientsTried = 0

const server = smtpServer({
  refusalOf(recipient) {
    recipientsTried++
    return refusals.get(recipient)?.shift()
  },
  async onMail(mail) {
    received.push(mail)
    onArrival(mail)
    await mayConfirm
  },
})

let database: Awaited<ReturnType<typeof createDatabase>>
let connection: ReturnType<typeof connect>
let mailer: Mailer
let outbox: Rounds
let smtpUrl: string
let now: Date
let logged: string
const started: Rounds[] = []
const log = pino({ level: 'trace' }, { write: (line: string) => void (logged += line) })

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()))
  smtpUrl = `smtp://127.0.0.1:${(server.server.address() as AddressInfo).port}`
  database = await createDatabase()
  connection = connect(database.url)
  mailer = smtpMailer(smtpUrl, 'Vitrine <no-reply@vitrine.example>')
})

afterAll(async () => {
  await mailer.close()
  await connection.close()
  await database.drop()
  await new Promise<void>((resolve) => server.close(() => resolve()))
})

beforeEach(async () => {
  await connection.db.deleteFrom('mails').execute()
  refusals.clear()
  received = []
  onArrival = () => undefined
  mayConfirm = Promise.resolve()
  recipientsTried = 0
  logged = ''
  now = new Date('2030-01-01T00:00:00.000Z')
  outbox = start({ mailer })
})

afterEach(async () => {
  await Promise.all(started.splice(0).map((running) => running.stop()))
})

function start(parts: { mailer: Mailer; db?: typeof connection.db }): Rounds {
  const running = startOutbox({ db: connection.db, log, clock: () => now, ...parts })
  started.push(running)
  return running
}

function pass(seconds: number): void {
  now = new Date(now.getTime() + seconds * 1000)
}

const write = (...mails: MailInput[]) => writeMails(connection.db, ...mails)

function queuedMails() {
  return connection.db
    .selectFrom('mails')
    .select(['recipient', 'body', 'attempts', 'next_attempt_at', 'failed_at', 'failure'])
    .execute()
}

const recipients = () => received.flatMap((mail) => mail.recipients).sort()

describe('a mail', () => {
  it('arrives with its sender, recipient, subject and text in any script', async () => {
    await write({
      to: 'ana@example.com',
      subject: 'Kod: ünïcode — 日本語',
      text: 'Привет\n\nمرحبا 👋',
    })
    await outbox.flush()
    expect(received).toMatchObject([
      {
        from: 'no-reply@vitrine.example',
        recipients: ['ana@example.com'],
        to: 'ana@example.com',
        subject: 'Kod: ünïcode — 日本語',
        text: 'Привет\n\nمرحبا 👋',
      },
    ])
    expect(await queuedMails()).toEqual([])
  })

  it('reaches a recipient whose local part is in another script', async () => {
    await write({ to: 'почта@example.com' })
    await outbox.flush()
    expect(recipients()).toEqual(['почта@example.com'])
  })

  it('is sent by a kick, where no sweep ever comes', async () => {
    await outbox.stop()
    const arrival = new Promise<ReceivedMail>((resolve) => (onArrival = resolve))
    vi.useFakeTimers({ toFake: ['setInterval'] })
    const unswept = start({ mailer })
    vi.useRealTimers()
    await write({ to: 'ana@example.com' })
    unswept.kick()
    expect((await arrival).recipients).toEqual(['ana@example.com'])
  })

  it('of a rolled-back transaction is not sent', async () => {
    const change = connection.db.transaction().execute(async (trx) => {
      await insertMail(trx, { to: 'ana@example.com', subject: 'Welcome', text: 'Hello' })
      throw new Error('The change failed.')
    })
    await expect(change).rejects.toThrow('The change failed.')
    await outbox.flush()
    expect(received).toEqual([])
  })

  it('is due immediately even if the process’s clock is behind the database', async () => {
    now = new Date('2001-01-01T00:00:00.000Z')
    await write({ to: 'ana@example.com' })
    await outbox.flush()
    expect(recipients()).toEqual(['ana@example.com'])
  })

  it('left by a process that died after its commit is sent by another', async () => {
    await outbox.stop()
    await write({ to: 'ana@example.com' })
    outbox.kick()
    await outbox.flush()
    expect(received).toEqual([])
    await start({ mailer }).flush()
    expect(recipients()).toEqual(['ana@example.com'])
  })

  it('claimed by a process that died is taken over when the lease of a minute ends', async () => {
    await write({ to: 'ana@example.com' })
    expect(await claimMails(connection.db, now, { isUrgent: false, limit: 10 })).toHaveLength(1)
    pass(59.999)
    await outbox.flush()
    expect(received).toEqual([])
    pass(0.001)
    await outbox.flush()
    expect(recipients()).toEqual(['ana@example.com'])
  })

  it('keeps its message id when it is sent again', async () => {
    const mail = {
      id: 'mail_1',
      to: 'ana@example.com',
      subject: 'Hello',
      text: 'Hello',
      createdAt: '2030-01-01T00:00:00.000Z',
    }
    await mailer.send(mail)
    await mailer.send(mail)
    const id = '<mail_1@vitrine.example>'
    expect(received.map((arrived) => arrived.messageId)).toEqual([id, id])
  })

  it('is sent exactly once by four dispatchers on one database', async () => {
    const everyone = Array.from({ length: 200 }, (_, i) => `person-${i}@example.com`).sort()
    await write(...everyone.map((to) => ({ to })))
    const connections = everyone
      .slice(0, 3)
      .map(() => connect(database.url, { max: 6, waitMilliseconds: 60_000 }))
    const mailers = connections.map(() => smtpMailer(smtpUrl, 'no-reply@vitrine.example'))
    for (const [i, { db }] of connections.entries()) start({ mailer: mailers[i] ?? mailer, db })
    await Promise.all(started.map((each) => each.flush()))
    await Promise.all(started.map((each) => each.stop()))
    expect(recipients()).toEqual(everyone)
    expect(await queuedMails()).toEqual([])
    for (const each of [...mailers, ...connections]) await each.close()
  })
})

describe('a mail that the server refuses', () => {
  const busy = { responseCode: 451, message: 'Try again later' }

  it('temporarily is retried after five seconds, not before', async () => {
    refusals.set('ana@example.com', [busy])
    await write({ to: 'ana@example.com' }, { to: 'ben@example.com' })
    await outbox.flush()
    expect(recipients()).toEqual(['ben@example.com'])
    pass(4.999)
    await outbox.flush()
    expect(recipients()).toEqual(['ben@example.com'])
    pass(0.001)
    await outbox.flush()
    expect(recipients()).toEqual(['ana@example.com', 'ben@example.com'])
    expect(await queuedMails()).toEqual([])
  })

  it('repeatedly is retried with backoff and given up after 20 attempts', async () => {
    refusals.set(
      'ana@example.com',
      Array.from({ length: 99 }, () => busy),
    )
    await write({ to: 'ana@example.com' })
    const pauses: number[] = []
    for (let attempt = 1; attempt < 20; attempt++) {
      await outbox.flush()
      const next = Date.parse((await queuedMails())[0]?.next_attempt_at ?? '')
      pauses.push((next - now.getTime()) / 1000)
      now = new Date(next)
    }
    expect(pauses).toEqual([5, 30, 120, 600, ...Array.from({ length: 15 }, () => 3600)])
    await outbox.flush()
    expect(await queuedMails()).toMatchObject([
      { attempts: 20, body: '', failed_at: now.toISOString() },
    ])
    pass(86_400)
    await outbox.flush()
    expect(recipientsTried).toBe(20)
  })

  it('permanently is dropped, and its text is erased', async () => {
    refusals.set('ana@example.com', [{ responseCode: 550, message: 'No such person' }])
    await write({ to: 'ana@example.com' })
    await outbox.flush()
    expect(await queuedMails()).toMatchObject([
      {
        recipient: 'ana@example.com',
        body: '',
        attempts: 1,
        failed_at: now.toISOString(),
        failure: expect.stringContaining('550 No such person'),
      },
    ])
    pass(86_400)
    await outbox.flush()
    expect(recipientsTried).toBe(1)
    expect(received).toEqual([])
  })

  it('because of our password is kept until the password is right', async () => {
    const url = (password: string) => smtpUrl.replace('//', `//shop:${password}@`)
    const locked = smtpMailer(url('wrong'), 'no-reply@vitrine.example')
    const open = smtpMailer(url('right'), 'no-reply@vitrine.example')
    await write({ to: 'ana@example.com' })
    await start({ mailer: locked }).flush()
    expect(await queuedMails()).toMatchObject([{ attempts: 1, failed_at: null }])
    pass(5)
    await start({ mailer: open }).flush()
    expect(recipients()).toEqual(['ana@example.com'])
    await locked.close()
    await open.close()
  })

  it('because nothing listens at its address is kept', async () => {
    const unused = createServer()
    await new Promise<void>((resolve) => unused.listen(0, '127.0.0.1', () => resolve()))
    const { port } = unused.address() as AddressInfo
    await new Promise<void>((resolve) => unused.close(() => resolve()))
    const nowhere = smtpMailer(`smtp://127.0.0.1:${port}`, 'no-reply@vitrine.example')
    await write({ to: 'ana@example.com' })
    await start({ mailer: nowhere }).flush()
    expect(await queuedMails()).toMatchObject([{ attempts: 1, failed_at: null }])
    await nowhere.close()
  })

  it('leaves neither subject nor text nor recipient in the log', async () => {
    const answer = 'Refused: Secret subject, Secret text'
    refusals.set('ana@example.com', [{ responseCode: 451, message: answer }])
    refusals.set('ben@example.com', [{ responseCode: 550, message: answer }])
    await write(
      { to: 'ana@example.com', subject: 'Secret subject', text: 'Secret text' },
      { to: 'ben@example.com', subject: 'Secret subject', text: 'Secret text' },
    )
    await outbox.flush()
    const lines = logged
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
    expect(lines.map(({ msg, responseCode }) => `${msg} ${responseCode}`).sort()).toEqual([
      'A mail was given up. 550',
      'A mail was not accepted and waits. 451',
    ])
    expect(logged).not.toMatch(/Secret|ana|ben/)
  })
})

describe('header injection', () => {
  const plain = ['auto-submitted', 'content-type', 'date', 'from']
  const headerNames = [...plain, 'message-id', 'mime-version', 'subject', 'to']

  it.each(['Hello\r\nBcc: eve@example.com', 'Hello\nBcc: eve@example.com', 'Hello\rBcc: eve'])(
    'through the subject %j adds no header and no recipient',
    async (subject) => {
      await write({ to: 'ana@example.com', subject })
      await outbox.flush()
      expect(received).toMatchObject([{ recipients: ['ana@example.com'], headerNames }])
    },
  )

  it.each([
    'ana@example.com, eve@example.com',
    'ana@example.com\r\nBcc: eve@example.com',
    'ana@example.com>\r\nRCPT TO:<eve@example.com',
    'Ana <eve@example.com>',
  ])('through the recipient %j sends nothing', async (to) => {
    await write({ to })
    await outbox.flush()
    expect(recipients()).toEqual([])
    expect(await queuedMails()).toMatchObject([{ recipient: to, body: '', attempts: 1 }])
  })
})

describe('the outbox', () => {
  it('logs a database error and continues when the database is back', async () => {
    await write({ to: 'ana@example.com' })
    await connection.pool.query('alter table mails rename to mails_away')
    await expect(outbox.flush()).rejects.toThrow('relation "mails" does not exist')
    expect(JSON.parse(logged)).toMatchObject({ msg: 'The outbox could not be read.' })
    await connection.pool.query('alter table mails_away rename to mails')
    await outbox.flush()
    expect(recipients()).toEqual(['ana@example.com'])
  })

  it('stops after the delivery in progress and starts no other', async () => {
    const order: string[] = []
    const arrival = new Promise<ReceivedMail>((resolve) => (onArrival = resolve))
    let confirm = () => undefined as void
    mayConfirm = new Promise<void>((resolve) => (confirm = resolve)).then(() => {
      order.push('confirmed')
    })
    await write({ to: 'ana@example.com' })
    outbox.kick()
    await arrival
    const stopping = outbox.stop().then(() => order.push('stopped'))
    // A stop that does not wait would be done after a round trip.
    await queuedMails()
    confirm()
    await stopping
    expect(order).toEqual(['confirmed', 'stopped'])
    expect(await queuedMails()).toEqual([])

    await write({ to: 'ben@example.com' })
    await outbox.flush()
    expect(await queuedMails()).toMatchObject([{ recipient: 'ben@example.com', attempts: 0 }])
  })
})
