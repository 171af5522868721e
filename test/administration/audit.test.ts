import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { addStaff, removeStaff } from '../../src/domain/administration/staff.ts'
import { AuditAction } from '../../src/generated/enums.ts'
import type { components } from '../../src/generated/types.ts'
import { loadPageTexts } from '../../src/texts/languages.ts'
import {
  credentialOf,
  givenScene,
  type Scene,
  send,
  validCall,
} from '../every_operation/fixtures.ts'
import { type Call, operationIds, rows, waysTo } from '../every_operation/operations.ts'
import { startService, type StaffMember, type TestService, unique } from '../kit/service.ts'

type AuditEntry = components['schemas']['AuditEntry']

let service: TestService
let staff: StaffMember
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service.close())
beforeEach(async () => {
  staff = await service.givenStaff()
})

async function entriesFor(search: string): Promise<AuditEntry[]> {
  const query = new URLSearchParams({ search, pageSize: '100' }).toString()
  const { body } = await service.admin(staff).get(`/api/admin/audit?${query}`).expect(200)
  expect(body.pagination.total).toBe(body.entries.length)
  return body.entries as AuditEntry[]
}

/** The audit entries about a subject, oldest first, without values that vary. */
async function changesOf(subjectId: string): Promise<unknown[]> {
  const entries = await entriesFor(subjectId)
  return entries.reverse().map(({ id: _id, createdAt: _at, ...change }) => change)
}

const { default: texts } = await loadPageTexts.en()

/** What the audit page says of an entry and has no English text for; other languages have the same ones. */
function wordsMissingFor({ action, before, after }: AuditEntry): string[] {
  const states = [...Object.entries(before ?? {}), ...Object.entries(after ?? {})]
  const values = states.flatMap(([, value]) => String(value).split(', '))
  const names = values.filter((value) => /^[A-Z_]+$/.test(value)).map((name) => `value.${name}`)
  const keys = [`action.${action}`, ...states.map(([field]) => `field.${field}`), ...names]
  return keys.filter((key) => !(key in texts.admin))
}

describe('every change by staff', () => {
  const changes = operationIds.filter(
    (id) => rows[id].auth === 'staffSession' && rows[id].method !== 'get',
  )

  test.each(changes.filter((id) => id !== 'delete_staff_session'))(
    '%s leaves one entry with actor, action, before and after',
    async (id) => {
      const scene = await givenScene(service)
      const { answer, call } = await make(scene, id)
      expect(answer.status).toBe(200)
      const [entry, ...more] = await entriesFor(call.path.id!)
      expect(more.filter(({ action }) => action === id)).toEqual([])
      expect(entry).toEqual({
        id: expect.stringMatching(/^aud_/),
        staffEmail: scene.staff.email,
        action: id,
        subjectType: expect.any(String),
        subjectId: call.path.id,
        before: expect.any(Object),
        after: expect.any(Object),
        createdAt: service.now().toISOString(),
      })
      expect(entry?.after).not.toEqual(entry?.before)
      expect(wordsMissingFor(entry!)).toEqual([])
    },
  )

  test('is an action of the contract', () => {
    const atServer = ['create_staff_code', 'add_staff', 'remove_staff']
    const operations = changes.filter((id) => id !== 'delete_staff_session')
    expect([...AuditAction].sort()).toEqual([...operations, ...atServer].sort())
  })

  test.each(AuditAction)('has a text: %s', (action) => {
    expect(Object.keys(texts.admin)).toContain(`action.${action}`)
  })

  async function make(scene: Scene, id: (typeof changes)[number]) {
    const call: Call = await validCall(id, scene)
    if (id === 'unblock_source')
      await service.admin(staff).post(`/api/admin/sources/${call.path.id}/block`).expect(200)
    if (id === 'update_name_approval')
      await service.db
        .updateTable('sub_domains')
        .set({ is_approved: false })
        .where('name', '=', scene.workspace.subDomain)
        .execute()
    const way = waysTo(id)[0]!
    return { call, answer: await send(service, id, way, call, credentialOf(scene, way)) }
  }

  test('records the values before and after', async () => {
    const { accountId } = await service.givenPerson({ workspaceLimit: 2 })
    const put = (path: string, body: object) =>
      service.admin(staff).put(`/api/admin/accounts/${accountId}/${path}`).send(body).expect(200)
    await put('workspace-limit', { workspaceLimit: 7 })
    await put('workspace-limit', { workspaceLimit: 5 })
    await put('status', { status: 'SUSPENDED' })
    const who = { staffEmail: staff.email, subjectType: 'account', subjectId: accountId }
    const limit = { ...who, action: 'update_account_limit' }
    expect(await changesOf(accountId)).toEqual([
      { ...limit, before: { workspaceLimit: 2 }, after: { workspaceLimit: 7 } },
      { ...limit, before: { workspaceLimit: 7 }, after: { workspaceLimit: 5 } },
      {
        ...who,
        action: 'update_account_status',
        before: { status: 'ACTIVE' },
        after: { status: 'SUSPENDED' },
      },
    ])
  })

  test('leaves no entry if it is a no-op or refused', async () => {
    const { accountId } = await service.givenPerson({ workspaceLimit: 2 })
    const path = `/api/admin/accounts/${accountId}/workspace-limit`
    const put = (workspaceLimit: number) => service.admin(staff).put(path).send({ workspaceLimit })
    const { body: before } = await put(2).expect(200)
    service.advance(1000)
    const { body: after } = await put(2).expect(200)
    expect(after).toEqual(before)
    await put(1001).expect(400)
    await service.admin().put(path).send({ workspaceLimit: 3 }).expect(401)
    expect(await changesOf(accountId)).toEqual([])
  })

  test('leaves a chain without gaps when made concurrently', async () => {
    const { accountId } = await service.givenPerson({ workspaceLimit: 1 })
    const path = `/api/admin/accounts/${accountId}/workspace-limit`
    const limits = [11, 12, 13, 14, 15, 16]
    await Promise.all(
      limits.map((workspaceLimit) =>
        service.admin(staff).put(path).send({ workspaceLimit }).expect(200),
      ),
    )
    const changes = (await changesOf(accountId)) as AuditEntry[]
    const steps = new Map(
      changes.map(({ before, after }) => [before!.workspaceLimit, after!.workspaceLimit]),
    )
    expect(steps.size).toBe(limits.length)
    let value: unknown = 1
    for (let step = 0; step < limits.length; step++) value = steps.get(value as number)
    const { body } = await service.admin(staff).get(`/api/admin/accounts?search=${accountId}`)
    expect(body.accounts[0].workspaceLimit).toBe(value)
  })

  test('is not made if it cannot be recorded', async () => {
    const { accountId } = await service.givenPerson({ workspaceLimit: 2 })
    const { sourceId } = await service.givenAgent(await service.givenPerson())
    await sql`alter table audit_entries add constraint closed check (false) not valid`.execute(
      service.db,
    )
    try {
      const limit = `/api/admin/accounts/${accountId}/workspace-limit`
      await service.admin(staff).put(limit).send({ workspaceLimit: 9 }).expect(500)
      await service.admin(staff).post(`/api/admin/sources/${sourceId}/block`).expect(500)
    } finally {
      await sql`alter table audit_entries drop constraint closed`.execute(service.db)
    }
    const { body: accounts } = await service
      .admin(staff)
      .get(`/api/admin/accounts?search=${accountId}`)
    expect(accounts.accounts[0].workspaceLimit).toBe(2)
    const { body: sources } = await service
      .admin(staff)
      .get(`/api/admin/sources?search=${sourceId}`)
    expect(sources.sources[0].status).toBe('APPROVED')
  })

  test('to the staff itself is recorded as made by the operator', async () => {
    const email = `${unique('new')}@example.com`
    const inTransaction = (change: typeof addStaff) =>
      service.db.transaction().execute((trx) => change(trx, email, service.now()))
    expect([await inTransaction(addStaff), await inTransaction(addStaff)]).toEqual([true, false])
    expect([await inTransaction(removeStaff), await inTransaction(removeStaff)]).toEqual([
      true,
      false,
    ])
    const entries = (await entriesFor('operator')).filter(
      ({ before, after }) => (before ?? after)?.email === email,
    )
    expect(entries.map(({ action, before, after }) => ({ action, before, after }))).toEqual([
      { action: 'remove_staff', before: { email }, after: null },
      { action: 'add_staff', before: null, after: { email } },
    ])
  })
})

describe('audit entries', () => {
  test.each([
    ['changed', sql`update audit_entries set staff_email = 'somebody@example.com'`],
    ['removed', sql`delete from audit_entries`],
    ['emptied', sql`truncate audit_entries`],
    ['emptied with others', sql`truncate audit_entries, contact_requests cascade`],
    [
      'replaced',
      sql`insert into audit_entries (id, staff_email, action, subject_type, subject_id, created_at)
        select id, staff_email, action, subject_type, subject_id, created_at from audit_entries
        on conflict (id) do update set action = 'other'`,
    ],
  ])('cannot be %s, not even by the owner of the database', async (_what, statement) => {
    const { accountId } = await service.givenPerson()
    const path = `/api/admin/accounts/${accountId}/workspace-limit`
    await service.admin(staff).put(path).send({ workspaceLimit: 4 }).expect(200)
    const before = await changesOf(accountId)
    expect(before).toHaveLength(1)
    const asReplica = () =>
      service.db.transaction().execute(async (trx) => {
        await sql`set local session_replication_role = replica`.execute(trx)
        await statement.execute(trx)
      })
    for (const attempt of [asReplica, () => statement.execute(service.db)])
      await expect(attempt()).rejects.toThrow('Audit entries are only ever added.')
    expect(await changesOf(accountId)).toEqual(before)
  })

  test('are listed newest first, and found by person, action and subject', async () => {
    const { accountId } = await service.givenPerson()
    const put = (path: string, body: object) =>
      service.admin(staff).put(`/api/admin/accounts/${accountId}/${path}`).send(body).expect(200)
    await put('workspace-limit', { workspaceLimit: 3 })
    await put('status', { status: 'SUSPENDED' })
    const actions = async (search: string) => (await entriesFor(search)).map(({ action }) => action)
    const newestFirst = ['update_account_status', 'update_account_limit']
    expect(await actions(staff.email.toUpperCase())).toEqual(newestFirst)
    expect(await actions(accountId)).toEqual(newestFirst)
    expect(await actions(`update_account_limit ${accountId}`)).toEqual(['update_account_limit'])
    const { body } = await service.admin(staff).get('/api/admin/audit?pageSize=1')
    expect(body.entries[0]).toMatchObject({ action: 'update_account_status', subjectId: accountId })
  })
})
