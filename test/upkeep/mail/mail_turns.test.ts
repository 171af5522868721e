import type { AddressInfo } from 'node:net'
import { sql } from 'kysely'
import { pino } from 'pino'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type Mailer, smtpMailer } from '../../../src/adapters/mailer.ts'
import { connect } from '../../../src/db/connect.ts'
import { startOutbox } from '../../../src/domain/upkeep/outbox.ts'
import type { Rounds } from '../../../src/fairness/rounds.ts'
import { createDatabase } from '../../kit/database.ts'
import { smtpServer } from '../../kit/peers/smtp_server.ts'
import { writeMails } from './mails.ts'

/** Mails that have reached the server, which confirms each when the test says so. */
let arrived: string[] = []
let confirmations = new Map<string, () => void>()
let onArrival = () => undefined as void

const server = smtpServer({
  refusalOf: () => undefined,
  onMail({ recipients: [recipient = ''] }) {
    arrived.push(recipient)
    const confirmed = new Promise<void>((resolve) => confirmations.set(recipient, resolve))
    onArrival()
    return confirmed
  },
})

let database: Awaited<ReturnType<typeof createDatabase>>
let connection: ReturnType<typeof connect>
let mailer: Mailer
let outbox: Rounds

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()))
  database = await createDatabase()
  connection = connect(database.url)
  const { port } = server.server.address() as AddressInfo
  mailer = smtpMailer(`smtp://127.0.0.1:${port}`, 'no-reply@vitrine.example')
})
afterAll(async () => {
  await mailer.close()
  await connection.close()
  await database.drop()
  await new Promise<void>((resolve) => server.close(() => resolve()))
})
beforeEach(() => {
  arrived = []
  confirmations = new Map()
  outbox = startOutbox({ db: connection.db, mailer, log: pino({ level: 'silent' }) })
})
afterEach(async () => {
  const stopped = outbox.stop()
  onArrival = confirmAll
  confirmAll()
  await stopped
  onArrival = () => undefined
  await connection.db.deleteFrom('mails').execute()
})

function confirmAll(): void {
  for (const confirm of confirmations.values()) confirm()
}

/** Resolves when this many mails have reached the server. */
function arrivals(count: number): Promise<void> {
  return new Promise((resolve) => {
    onArrival = () => {
      if (arrived.length >= count) resolve()
    }
    onArrival()
  })
}

/** Lets the server confirm a mail, and waits until another one arrives in its place. */
async function confirmNext(recipient: string): Promise<string> {
  const next = arrivals(arrived.length + 1)
  confirmations.get(recipient)?.()
  await next
  return arrived.at(-1) ?? ''
}

/** A queue that one workspace has filled, the way its mails are inserted one by one. */
async function fillQueue(sender: string, count: number): Promise<void> {
  await sql`
    insert into mails (id, recipient, subject, body, sender, turn)
    select 'mail_' || lpad(n::text, 8, '0') || ${sender}, ${sender} || n || '@example.com', 's', 'b',
      ${sender}, n
    from generate_series(1, ${count}::integer) n`.execute(connection.db)
}

describe('behind ten thousand mails of a workspace and a server that hangs', () => {
  beforeEach(async () => {
    await fillQueue('spam', 10_000)
    outbox.kick()
    await arrivals(4)
  })

  test('a code to sign in to our own pages is sent at once', async () => {
    expect(arrived).toHaveLength(4)
    await writeMails(connection.db, { to: 'ana@example.com', isUrgent: true })
    const next = arrivals(5)
    outbox.kick()
    await next
    expect(arrived.slice(4)).toEqual(['ana@example.com'])
    // Nor does that one hold up the next.
    await writeMails(connection.db, { to: 'ben@example.com', isUrgent: true })
    const second = arrivals(6)
    outbox.kick()
    await second
    expect(arrived.slice(5)).toEqual(['ben@example.com'])
  })

  test('a code of another workspace is sent with the next turn', async () => {
    await writeMails(
      connection.db,
      { to: 'ana@example.com', sender: 'shop' },
      { to: 'ben@example.com', sender: 'shop' },
      { to: 'eve@example.com', sender: 'other' },
    )
    const next: string[] = []
    for (let turns = 0; turns < 5; turns++) next.push(await confirmNext(arrived[turns] ?? ''))
    // One of each workspace in every turn, as long as it has any.
    const turns = [next.slice(0, 3).toSorted(), next.slice(3).toSorted()]
    expect(turns).toEqual([
      ['ana@example.com', 'eve@example.com', 'spam5@example.com'],
      ['ben@example.com', 'spam6@example.com'],
    ])
  })
})
