import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Person, startService, type TestService, unique } from '../kit/service.ts'

let service: TestService
beforeAll(async () => {
  service = await startService({ waitMilliseconds: 30_000 })
})
afterAll(() => service.close())

const day = 24 * 3600_000
const keyBody = () => ({ name: unique('key'), scopes: ['workspaces:read'], expiresInDays: 90 })
const create = (person: Person) => service.dashboard(person).post('/api/keys').send(keyBody())

async function givenKeys(person: Person, count: number, expiresInDays = 30): Promise<string[]> {
  const ids: string[] = []
  for (let made = 0; made < count; made++)
    ids.push((await service.givenKey(person, { expiresInDays })).id)
  return ids
}

describe('create_key', () => {
  test('gives an account a hundred live keys, however many are asked for at once', async () => {
    const person = await service.givenPerson()
    await givenKeys(person, 97)
    const answers = await Promise.all(Array.from({ length: 12 }, () => create(person)))
    const refusals = answers.filter(({ status }) => status !== 201).map(({ body }) => body)
    expect(refusals).toEqual(
      Array(9).fill({
        status: 400,
        code: 'key_limit_reached',
        message: 'An account has at most 100 live keys. Revoke one that you no longer use.',
      }),
    )
    const { body } = await service.dashboard(person).get('/api/keys').expect(200)
    expect(body.pagination.total).toBe(100)
    // Another account is not affected.
    expect((await create(await service.givenPerson())).status).toBe(201)
  })

  test('has room again after a revocation or an expiry', async () => {
    const person = await service.givenPerson()
    const [first] = await givenKeys(person, 99)
    await givenKeys(person, 1, 1)
    expect((await create(person)).status).toBe(400)
    await service.dashboard(person).delete(`/api/keys/${first}`).expect(200)
    expect((await create(person)).status).toBe(201)
    expect((await create(person)).status).toBe(400)
    service.advance(day)
    expect((await create(person)).status).toBe(201)
    expect((await create(person)).status).toBe(400)
  })
})

describe('list_keys', () => {
  test('answers every key by pages, newest first', async () => {
    const person = await service.givenPerson()
    const ids = await givenKeys(person, 5)
    const page = async (number: number) => {
      const path = `/api/keys?page=${number}&pageSize=2`
      const { body } = await service.dashboard(person).get(path).expect(200)
      return body as { keys: { id: string }[]; pagination: unknown }
    }
    const pages = [await page(1), await page(2), await page(3), await page(4)]
    const listed = pages.map(({ keys }) => keys.map(({ id }) => id))
    const newest = ids.toReversed()
    expect(listed).toEqual([newest.slice(0, 2), newest.slice(2, 4), newest.slice(4), []])
    expect(pages[2]?.pagination).toEqual({
      page: 3,
      limit: 2,
      total: 5,
      totalPages: 3,
      hasNextPage: false,
      hasPreviousPage: true,
    })
  })
})
