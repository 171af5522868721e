import { parseArgs } from 'node:util'
import { createFaceDetector } from '../../src/adapters/face_detector.ts'
import { localModel } from '../../src/domain/assistant/built_in/local_model.ts'
import { startChatBench } from './chat_bench.ts'
import { median } from './cpu.ts'
import { report } from './table.ts'

/*
 * What a chat with the built-in assistant costs over HTTP, in CPU of the serving process and the
 * database: the first one, in which everything is read, and the later ones.
 * `npm run build && npx tsx scripts/bench/assistant.ts --products=100000`.
 */

const { values } = parseArgs({
  options: {
    products: { type: 'string', default: '100000' },
    runs: { type: 'string', default: '20' },
  },
})
const runs = Number(values.runs)
const repetitions = 5
const limit = 40

const faces = createFaceDetector({ timeoutSeconds: 1 })
const bench = await startChatBench(Number(values.products), localModel(faces))
const productId = bench.shop.publishedIds[0]

const chats = [
  ['about the product', 'product', { message: 'Is it gentle?', productId }],
  ['that the catalogue does not answer', 'product', { message: 'Is it waterproof?', productId }],
  ['at HIGH', 'product', { message: 'Is it gentle?', productId, thinkingLevel: 'HIGH' }],
  ['for other products', 'product', { message: 'Do you have a cream with rose?', productId }],
  ['for a routine', 'routine', { message: 'A morning routine for dry skin' }],
  [
    'for a routine with demands',
    'routine',
    { message: 'An evening routine with lavender, without almond, vegan, three steps' },
  ],
] as const

try {
  for (const [name, kind, body] of chats) {
    const caller = await bench.caller(kind, body)
    const first = await bench.cpuOf(() => caller.ask(1))
    await caller.ask(runs)
    const later: number[] = []
    for (let repetition = 0; repetition < repetitions; repetition++)
      later.push((await bench.cpuOf(() => caller.ask(runs))) / runs)
    caller.close()
    const each = median(later).toFixed(1)
    report(`a chat ${name}, CPU ms`, `${each}, the first ${first.toFixed(1)}`, `limit ${limit}`)
  }
} finally {
  await bench.close()
}
