import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { components } from '../../src/generated/types.ts'
import { sql } from 'kysely'
import { startService, type StaffMember, type TestService } from '../kit/service.ts'

type AuditEntry = components['schemas']['AuditEntry']

let service: TestService
let staff: StaffMember
beforeAll(async () => {
  service = await startService()
  staff = await service.givenStaff()
})
afterAll(() => service.close())

async function givenWallet() {
  const owner = await service.givenPerson()
  const { id } = await service.givenWorkspace(owner)
  const { key } = await service.givenKey(owner)
  const adjust = (credits: number, headers: Record<string, string> = {}) =>
    service
      .admin(staff)
      .post(`/api/admin/workspaces/${id}/credits`)
      .set(headers)
      .send({ credits, reason: 'An outage.' })
  const read = async (what: string) =>
    (await service.api(key).get(`/v1/workspaces/${id}/${what}`).expect(200)).body
  const auditEntries = async () => {
    const { body } = await service.admin(staff).get(`/api/admin/audit?search=${id}`)
    return (body.entries as AuditEntry[]).reverse()
  }
  return { id, adjust, read, auditEntries }
}

describe('adjust_credits', () => {
  test('changes the balance and is recorded in the ledger and the audit', async () => {
    const { id, adjust, read, auditEntries } = await givenWallet()
    const { status, body: entry } = await adjust(50)
    expect(status).toBe(200)
    expect(entry).toMatchObject({
      type: 'ADJUSTMENT',
      credits: 50,
      balanceAfter: 50,
      reason: 'An outage.',
      createdAt: service.now().toISOString(),
    })
    expect((await read('wallet')).balance).toBe(50)
    expect((await read('wallet/entries')).entries).toEqual([entry])
    expect(await auditEntries()).toEqual([
      {
        id: entry.reference,
        staffEmail: staff.email,
        action: 'adjust_credits',
        subjectType: 'workspace',
        subjectId: id,
        before: { balance: 0 },
        after: { balance: 50, credits: 50, reason: 'An outage.' },
        createdAt: service.now().toISOString(),
      },
    ])
  })

  test('may leave a debt', async () => {
    const { adjust, read } = await givenWallet()
    expect((await adjust(-30)).body.balanceAfter).toBe(-30)
    expect(await read('wallet')).toMatchObject({ balance: -30, inDebt: true })
  })

  test('adds up under concurrency, each with its own before and after', async () => {
    const { adjust, read, auditEntries } = await givenWallet()
    const amounts = [5, -3, 8, -1, 10, -7]
    await Promise.all(amounts.map((credits) => adjust(credits).expect(200)))
    expect((await read('wallet')).balance).toBe(12)
    const entries = await auditEntries()
    expect(entries).toHaveLength(amounts.length)
    for (const { before, after } of entries)
      expect(Number(after!.balance) - Number(before!.balance)).toBe(after!.credits)
  })

  test('runs once per Idempotency-Key', async () => {
    const { adjust, read, auditEntries } = await givenWallet()
    const headers = { 'Idempotency-Key': 'monday' }
    const { body: first } = await adjust(20, headers).expect(200)
    expect((await adjust(20, headers)).body).toEqual(first)
    expect((await adjust(21, headers)).body.code).toBe('idempotency_mismatch')
    expect((await read('wallet')).balance).toBe(20)
    expect(await auditEntries()).toHaveLength(1)
  })

  test('rolls back if the ledger or the audit write fails', async () => {
    const { adjust, read, auditEntries } = await givenWallet()
    await sql`alter table audit_entries add constraint closed check (false) not valid`.execute(
      service.db,
    )
    try {
      await adjust(20).expect(500)
    } finally {
      await sql`alter table audit_entries drop constraint closed`.execute(service.db)
    }
    expect((await read('wallet')).balance).toBe(0)
    expect((await read('wallet/entries')).entries).toEqual([])
    expect(await auditEntries()).toEqual([])
  })

  test('of zero is refused', async () => {
    const { adjust, auditEntries } = await givenWallet()
    const { status, body } = await adjust(0)
    expect([status, body.fieldErrors]).toEqual([400, { credits: 'Must not be zero.' }])
    expect(await auditEntries()).toEqual([])
  })
})
