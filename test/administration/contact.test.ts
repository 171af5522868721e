import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { components } from '../../src/generated/types.ts'
import { startService, type StaffMember, type TestService, unique } from '../kit/service.ts'
import { solvedChallenge } from '../kit/solved_challenge.ts'

type ContactRequest = components['schemas']['ContactRequest']

let service: TestService
let staff: StaffMember
beforeAll(async () => {
  service = await startService()
  staff = await service.givenStaff()
})
afterAll(() => service.close())

const sender = () => `${unique('sender')}@example.com`
const solved = () => solvedChallenge(service, 'contact', 'contact')

async function write(email: string, change: object = {}) {
  const message = { name: 'Ada Yılmaz', email, message: 'May we own a second workspace?' }
  const body = { ...message, challengeToken: await solved(), ...change }
  return service.dashboard().post('/api/contact').send(body)
}

async function find(email: string): Promise<ContactRequest[]> {
  const query = new URLSearchParams({ search: email }).toString()
  const { body } = await service.admin(staff).get(`/api/admin/contact-requests?${query}`)
  expect(body.pagination.total).toBe(body.contactRequests.length)
  return body.contactRequests as ContactRequest[]
}

const markRead = (id: string) => service.admin(staff).post(`/api/admin/contact-requests/${id}/read`)

describe('create_contact_request', () => {
  test('reaches administration and is mailed to all staff', async () => {
    const colleague = await service.givenStaff()
    const email = sender()
    const { status, body } = await write(email.toUpperCase())
    expect([status, body]).toEqual([200, { accepted: true }])
    expect(await find(email)).toEqual([
      {
        id: expect.stringMatching(/^ctc_/),
        name: 'Ada Yılmaz',
        email,
        message: 'May we own a second workspace?',
        readAt: null,
        createdAt: service.now().toISOString(),
      },
    ])
    for (const to of [staff.email, colleague.email]) {
      const mail = (await service.mailsTo(to)).at(-1)
      expect(mail?.text).toBe(
        `From Ada Yılmaz <${email}>:\n\nMay we own a second workspace?\n\n` +
          `Mark it as read at ${service.config.adminUrl}`,
      )
    }
  })

  test('accepts one unread request per sender, even of concurrent ones', async () => {
    const email = sender()
    const tokens = await Promise.all([1, 2, 3, 4].map(solved))
    const answers = await Promise.all(
      tokens.map((challengeToken) => write(email, { challengeToken })),
    )
    const outcomes = answers.map(({ status, body }) => (status === 200 ? 200 : body.code))
    expect(outcomes.sort()).toEqual([200, 'contact_pending', 'contact_pending', 'contact_pending'])
    expect(await find(email)).toHaveLength(1)
    expect((await write(sender())).status).toBe(200)
  })

  test('accepts another once the last was read', async () => {
    const email = sender()
    expect((await write(email)).status).toBe(200)
    expect((await write(email)).status).toBe(409)
    const [request] = await find(email)
    const { body: updated } = await markRead(request!.id).expect(200)
    expect(updated).toEqual({ ...request, readAt: service.now().toISOString() })
    expect((await write(email)).status).toBe(200)
    expect((await find(email)).map(({ readAt }) => readAt !== null)).toEqual([false, true])
  })

  test('requires an unused challenge, solved for the contact form', async () => {
    const { body: config } = await service.dashboard().get('/api/config').expect(200)
    expect(config.challengeSiteKey).toBe('contact')
    const workspace = await service.givenWorkspace(await service.givenPerson())
    const usedToken = await solved()
    expect((await write(sender(), { challengeToken: usedToken })).status).toBe(200)
    const email = sender()
    for (const challengeToken of [
      usedToken,
      'nonsense',
      await solvedChallenge(service, workspace.id),
      await solvedChallenge(service, 'contact', 'sign_in'),
    ]) {
      const { status, body } = await write(email, { challengeToken })
      expect([status, body.code]).toEqual([403, 'challenge_failed'])
    }
    const { status, body } = await write(email, { challengeToken: undefined })
    expect([status, Object.keys(body.fieldErrors)]).toEqual([400, ['challengeToken']])
    expect(await find(email)).toEqual([])
  })

  test('accepts addresses that are refused at sign-in, whose owners must be able to ask why', async () => {
    for (const address of ['ada+1@example.com', 'ada@mailinator.com']) {
      const email = `${unique('x')}${address}`
      expect((await write(email)).status).toBe(200)
      expect(await find(email)).toMatchObject([{ email }])
    }
  })

  test('refuses addresses that no mail could reach', async () => {
    for (const email of ['ada+1@localhost', 'ada..b@example.com']) {
      const { status, body } = await write(email, { challengeToken: 'x' })
      expect([status, Object.keys(body.fieldErrors)]).toEqual([400, ['email']])
    }
  })
})

describe('mark_contact_request_read', () => {
  test('keeps the time of the first reading, and records it once', async () => {
    const email = sender()
    await write(email)
    const [request] = await find(email)
    const { body: first } = await markRead(request!.id).expect(200)
    service.advance(60_000)
    expect((await markRead(request!.id)).body).toEqual(first)
    const { body } = await service.admin(staff).get(`/api/admin/audit?search=${request!.id}`)
    expect(body.entries).toMatchObject([
      {
        action: 'mark_contact_request_read',
        staffEmail: staff.email,
        before: { readAt: null },
        after: { readAt: first.readAt },
      },
    ])
  })
})
