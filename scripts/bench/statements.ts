import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import { types } from '../../src/db/connect.ts'
import { statementName } from '../../src/db/prepared.ts'
import { median, processCpu } from './cpu.ts'
import { recordCall } from './recording.ts'
import { fixedReads } from './scenarios.ts'
import type { Shop } from './seed.ts'

/**
 * The database's CPU for a read: for its page with the counters, and for the total of a search, which
 * is counted once and then cached until the catalogue changes.
 */
export interface StatementCost {
  name: string
  page: number
  total: number
}

const milliseconds = 600
const repetitions = 3

/** Sends the statements of each fixed read one by one, like the service, over one connection. */
export async function measureStatements(
  databaseUrl: string,
  { shop, products }: { shop: Shop; products: number },
): Promise<StatementCost[]> {
  const pool = new pg.Pool({ connectionString: databaseUrl, max: 1, types })
  const { workspaceId, apiKey } = shop
  const place = { pool, baseUrl: 'http://localhost:3000', workspaceId, apiKey }
  const costs: StatementCost[] = []
  try {
    for (const { name, operationId, input } of fixedReads(shop, products)) {
      const first = await recordCall(place, operationId, input)
      const repeated = await recordCall(place, operationId, input, { repeated: true })
      const repeatedTexts = new Set(repeated.statements.map(({ text }) => text))
      const cost = { name, page: 0, total: 0 }
      for (const [index, { text, values }] of first.statements.entries()) {
        const nameOption = statementName(text) === '' ? {} : { name: `${name} ${index}` }
        const cpu = await backendCpu(pool, () => pool.query({ ...nameOption, text, values }))
        cost[repeatedTexts.has(text) ? 'page' : 'total'] += cpu
      }
      costs.push(cost)
    }
  } finally {
    await pool.end()
  }
  return costs
}

/** CPU milliseconds per run of the work in the backend of this single-connection pool. */
async function backendCpu(pool: pg.Pool, work: () => Promise<unknown>): Promise<number> {
  const { rows } = await pool.query<{ pid: number }>('select pg_backend_pid() as pid')
  const { pid } = rows[0]!
  for (let run = 0; run < 7; run++) await work()
  const samples: number[] = []
  for (let repetition = 0; repetition < repetitions; repetition++) {
    // CPU is counted in steps of ten milliseconds, so many runs are needed.
    await delay(1)
    const [before, end] = [processCpu(pid), performance.now() + milliseconds]
    let runs = 0
    for (; performance.now() < end; runs++) await work()
    samples.push((processCpu(pid) - before) / runs)
  }
  return median(samples)
}
