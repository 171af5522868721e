import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { components } from '../../src/generated/types.ts'
import { brokenIn } from '../assistant/chats.ts'
import { startService, type TestService, unique } from '../kit/service.ts'

let service: TestService
beforeAll(async () => {
  service = await startService({ env: { STARTER_CREDITS: '25' } })
})
afterAll(() => service.close())

type Schemas = components['schemas']

async function created(key: string): Promise<Schemas['Workspace']> {
  const body = { name: 'New', subDomain: unique('new'), templateKey: 'minimal' }
  return (await service.api(key).post('/v1/workspaces').send(body).expect(200))
    .body as Schemas['Workspace']
}

describe('create_workspace', () => {
  test('books the starter credits once, as an audited adjustment', async () => {
    const owner = await service.givenPerson()
    const { key } = await service.givenKey(owner)
    const { id } = await created(key)
    const at = (path: string) => `/v1/workspaces/${id}/${path}`
    const wallet = await service.api(key).get(at('wallet')).expect(200)
    expect(wallet.body).toMatchObject({ balance: 25, available: 25 })
    const ledger = await service.api(key).get(at('wallet/entries')).expect(200)
    const { entries } = ledger.body as Schemas['WalletEntryList']
    expect(entries).toMatchObject([
      { type: 'ADJUSTMENT', credits: 25, balanceAfter: 25, reason: 'Starter credits' },
    ])
    const audit = await service.db
      .selectFrom('audit_entries')
      .select(['id', 'staff_email', 'action', 'before', 'after'])
      .where('subject_id', '=', id)
      .execute()
    expect(audit).toEqual([
      {
        id: entries[0]!.reference,
        staff_email: 'operator',
        action: 'adjust_credits',
        before: { balance: 0 },
        after: { balance: 25, credits: 25, reason: 'Starter credits' },
      },
    ])
    expect(await brokenIn(service)).toEqual([])
  })
})
