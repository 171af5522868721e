import pg from 'pg'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import {
  memoryRateStore,
  postgresRateStore,
  rateLimitHeaders,
  type RateStore,
} from '../../src/adapters/rate_store.ts'
import type { RateLimit } from '../../src/core/rate_limits.ts'
import { connect } from '../../src/db/connect.ts'
import { createDatabase } from '../kit/database.ts'

type Connection = ReturnType<typeof connect>

const start = Date.parse('2030-01-01T00:00:00.000Z')
let database: Awaited<ReturnType<typeof createDatabase>>
let first: Connection
let second: Connection

beforeAll(async () => {
  database = await createDatabase()
  first = connect(database.url)
  second = connect(database.url)
})

afterAll(async () => {
  await first.close()
  await second.close()
  await database.drop()
})

beforeEach(async () => {
  await first.pool.query('delete from rate_limits')
})

afterEach(() => {
  vi.useRealTimers()
})

interface Step {
  name: string
  key: string
  atMilliseconds: number
  verdict: { allowed: boolean; limit: number; remaining: number; resetSeconds: number }
}

const limits: Record<string, RateLimit> = {
  calls: { name: 'calls', points: 2, seconds: 60 },
  codes: { name: 'codes', points: 1, seconds: 3600 },
  nothing: { name: 'nothing', points: 0, seconds: 10 },
}

function step(
  name: string,
  key: string,
  atMilliseconds: number,
  allowed: boolean,
  remaining: number,
  resetSeconds: number,
): Step {
  const limit = limits[name]?.points ?? NaN
  return { name, key, atMilliseconds, verdict: { allowed, limit, remaining, resetSeconds } }
}

const steps = [
  step('calls', 'a', 0, true, 1, 60),
  step('calls', 'a', 1, true, 0, 60),
  step('calls', 'a', 1_000, false, 0, 59),
  step('calls', 'a', 59_001, false, 0, 1),
  step('calls', 'a', 59_999, false, 0, 1),
  // Each pair of limit and key has its own window.
  step('calls', 'b', 59_999, true, 1, 60),
  step('codes', 'a', 59_999, true, 0, 3600),
  // The window has ended; refused calls do not carry over.
  step('calls', 'a', 60_000, true, 1, 60),
  step('calls', 'b', 60_000, true, 0, 60),
  step('calls', 'b', 60_001, false, 0, 60),
  step('codes', 'a', 60_001, false, 0, 3600),
  step('codes', 'a', 60_998, false, 0, 3600),
  step('codes', 'a', 60_999, false, 0, 3599),
  step('codes', 'a', 3_659_998, false, 0, 1),
  step('codes', 'a', 3_659_999, true, 0, 3600),
  step('nothing', 'a', 3_659_999, false, 0, 10),
  // A key is data: quotes and separators cannot affect another key.
  step('calls', `'; drop table rate_limits; --`, 3_660_000, true, 1, 60),
  step('calls', 'ключ:日本', 3_660_000, true, 1, 60),
]

async function play(store: RateStore): Promise<Step[]> {
  vi.useFakeTimers({ toFake: ['Date'] })
  const played: Step[] = []
  for (const { name, key, atMilliseconds } of steps) {
    vi.setSystemTime(start + atMilliseconds)
    const verdict = await store.consume(limits[name] as RateLimit, key)
    played.push({ name, key, atMilliseconds, verdict })
  }
  return played
}

async function allowedOf(calls: Promise<{ allowed: boolean }>[]): Promise<number> {
  return (await Promise.all(calls)).filter((verdict) => verdict.allowed).length
}

const twenty: RateLimit = { name: 'twenty', points: 20, seconds: 600 }

describe('a rate store', () => {
  it('gives the verdicts of the table, in memory', async () => {
    expect(await play(memoryRateStore())).toMatchObject(steps)
  })

  it('gives the same verdicts, in PostgreSQL', async () => {
    expect(await play(postgresRateStore(first.pool))).toMatchObject(steps)
  })

  it('allows exactly 20 of 100 parallel calls in memory', async () => {
    const store = memoryRateStore()
    const calls = Array.from({ length: 100 }, () => store.consume(twenty, 'k'))
    expect(await allowedOf(calls)).toBe(20)
  })

  it('allows exactly 20 of 100 parallel calls in PostgreSQL', async () => {
    const store = postgresRateStore(first.pool)
    const calls = Array.from({ length: 100 }, () => store.consume(twenty, 'k'))
    expect(await allowedOf(calls)).toBe(20)
  })

  it('allows exactly 20 of 100 parallel calls across two stores on one database', async () => {
    const stores = [postgresRateStore(first.pool), postgresRateStore(second.pool)]
    const calls = Array.from({ length: 50 }, () =>
      stores.map((store) => store.consume(twenty, 'k')),
    ).flat()
    expect(await allowedOf(calls)).toBe(20)
  })

  it.each(['memory', 'PostgreSQL'])(
    'forgets a window that a clock ahead of time began, in %s',
    async (kind) => {
      const store = kind === 'memory' ? memoryRateStore() : postgresRateStore(first.pool)
      vi.useFakeTimers({ toFake: ['Date'] })
      vi.setSystemTime(start + 7_200_000)
      const use = () => store.consume(limits.codes as RateLimit, 'k')
      expect([(await use()).allowed, (await use()).allowed]).toEqual([true, false])
      vi.setSystemTime(start)
      expect(await use()).toMatchObject({
        allowed: true,
        limit: 1,
        remaining: 0,
        resetSeconds: 3600,
      })
      expect(await use()).toMatchObject({ allowed: false, resetSeconds: 3600 })
    },
  )

  it('takes lots, so that two stores allow as much with few statements', async () => {
    const wide: RateLimit = { name: 'wide', points: 600, seconds: 600 }
    const stores = [postgresRateStore(first.pool), postgresRateStore(second.pool)]
    const pointsTaken = async () => {
      const { rows } = await first.pool.query<{ points: number }>('select points from rate_limits')
      return rows.map(({ points }) => points)
    }
    const verdicts: boolean[] = []
    for (let call = 0; call < 302; call++)
      for (const store of stores) verdicts.push((await store.consumeInLots(wide, 'k')).allowed)
    expect(verdicts).toEqual([...Array<boolean>(600).fill(true), false, false, false, false])
    // Sixty lots of ten, and one more that was refused; both processes remember that.
    expect(await pointsTaken()).toEqual([610])
    expect((await stores[0]!.consumeInLots(wide, 'other')).allowed).toBe(true)
  })

  it('takes no more lots than parallel calls use', async () => {
    const wide: RateLimit = { name: 'wide', points: 600, seconds: 600 }
    const store = postgresRateStore(first.pool)
    const together = (calls: number) =>
      allowedOf(Array.from({ length: calls }, () => store.consumeInLots(wide, 'k')))
    expect(await together(95)).toBe(95)
    const { rows } = await first.pool.query('select points from rate_limits')
    expect(rows).toEqual([{ points: 100 }])
    expect(await together(600)).toBe(505)
  })

  it('returns each remaining count once under parallel calls', async () => {
    const stores = [postgresRateStore(first.pool), postgresRateStore(second.pool)]
    const calls = Array.from({ length: 10 }, () =>
      stores.map((store) => store.consume(twenty, 'k')),
    ).flat()
    const remaining = (await Promise.all(calls)).map((verdict) => verdict.remaining)
    expect(remaining.sort((a, b) => a - b)).toEqual(Array.from({ length: 20 }, (_, i) => i))
  })

  it('rejects with the database error when the database does not answer', async () => {
    const connection = connect(database.url)
    const store = postgresRateStore(connection.pool)
    expect((await store.consume(twenty, 'k')).allowed).toBe(true)
    await connection.pool.end()
    await expect(store.consume(twenty, 'k')).rejects.toThrow(
      'Cannot use a pool after calling end on the pool',
    )
  })

  it('refuses two definitions under one name', async () => {
    const store = memoryRateStore()
    await store.consume(twenty, 'k')
    await expect(store.consume({ ...twenty, points: 21 }, 'k')).rejects.toThrow(
      'The rate limit "twenty" is defined twice, with other numbers.',
    )
  })

  it('evicts keys from memory when their windows end', async () => {
    vi.useFakeTimers()
    const store = memoryRateStore()
    for (let i = 0; i < 1000; i++) await store.consume(twenty, `key ${i}`)
    expect(vi.getTimerCount()).toBe(1000)
    vi.advanceTimersByTime(600_000)
    expect(vi.getTimerCount()).toBe(0)
  })
})

describe('a database that takes no writes', () => {
  it('lets each process count for itself', async () => {
    const options = '-c default_transaction_read_only=on'
    const pool = new pg.Pool({ connectionString: database.url, options })
    const store = postgresRateStore(pool)
    const limit: RateLimit = { name: 'read-only', points: 2, seconds: 60 }
    const verdicts = []
    for (let count = 0; count < 3; count++) verdicts.push(await store.consume(limit, 'key'))
    expect(verdicts.map(({ allowed, remaining }) => [allowed, remaining])).toEqual([
      [true, 1],
      [true, 0],
      [false, 0],
    ])
    await pool.end()
  })
})

describe('the rate limit headers', () => {
  const limit: RateLimit = { name: 'connection', points: 120, seconds: 60 }

  it('state the policy and the remainder as structured fields', () => {
    const verdict = { allowed: true, limit: 120, remaining: 117, resetSeconds: 42, resetsAt: 0 }
    expect(rateLimitHeaders(limit, verdict)).toEqual({
      RateLimit: '"connection";r=117;t=42',
      'RateLimit-Policy': '"connection";q=120;w=60',
    })
  })

  it('add Retry-After in whole seconds to a refusal', () => {
    const verdict = { allowed: false, limit: 120, remaining: 0, resetSeconds: 1, resetsAt: 0 }
    expect(rateLimitHeaders(limit, verdict)).toEqual({
      RateLimit: '"connection";r=0;t=1',
      'RateLimit-Policy': '"connection";q=120;w=60',
      'Retry-After': '1',
    })
  })
})
