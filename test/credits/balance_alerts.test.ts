import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sweepBalanceAlerts } from '../../src/domain/credits/balance_alerts.ts'
import { givenShop, type Shop } from '../kit/catalogue.ts'
import { startService, type TestService } from '../kit/service.ts'

let service: TestService
let shop: Shop
beforeAll(async () => {
  service = await startService()
  shop = await givenShop(service)
})
afterAll(() => service.close())

const path = () => `/api/workspaces/${shop.workspaceId}`
const put = (below: number | null) =>
  service.dashboard(shop.person).put(`${path()}/balance-alert`).send({ below })
const setBalance = (credits: number) =>
  service.db
    .updateTable('wallets')
    .set({ balance_credits: credits })
    .where('workspace_id', '=', shop.workspaceId)
    .execute()
const mails = async () => {
  await sweepBalanceAlerts(service.db, service.config.dashboardUrl, service.now())
  return service.mailsTo(shop.person.email)
}

describe('update_balance_alert', () => {
  test('keeps a threshold, and refuses one that is not a positive number', async () => {
    const get = service.dashboard(shop.person).get(`${path()}/balance-alert`)
    expect((await get.expect(200)).body).toEqual({ below: null })
    expect((await put(0)).body).toMatchObject({ fieldErrors: { below: 'At least 1.' } })
    expect((await put(50).expect(200)).body).toEqual({ below: 50 })
  })

  test('mails the billing address once for each fall below it', async () => {
    await setBalance(50)
    expect(await mails()).toEqual([])
    await setBalance(49)
    const text = [
      'A workspace has 49 credits left, fewer than the 50 at which you wanted to know.',
      `Buy credits, or change the threshold: ${service.config.dashboardUrl}/w/${shop.workspaceId}/wallet`,
    ].join('\n\n')
    const subject = 'A workspace is running out of credits'
    expect(await mails()).toEqual([expect.objectContaining({ subject, text })])
    expect(await mails()).toHaveLength(1)
    await setBalance(60)
    expect(await mails()).toHaveLength(1)
    await setBalance(1)
    const [first, second] = [mails(), mails()]
    await Promise.all([first, second])
    expect(await mails()).toHaveLength(2)
    await put(null).expect(200)
    await put(null).expect(200)
    expect(await mails()).toHaveLength(2)
  })
})

describe('list_receipts', () => {
  test('shows paid purchases alone, with what was refunded', async () => {
    const list = async () =>
      (await service.dashboard(shop.person).get(`${path()}/receipts`).expect(200)).body
    const buy = service.dashboard(shop.person).post(`${path()}/checkout`).send({ pack: 500 })
    const { id } = (await buy.expect(201)).body as { id: string }
    expect(await list()).toMatchObject({ receipts: [], pagination: { total: 0 } })
    const checkout = (step: string) =>
      service.dashboard(shop.person).post(`/api/development/checkout/${id}/${step}`)
    await checkout('pay').expect(200)
    await checkout('refund').send({ credits: 100 }).expect(200)
    expect((await list()).receipts).toEqual([
      {
        id,
        paidAt: service.now().toISOString(),
        credits: 500,
        price: 10,
        currency: 'USD',
        refundedCredits: 100,
        workspaceName: 'A workspace',
        billingEmail: shop.person.email,
      },
    ])
  })
})

describe('end_other_sessions', () => {
  test('signs out everywhere else, and lists what is left', async () => {
    const other = await service.givenPerson({ email: shop.person.email })
    const sessions = async () =>
      (await service.dashboard(shop.person).get('/api/sessions').expect(200)).body.sessions
    expect((await sessions()).map(({ isCurrent }: { isCurrent: boolean }) => isCurrent)).toEqual([
      false,
      true,
    ])
    const { body } = await service.dashboard(shop.person).delete('/api/sessions').expect(200)
    expect(body).toEqual({ ended: 1 })
    await service.dashboard(other).get('/api/session').expect(401)
    expect(await sessions()).toHaveLength(1)
  })
})

describe('resend_invitation', () => {
  test('mails an open invitation again, and finds none that was accepted', async () => {
    const members = service.dashboard(shop.person)
    const email = 'lost@example.com'
    const invitation = await members.post(`${path()}/members`).send({ email, role: 'staff' })
    const again = () => members.post(`${path()}/members/${invitation.body.id}/invitation`)
    expect((await again().expect(200)).body).toEqual(invitation.body)
    const [first, second] = await service.mailsTo(email)
    expect(second).toMatchObject({ subject: first!.subject, text: first!.text })
    const list = await members.get(`${path()}/members`).expect(200)
    const own = (list.body.members as { id: string; status: string }[]).find(
      ({ status }) => status === 'ACTIVE',
    )
    await members.post(`${path()}/members/${own!.id}/invitation`).expect(404)
  })
})
