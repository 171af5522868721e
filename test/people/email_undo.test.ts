import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createHash } from 'node:crypto'
import request from 'supertest'
import { newToken } from '../../src/core/secrets.ts'
import { undoEmailChange } from '../../src/domain/people/email_changes.ts'
import { lockAccount } from '../../src/queries/people/accounts.ts'
import { givenMember } from '../every_operation/fixtures.ts'
import { createDatabase, type TestDatabase } from '../kit/database.ts'
import { holdTransaction, queueBehind } from '../kit/held_transactions.ts'
import { type Person, startService, type TestService, unique } from '../kit/service.ts'

const day = 24 * 3600_000

let database: TestDatabase
let service: TestService
beforeAll(async () => {
  database = await createDatabase()
  service = await startService({ databaseUrl: database.url })
})
afterAll(async () => {
  await service.close()
  await database.drop()
})

const newAddress = () => `${unique('thief')}@example.com`

/** Changes the address of an account from an open session, as a thief would. */
async function changeTo(person: Person, email: string): Promise<void> {
  await service.dashboard(person).post('/api/account/email/code').send({ email }).expect(202)
  const code = await service.codeFor(email)
  await service.dashboard(person).put('/api/account/email').send({ email, code }).expect(200)
}

/** The link in the newest mail to an address. */
async function linkFor(email: string): Promise<string> {
  const [link] = /http:\/\/\S+/.exec((await service.mailsTo(email)).at(-1)?.text ?? '') ?? []
  if (!link) throw new Error(`No link was mailed to ${email}.`)
  return link
}
const tokenFor = async (email: string) => (await linkFor(email)).split('/').at(-1)!

const undo = (token: string) => service.dashboard().post('/api/account/email/undo').send({ token })

const refusal = {
  status: 400,
  code: 'invalid_input',
  message: 'The request is not valid.',
  fieldErrors: { token: 'This link is wrong, used or older than 7 days.' },
}

async function emailOf({ accountId }: Person): Promise<string> {
  const account = service.db.selectFrom('accounts').select('email').where('id', '=', accountId)
  return (await account.executeTakeFirstOrThrow()).email
}

describe('update_account_email', () => {
  test('tells the old address at once, with a link', async () => {
    const person = await service.givenPerson()
    const email = newAddress()
    await changeTo(person, email)
    const [mail] = await service.mailsTo(person.email)
    expect(mail?.subject).toBe('The address of your Vitrine account was changed')
    expect(mail?.text).toContain(`Your account now signs in with ${email}.`)
    const token = await tokenFor(person.email)
    expect(token).toMatch(/^wsb_dev_[A-Za-z0-9_-]{49}$/)
    expect(await linkFor(person.email)).toBe(`${service.config.dashboardUrl}/undo-email/${token}`)
    const stored = await service.db.selectFrom('email_changes').selectAll().execute()
    expect(stored.map(({ token_hash }) => token_hash)).toContainEqual(
      createHash('sha256').update(token).digest(),
    )
    expect(JSON.stringify(service.logged())).not.toContain(token)
  })

  test('tells nobody of a change to the same address', async () => {
    const person = await service.givenPerson()
    await changeTo(person, person.email)
    const subjects = (await service.mailsTo(person.email)).map(({ subject }) => subject)
    expect(subjects).toEqual(['Your Vitrine code'])
  })
})

describe('undo_account_email', () => {
  test('refuses the token of the other environment as such, at the page too', async () => {
    const token = newToken('emailUndo', 'production')
    const { status, body } = await undo(token)
    expect([status, body.code]).toEqual([401, 'wrong_environment'])
    const page = await service.dashboard().get(`/undo-email/${token}`)
    expect(page.status).toBe(401)
  })

  test('gives the account its address back, and ends sessions, and keys and agents of a day before', async () => {
    const person = await service.givenPerson()
    const before = await service.givenKey(person)
    const agentBefore = await service.givenAgent(person)
    service.advance(1)
    const since = await service.givenKey(person)
    const agentSince = await service.givenAgent(person)
    service.advance(day)
    await changeTo(person, newAddress())
    const { status, body } = await undo(await tokenFor(person.email))
    expect([status, body]).toEqual([200, { email: person.email }])
    expect(await emailOf(person)).toBe(person.email)
    await service.dashboard(person).get('/api/session').expect(401)
    await service.api(before.key).get('/v1/workspaces').expect(200)
    expect((await service.api(since.key).get('/v1/workspaces')).body.code).toBe('token_revoked')
    const grants = await service.db
      .selectFrom('grants')
      .select(['id', 'revoked_at'])
      .where('account_id', '=', person.accountId)
      .orderBy('id')
      .execute()
    expect(grants).toEqual([
      { id: agentBefore.grantId, revoked_at: null },
      { id: agentSince.grantId, revoked_at: service.now().toISOString() },
    ])
  })

  test.each(['first', 'last'])('of two changes at once, the %s asked for first', async (which) => {
    const person = await service.givenPerson()
    const second = newAddress()
    await changeTo(person, second)
    service.advance(1)
    await changeTo(person, newAddress())
    const tokens = [await tokenFor(person.email), await tokenFor(second)]
    if (which === 'last') tokens.reverse()
    const holder = await holdTransaction(database.url, (trx) => lockAccount(trx, person.accountId))
    const calls = tokens.map((token) => () => undo(token))
    const answers = await queueBehind(holder, calls, { on: service })
    expect(await emailOf(person)).toBe(person.email)
    // The first change takes the last with it; the last leaves the first.
    expect(answers.map(({ status }) => status)).toEqual(which === 'first' ? [200, 400] : [200, 200])
  })

  test('works once, of concurrent calls for one, and for no other token', async () => {
    const person = await service.givenPerson()
    await changeTo(person, newAddress())
    const token = await tokenFor(person.email)
    const answers = await Promise.all(Array.from({ length: 5 }, () => undo(token)))
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 400, 400, 400, 400])
    expect((await undo(token)).body).toEqual(refusal)
    expect((await undo(`${token.slice(0, -1)}x`)).body).toEqual(refusal)
  })

  test('works for seven days', async () => {
    const [early, late] = [await service.givenPerson(), await service.givenPerson()]
    await changeTo(early, newAddress())
    await changeTo(late, newAddress())
    const tokens = [await tokenFor(early.email), await tokenFor(late.email)] as const
    service.advance(7 * day - 1)
    await undo(tokens[0]).expect(200)
    service.advance(1)
    expect((await undo(tokens[1])).body).toEqual(refusal)
  })

  test('reaches past further changes, and leaves them no way back', async () => {
    const person = await service.givenPerson()
    const [first, second] = [newAddress(), newAddress()]
    await changeTo(person, first)
    service.advance(1000)
    await changeTo(person, second)
    const [own, thiefs] = [await tokenFor(person.email), await tokenFor(first)]
    await undo(own).expect(200)
    expect(await emailOf(person)).toBe(person.email)
    expect((await undo(thiefs)).body).toEqual(refusal)
  })

  test('takes the address from an empty account that it opened meanwhile', async () => {
    const person = await service.givenPerson()
    await changeTo(person, newAddress())
    const token = await tokenFor(person.email)
    const empty = await service.givenPerson({ email: person.email })
    await undo(token).expect(200)
    expect(await emailOf(person)).toBe(person.email)
    expect(await emailOf(empty)).toBe(`${empty.accountId}@released.invalid`)
    await service.dashboard(empty).get('/api/session').expect(401)
  })

  test('is refused, and can be tried again, while another account in use has the address', async () => {
    const person = await service.givenPerson()
    await changeTo(person, newAddress())
    const token = await tokenFor(person.email)
    const other = await service.givenPerson({ email: person.email })
    await service.givenWorkspace(other)
    const { status, body } = await undo(token)
    expect([status, body.code]).toEqual([409, 'duplicate'])
    expect(await emailOf(other)).toBe(person.email)
    await changeTo(other, newAddress())
    await undo(token).expect(200)
    expect(await emailOf(person)).toBe(person.email)
  })
})

describe('while a change of address can be taken back', () => {
  const frozen = { status: 409, code: 'owners_frozen' }
  const pathOf = (workspace: { id: string }, member: string) =>
    `/api/workspaces/${workspace.id}/members/${member}`

  async function memberOf(workspace: { id: string }, person: Person): Promise<string> {
    const { body } = await service.dashboard(person).get(`/api/workspaces/${workspace.id}/members`)
    const { members } = body as { members: { id: string; accountId: string }[] }
    return members.find(({ accountId }) => accountId === person.accountId)!.id
  }

  test('nobody becomes an owner, and open invitations of owners end with it', async () => {
    const [person, thief] = [await service.givenPerson(), await service.givenPerson()]
    const workspace = await service.givenWorkspace(person)
    const invited = await givenMember({ service, workspace }, thief, 'owner', 'INVITED')
    const accept = () => service.dashboard(thief).post(`/api/invitations/${invited}/accept`)
    const staff = await givenMember({ service, workspace }, await service.givenPerson(), 'staff')
    await changeTo(person, newAddress())
    expect((await accept()).body).toMatchObject(frozen)
    const promotion = service.dashboard(person).put(pathOf(workspace, staff))
    expect((await promotion.send({ role: 'owner' })).body).toMatchObject(frozen)
    await undo(await tokenFor(person.email)).expect(200)
    await accept().expect(404)
  })

  test('an owner who is new cannot remove or demote the account', async () => {
    const [person, thief] = [await service.givenPerson(), await service.givenPerson()]
    const workspace = await service.givenWorkspace(person)
    const own = await memberOf(workspace, person)
    const invited = await givenMember({ service, workspace }, thief, 'owner', 'INVITED')
    await service.dashboard(thief).post(`/api/invitations/${invited}/accept`).expect(200)
    service.advance(1000)
    await changeTo(person, newAddress())
    const asThief = service.dashboard(thief)
    expect((await asThief.delete(pathOf(workspace, own))).body).toMatchObject(frozen)
    const demotion = service.dashboard(thief).put(pathOf(workspace, own)).send({ role: 'staff' })
    expect((await demotion).body).toMatchObject(frozen)
    const leaving = service.dashboard(person).delete(pathOf(workspace, own))
    expect((await leaving).body).toMatchObject(frozen)
  })

  test('an owner of longer standing can, and all its addresses are told', async () => {
    const [person, founder] = [await service.givenPerson(), await service.givenPerson()]
    const workspace = await service.givenWorkspace(founder)
    const own = await givenMember({ service, workspace }, person, 'owner')
    const email = newAddress()
    await changeTo(person, email)
    await service.dashboard(founder).delete(pathOf(workspace, own)).expect(200)
    for (const address of [person.email, email]) {
      const mail = (await service.mailsTo(address)).at(-1)
      expect(mail?.subject).toBe('You no longer own a workspace')
      expect(mail?.text).toContain('You are no longer an owner of A workspace.')
    }
  })

  test('the address that lost the account is told', async () => {
    const person = await service.givenPerson()
    const email = newAddress()
    await changeTo(person, email)
    await undo(await tokenFor(person.email)).expect(200)
    expect((await service.mailsTo(email)).at(-1)?.text).toContain(
      `The account that signed in with ${email} has its old address again.`,
    )
  })

  test('a call that was admitted before does not outlive it, nor does a sign-in', async () => {
    const person = await service.givenPerson()
    const email = newAddress()
    await changeTo(person, email)
    const token = await tokenFor(person.email)
    await service.dashboard().post('/api/session/code').send({ email }).expect(202)
    const code = await service.codeFor(email)
    const holder = await holdTransaction(database.url, (trx) =>
      undoEmailChange(trx, token, service.now()),
    )
    const key = { name: 'Late', scopes: ['products:write'], expiresInDays: 365 }
    const [created, signedIn] = await queueBehind(
      holder,
      [
        () => service.dashboard(person).post('/api/keys').send(key),
        () => service.dashboard().post('/api/session').send({ email, code }),
      ],
      { on: service },
    )
    expect([created!.status, created!.body.code]).toEqual([401, 'unauthenticated'])
    expect(signedIn!.status).toBe(200)
    expect(signedIn!.body.account.id).not.toBe(person.accountId)
  })
})

describe('the page behind the link', () => {
  test('asks first, takes the change back, and says so when it no longer can', async () => {
    const person = await service.givenPerson()
    await changeTo(person, newAddress())
    const { pathname } = new URL(await linkFor(person.email))
    const get = () => request(service.urls.dashboard).get(pathname).set('Accept', 'text/html')
    const post = (origin: string) =>
      request(service.urls.dashboard)
        .post(`${pathname}/confirm`)
        .set('Accept', 'text/html')
        .set('Origin', origin)
    const question = await get().expect(200)
    expect(question.text).toContain(`<h1>Take back the change of address?</h1>`)
    expect(question.text).toContain(`<form method="post" action="${pathname}/confirm">`)
    await post('https://evil.example').expect(403)
    expect(await emailOf(person)).not.toBe(person.email)
    const done = await post(service.config.dashboardUrl).expect(200)
    expect(done.text).toContain(`The account signs in with ${person.email} again.`)
    expect(await emailOf(person)).toBe(person.email)
    for (const again of [await get(), await post(service.config.dashboardUrl)])
      expect([again.status, again.text.includes('This link no longer works')]).toEqual([404, true])
  })
})
