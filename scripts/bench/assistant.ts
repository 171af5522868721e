import { parseArgs } from 'node:util'
import { createFaceDetector } from '../../src/adapters/face_detector.ts'
import { localModel } from '../../src/domain/assistant/built_in/local_model.ts'
import { startChatBench } from './chat_bench.ts'
import { median } from './cpu.ts'
import { report } from './table.ts'

/*
 * What a chat with the built-in assistant costs over HTTP, in CPU of the serving process and the
 * database, and the first chats of a built service in CPU of its process alone.
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
const limits = { later: 40, first: 150, unlike: 80 }

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

/** What the first visitors of a process ask, each another thing. */
const messages = [
  'Is it gentle?',
  'Does it contain perfume, and is it vegan?',
  'Hassas ciltler için uygun mu?',
  'How often can I use it on my face?',
  'Do you have a cream with rose?',
  'Günde kaç kez kullanılır?',
]

try {
  for (const [name, kind, body] of chats) {
    const caller = await bench.caller(kind, body)
    await caller.ask(runs)
    const later: number[] = []
    for (let repetition = 0; repetition < repetitions; repetition++)
      later.push((await bench.cpuOf(() => caller.ask(runs))) / runs)
    caller.close()
    report(`a chat ${name}, CPU ms`, median(later), { digits: 1, most: limits.later })
  }
  const costs: number[][] = []
  for (let start = 0; start < repetitions; start++)
    costs.push(await bench.cpuOfFirst(messages.map((message) => ({ message, productId }))))
  for (const [index, message] of messages.entries()) {
    const each = median(costs.map((ofStart) => ofStart[index]!))
    const [name, most] = index === 0 ? ['first', limits.first] : ['next', limits.unlike]
    report(`the ${name} chat of a process, “${message}”, CPU ms`, each, { digits: 0, most })
  }
} finally {
  await bench.close()
}
