import type { Response } from 'supertest'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { givenScene, type Scene } from '../every_operation/fixtures.ts'
import { startService, type StaffMember, type TestService, unique } from '../kit/service.ts'
import { statementsOf } from '../kit/statements.ts'
import { givenCustomer, givenGuest } from '../kit/visitors.ts'

let service: TestService
let staff: StaffMember
beforeAll(async () => {
  service = await startService()
  staff = await service.givenStaff()
})
afterAll(() => service.close())

const countsIn = (statements: string[]) =>
  statements.filter((text) => /count\(\*\) as "?total/.test(text))

/** The answer to a read, and the counting statements it ran. */
async function readWithCounts(call: () => Promise<Response>) {
  let answer: Response | undefined
  const statements = await statementsOf(service, async () => (answer = await call()))
  expect(answer?.status).toBe(200)
  return { body: answer!.body as { pagination: { total: number } }, counts: countsIn(statements) }
}

describe('list_feedback', () => {
  let scene: Scene
  const path = (query = '') => `/v1/workspaces/${scene.workspace.id}/feedback${query}`
  const read = (query = '') =>
    readWithCounts(async () => service.api(scene.key).get(path(query))) as Promise<{
      body: { feedbacks: { message: string }[]; pagination: { total: number } }
      counts: string[]
    }>

  test('is counted on write, not on read', async () => {
    scene = await givenScene(service)
    const visitors = [givenGuest(scene), await givenCustomer(scene), givenGuest(scene)]
    await Promise.all(
      Array.from({ length: 15 }, async (_, n) => {
        const call = service.api(scene.key).post(path().replace('feedback', 'experience/feedback'))
        await call
          .set(visitors[n % 3]!.headers)
          .send({ message: `${n}` })
          .expect(204)
      }),
    )
    const all = (await read()).body.feedbacks.map(({ message }) => message)
    const messages: string[] = []
    for (let page = 1; page <= 8; page++) {
      const { body, counts } = await read(`?pageSize=2&page=${page}`)
      expect([body.pagination.total, counts]).toEqual([15, []])
      messages.push(...body.feedbacks.map(({ message }) => message))
    }
    expect(messages).toEqual(all)
    expect((await read('?page=9')).body).toMatchObject({ feedbacks: [], pagination: { total: 15 } })
  })
})

describe('a search of staff', () => {
  const find = (list: string, search: string) =>
    readWithCounts(async () => {
      const query = new URLSearchParams({ search, pageSize: '1' }).toString()
      return service.admin(staff).get(`/api/admin/${list}?${query}`)
    })
  const totals = async (list: string, search: string) => {
    const [first, second] = [await find(list, search), await find(list, search)]
    expect(second.counts).toEqual([])
    expect(second.body.pagination.total).toBe(first.body.pagination.total)
    return [first.body.pagination.total, first.counts.length]
  }

  test('is counted once, and again after an account is added, renamed or removed', async () => {
    const mark = unique('many')
    const givenMatch = () => service.givenPerson({ email: `${unique(mark)}@example.com` })
    const people = [await givenMatch(), await givenMatch()]
    expect(await totals('accounts', mark)).toEqual([2, 1])
    await givenMatch()
    expect(await totals('accounts', mark)).toEqual([3, 1])
    const other = await service.givenPerson()
    const update = { name: `Once ${mark}`, phone: null, language: 'en' }
    await service.dashboard(other).put('/api/account').send(update).expect(200)
    expect(await totals('accounts', mark)).toEqual([4, 1])
    await service.db.deleteFrom('accounts').where('id', '=', people[0]!.accountId).execute()
    expect(await totals('accounts', mark)).toEqual([3, 1])
  })

  test('is counted again after a workspace is renamed', async () => {
    const mark = unique('shops')
    const owner = await service.givenPerson()
    const { key } = await service.givenKey(owner)
    for (const total of [1, 2, 3]) {
      const { id } = await service.givenWorkspace(owner)
      const call = service.api(key).put(`/v1/workspaces/${id}/workspace`)
      await call.send({ name: `Shop ${mark}` }).expect(200)
      expect(await totals('workspaces', mark)).toEqual([total, 1])
    }
  })

  test('for a full address or id finds only that account', async () => {
    const address = `${unique('ada')}@example.com`
    const [ada, nada] = [
      await service.givenPerson({ email: address }),
      await service.givenPerson({ email: `n${address}` }),
    ]
    const idsFor = async (search: string, page = 1) => {
      const query = new URLSearchParams({ search, page: `${page}` }).toString()
      const { body } = await service.admin(staff).get(`/api/admin/accounts?${query}`).expect(200)
      const { accounts, pagination } = body as {
        accounts: { id: string }[]
        pagination: { total: number }
      }
      return [accounts.map(({ id }) => id), pagination.total]
    }
    expect(await idsFor(address.toUpperCase())).toEqual([[ada.accountId], 1])
    expect(await idsFor(ada.accountId)).toEqual([[ada.accountId], 1])
    expect(await idsFor(address, 2)).toEqual([[], 1])
    expect(await idsFor(address.slice(0, -1))).toEqual([[nada.accountId, ada.accountId], 2])
  })
})
