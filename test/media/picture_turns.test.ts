import { execFileSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { inTurn, quickPrice, quickUse } from '../../src/domain/media/picture_lane.ts'
import { highestPrice, leastPrice } from '../../src/domain/media/picture_price.ts'
import { givenChats } from '../assistant/chats.ts'
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
  large = await uploadOf(4500)
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

/** Keeps a decoder busy until it is released: the one for small pictures, or the other. */
async function holdDecoder(price: number): Promise<{ held: Promise<void>; release: () => void }> {
  let held = Promise.resolve()
  const release = await new Promise<() => void>((begun) => {
    const account = `acc_${randomUUID()}`
    held = inTurn({ account }, price, () => new Promise<void>((done) => begun(done)))
  })
  return { held, release }
}

/** Keeps both busy. */
async function holdDecoders(): Promise<{ held: Promise<unknown>; release: () => void }> {
  const both = [await holdDecoder(leastPrice), await holdDecoder(highestPrice)]
  return {
    held: Promise.all(both.map(({ held }) => held)),
    release: () => both.forEach(({ release }) => release()),
  }
}

describe('pictures of one account', () => {
  test('delay those of another by one', async () => {
    let answered = 0
    const many = Array.from({ length: 12 }, () =>
      start(upload(attacker, large)).finally(() => answered++),
    )
    await Promise.race(many)
    await upload(other, large).expect(200)
    // In one line for all, it would be the last.
    expect(answered).toBeLessThan(12)
    expect(tally(await Promise.all(many))).toEqual({ 200: 12 })
  })

  test('are not stored if the key was revoked while they waited', async () => {
    const { id, key } = await service.givenKey(attacker.person)
    const api = service.api(key)
    const before = await totalOf(attacker)
    const { held, release } = await holdDecoders()
    const waiting = [large, small].map((body) => start(api.post(attacker.at('media')).send(body)))
    await expect.poll(async () => (await keyRow(id))?.last_used_at).not.toBeNull()
    await service.dashboard(attacker.person).delete(`/api/keys/${id}`).expect(200)
    release()
    await held
    expect(tally(await Promise.all(waiting))).toEqual({ '401 token_revoked': 2 })
    expect(await totalOf(attacker)).toBe(before)
  })
})

describe('a small picture of an account that used little', () => {
  test('does not wait for large ones', async () => {
    const { held, release } = await holdDecoder(highestPrice)
    const waiting = start(upload(attacker, large))
    await upload(other, small).expect(200)
    release()
    await held
    expect((await waiting).status).toBe(200)
  })

  test('waits like any other once the account has used more', async () => {
    const account = `acc_${randomUUID()}`
    const order: string[] = []
    const note = (name: string) => () => Promise.resolve(void order.push(name))
    const { held, release } = await holdDecoder(highestPrice)
    for (let count = 0; count < 8; count++) await inTurn({ account }, quickUse / 8, note('quick'))
    const next = inTurn({ account }, leastPrice, note('next'))
    await inTurn({ account: 'acc_quiet' }, leastPrice, note('quiet'))
    release()
    await Promise.all([held, next])
    expect(order).toEqual([...Array.from({ length: 8 }, () => 'quick'), 'quiet', 'next'])
  })
})

describe('many accounts with dear pictures', () => {
  test('lose their newest when all places are taken, and another account is served next', async () => {
    const { held, release } = await holdDecoder(highestPrice)
    const order: string[] = []
    const outcomes = Array.from({ length: 256 + 12 }, (_, index) =>
      inTurn({ account: `acc_dear_${index % 12}` }, highestPrice, () =>
        Promise.resolve(void order.push('dear')),
      ).then(
        () => 'served',
        (error: Error) => error.message,
      ),
    )
    const cheap = inTurn({ account: 'acc_other' }, quickPrice + 1, () =>
      Promise.resolve(void order.push('cheap')),
    )
    release()
    await Promise.all([held, cheap])
    expect(order[0]).toBe('cheap')
    const served = (await Promise.all(outcomes)).filter((outcome) => outcome === 'served')
    // One place is the other account's.
    expect(served).toHaveLength(255)
  })
})

describe('pictures of visitors', () => {
  test('are decoded after challenge, wallet and quota: those refused by them wait for no turn', async () => {
    const [poor, strict] = [await givenChats(service, 0), await givenChats(service)]
    await strict.setPolicy({ challenge: 'ALWAYS' })
    const used = await givenChats(service)
    await used.setPolicy({ guestDailyRequests: 0 })
    const image = (small as { base64: string }).base64
    const { held, release } = await holdDecoders()
    const answers = []
    for (const place of [poor, strict, used])
      answers.push(await place.ask(place.guest(), { image }, 'analyze-face'))
    release()
    await held
    expect(tally(answers)).toEqual({
      '402 insufficient_credits': 1,
      '403 challenge_required': 1,
      '429 quota_exceeded': 1,
    })
  })

  test('are not shown to a model if the key was revoked while they waited', async () => {
    const place = await givenChats(service)
    const { id, key } = await service.givenKey(place.person)
    const image = (small as { base64: string }).base64
    const { held, release } = await holdDecoders()
    const waiting = start(
      service
        .api(key)
        .post(place.at('experience/chat/analyze-face'))
        .set(place.guest().headers)
        .send({ image }),
    )
    await expect.poll(async () => (await place.wallet()).reserved).toBeGreaterThan(0)
    await service.dashboard(place.person).delete(`/api/keys/${id}`).expect(200)
    release()
    await held
    expect(tally([await waiting])).toEqual({ '401 token_revoked': 1 })
    expect(await place.wallet()).toEqual({ balance: 100, reserved: 0 })
  })
})

/** Noise of eight megapixels with metadata, which takes seconds to encode again. */
function slowPicture(): Promise<Buffer> {
  const noise = { type: 'gaussian', mean: 128, sigma: 60 } as const
  return sharp({ create: { width: 2800, height: 2800, channels: 3, background: '#888', noise } })
    .withExif({ IFD0: { Copyright: 'Somebody' } })
    .avif({ effort: 0, quality: 1 })
    .toBuffer()
}

/** The decoders of this process, by their niceness: 5 for small pictures, 10 for all others. */
function decoders(): Map<string, string> {
  const all = execFileSync('ps', ['-A', '-o', 'pid=,ppid=,args=']).toString().split('\n')
  const own = all.filter((line) => line.includes('picture_process'))
  const found = new Map<string, string>()
  for (const line of own) {
    const [pid = '', parent, ...args] = line.trim().split(/\s+/)
    if (parent === String(process.pid)) found.set(args.at(-1)!, pid)
  }
  return found
}

describe('a picture that takes too long', () => {
  test('is refused, and the next is decoded by another process', async () => {
    const hasty = await startService({ env: { PICTURE_SECONDS: '1' } })
    const one = await givenShop(hasty)
    const base64 = (await slowPicture()).toString('base64')
    // The decoders are the process's own: another service has them start, and takes its time.
    await upload(other, small).expect(200)
    await upload(other, large).expect(200)
    const before = decoders()
    const body = { fileName: 'a.avif', mimeType: 'image/avif', base64 }
    const refused = await upload(one, body)
    expect([refused.status, refused.body.fieldErrors]).toEqual([
      400,
      { base64: 'The picture takes too long to decode.' },
    ])
    // Its process is ending, which takes a moment; the one that decodes small pictures goes on.
    await expect.poll(() => decoders().get('10')).not.toBe(before.get('10'))
    expect(decoders().get('5')).toBe(before.get('5'))
    await upload(other, large).expect(200)
    await hasty.close()
  })
})

describe('a turn', () => {
  test('ends when its caller leaves', async () => {
    const { held, release } = await holdDecoders()
    const leaving = new AbortController()
    const left = inTurn({ account: 'acc_left', signal: leaving.signal }, leastPrice, () =>
      Promise.reject(new Error('Its turn has come.')),
    )
    leaving.abort()
    await expect(left).rejects.toThrow('The service is not available right now.')
    release()
    await held
  })

  test('goes to accounts one after the other', async () => {
    const order: string[] = []
    const { held, release } = await holdDecoders()
    const turns = ['one', 'one', 'one', 'two', 'three', 'two'].map((account) =>
      inTurn({ account }, highestPrice, () => Promise.resolve(void order.push(account))),
    )
    release()
    await Promise.all([held, ...turns])
    expect(order).toEqual(['one', 'two', 'three', 'one', 'two', 'one'])
  })
})
