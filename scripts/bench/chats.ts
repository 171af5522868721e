import { randomBytes } from 'node:crypto'
import { parseArgs } from 'node:util'
import type pg from 'pg'
import { newId } from '../../src/core/ids.ts'
import type { AiModel } from '../../src/domain/assistant/ai_model.ts'
import { startChatBench } from './chat_bench.ts'
import { median } from './cpu.ts'
import type { SentStatement } from './recorded_pool.ts'
import { report } from './table.ts'

/*
 * Compares a product chat, over HTTP and with a free model, with the bare statements it sends, in CPU
 * of the serving process and the database. `npm run build && npx tsx scripts/bench/chats.ts`.
 */

const { values } = parseArgs({ options: { runs: { type: 'string', default: '400' } } })
const runs = Number(values.runs)
const repetitions = 5
const limit = 2.5

const usage = { inputTokens: 0, outputTokens: 0 }
const unused = () => Promise.reject(new Error('The bench only chats about products.'))

/** Names the product in question, so that the answer contains one. */
const silentModel: AiModel = {
  keyFor: () => 'silent',
  chatAboutProduct: (_db, { product }) =>
    Promise.resolve({
      response: 'Yes.',
      productIds: [product.id],
      citations: [],
      modelKey: 'none',
      usage,
    }),
  chatAboutRoutine: unused,
  analyzeFace: unused,
  close: () => Promise.resolve(),
}

const bench = await startChatBench(1000, silentModel)
const { shop, recorded, client, cpuOf } = bench
try {
  const caller = await bench.caller('product', {
    message: 'Is it gentle?',
    productId: shop.productIds[0],
  })
  await caller.ask(200)
  recorded.start()
  await caller.ask(1)
  const statements = recorded.stop()
  const bare = async (count: number) => {
    for (let n = 0; n < count; n++) await sendBare(client, statements)
  }
  await bare(200)
  const costs = { service: [] as number[], bare: [] as number[] }
  for (let repetition = 0; repetition < repetitions; repetition++) {
    costs.service.push(await cpuOf(() => caller.ask(runs)))
    costs.bare.push(await cpuOf(() => bare(runs)))
  }
  caller.close()
  const [service, floor] = [median(costs.service) / runs, median(costs.bare) / runs]
  report('an AI call without its model, CPU ms', service, { digits: 3 })
  report(`its ${statements.length} bare statements, CPU ms`, floor, { digits: 3 })
  report('ratio', service / floor, { most: limit })
} finally {
  await bench.close()
}

/** Sends the bare statements, with fresh ids. */
async function sendBare(on: pg.Client, statements: SentStatement[]): Promise<void> {
  const ids = new Map<unknown, string>()
  for (const { name, text, values: recordedValues } of statements) {
    const fresh = recordedValues.map((value) => {
      if (Buffer.isBuffer(value) && text.includes('insert into "threads"')) return randomBytes(32)
      const [, prefix] = /^(res|evt|ent|thr|call)_[0-9a-z]{26}$/.exec(String(value)) ?? []
      if (prefix === undefined) return value
      if (!ids.has(value)) ids.set(value, newId(prefix as 'res'))
      return ids.get(value)
    })
    await on.query(name === undefined ? { text, values: fresh } : { name, text, values: fresh })
  }
}
