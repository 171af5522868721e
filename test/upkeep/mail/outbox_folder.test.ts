import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { outboxFolderMailer, type Mailer } from '../../../src/adapters/mailer.ts'
import { connect } from '../../../src/db/connect.ts'
import { startOutbox } from '../../../src/domain/upkeep/outbox.ts'
import type { Rounds } from '../../../src/fairness/rounds.ts'
import { createDatabase } from '../../kit/database.ts'
import { writeMails, type MailInput } from './mails.ts'

let database: Awaited<ReturnType<typeof createDatabase>>
let connection: ReturnType<typeof connect>
const started: Rounds[] = []
const now = new Date('2030-01-01T00:00:00.000Z')
const log = pino({ level: 'silent' })

beforeAll(async () => {
  database = await createDatabase()
  connection = connect(database.url)
})

afterAll(async () => {
  await connection.close()
  await database.drop()
})

afterEach(async () => {
  await Promise.all(started.splice(0).map((running) => running.stop()))
})

function start(parts: { mailer: Mailer }): Rounds {
  const running = startOutbox({ db: connection.db, log, clock: () => now, ...parts })
  started.push(running)
  return running
}

const write = (...mails: MailInput[]) => writeMails(connection.db, ...mails)

describe('the outbox folder', () => {
  let folder: string

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'vitrine-outbox-'))
  })

  afterEach(async () => {
    await rm(folder, { recursive: true })
  })

  it('holds one text file per mail, readable only by the owner', async () => {
    const dir = join(folder, 'data', 'outbox')
    await write({ to: 'ana@example.com', subject: 'Kod — 日本語', text: 'Your code is 123456.' })
    await start({ mailer: outboxFolderMailer(dir) }).flush()
    const [name = '', ...others] = await readdir(dir)
    expect(others).toEqual([])
    expect(name).toMatch(/^\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d\.\d{3}Z-mail_\w+\.json$/)
    const mail = JSON.parse(await readFile(join(dir, name), 'utf8'))
    expect(mail).toEqual({
      to: 'ana@example.com',
      subject: 'Kod — 日本語',
      text: 'Your code is 123456.',
      createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    })
    expect((await stat(dir)).mode & 0o777).toBe(0o700)
    expect((await stat(join(dir, name))).mode & 0o777).toBe(0o600)
  })

  it('sorts by time, and a mail delivered twice is one file', async () => {
    const folderMailer = outboxFolderMailer(folder)
    const mail = { to: 'ana@example.com', subject: 'Hello', text: 'Hello' }
    await folderMailer.send({ ...mail, id: 'mail_a', createdAt: '2030-01-01T00:00:01.000Z' })
    await folderMailer.send({ ...mail, id: 'mail_b', createdAt: '2030-01-01T00:00:00.999Z' })
    await folderMailer.send({ ...mail, id: 'mail_a', createdAt: '2030-01-01T00:00:01.000Z' })
    expect((await readdir(folder)).sort()).toEqual([
      '2030-01-01T00-00-00.999Z-mail_b.json',
      '2030-01-01T00-00-01.000Z-mail_a.json',
    ])
  })
})
