import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { inTurn } from '../../src/domain/media/picture_lane.ts'
import { givenShop, type Shop } from '../kit/catalogue.ts'
import { start, tally } from '../kit/races.ts'
import { startService, type TestService } from '../kit/service.ts'

let service: TestService
let attacker: Shop
let other: Shop
let large: object
let small: object
beforeAll(async () => {
  service = await startService()
  attacker = await givenShop(service)
  other = await givenShop(service)
  large = await uploadOf(4000)
  small = await uploadOf(10)
})
afterAll(() => service.close())

async function uploadOf(side: number): Promise<object> {
  const shape = { width: side, height: side, channels: 3, background: '#ace' } as const
  const bytes = await sharp({ create: shape }).png().toBuffer()
  return { fileName: 'a.png', mimeType: 'image/png', base64: bytes.toString('base64') }
}

const keyRow = (id: string) =>
  service.db.selectFrom('api_keys').select('last_used_at').where('id', '=', id).executeTakeFirst()
const upload = (shop: Shop, body: object) => shop.api.post(shop.at('media')).send(body)
const totalOf = async (shop: Shop) =>
  ((await shop.api.get(shop.at('media'))).body as { pagination: { total: number } }).pagination
    .total

/** Keeps the lane busy until it is released. */
async function holdLane(): Promise<{ held: Promise<void>; release: () => void }> {
  let held = Promise.resolve()
  const release = await new Promise<() => void>((begun) => {
    held = inTurn({ account: 'acc_held' }, () => new Promise<void>((done) => begun(done)))
  })
  return { held, release }
}

describe('pictures of one account', () => {
  test('delay those of another by one', async () => {
    let answered = 0
    const many = Array.from({ length: 12 }, () =>
      start(upload(attacker, large)).finally(() => answered++),
    )
    await expect.poll(() => answered).toBeGreaterThan(0)
    await upload(other, small).expect(200)
    expect(answered).toBeLessThan(6)
    expect(tally(await Promise.all(many))).toEqual({ 200: 12 })
  })

  test('are not stored if the key was revoked while they waited', async () => {
    const { id, key } = await service.givenKey(attacker.person)
    const api = service.api(key)
    const before = await totalOf(attacker)
    const { held, release } = await holdLane()
    const waiting = [large, small].map((body) => start(api.post(attacker.at('media')).send(body)))
    await expect.poll(async () => (await keyRow(id))?.last_used_at).not.toBeNull()
    await service.dashboard(attacker.person).delete(`/api/keys/${id}`).expect(200)
    release()
    await held
    expect(tally(await Promise.all(waiting))).toEqual({ '401 token_revoked': 2 })
    expect(await totalOf(attacker)).toBe(before)
  })
})

describe('a turn', () => {
  test('ends when its caller leaves', async () => {
    const { held, release } = await holdLane()
    const leaving = new AbortController()
    const left = inTurn({ account: 'acc_left', signal: leaving.signal }, () =>
      Promise.reject(new Error('Its turn has come.')),
    )
    leaving.abort()
    await expect(left).rejects.toThrow('The service is not available right now.')
    release()
    await held
  })

  test('goes to accounts one after the other', async () => {
    const order: string[] = []
    const { held, release } = await holdLane()
    const turns = ['one', 'one', 'one', 'two', 'three', 'two'].map((account) =>
      inTurn({ account }, () => Promise.resolve(void order.push(account))),
    )
    release()
    await Promise.all([held, ...turns])
    expect(order).toEqual(['one', 'two', 'three', 'one', 'two', 'one'])
  })
})
