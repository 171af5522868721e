import { build } from '../build.mjs'
import { benchCalls } from './calls.ts'
import { benchRouting } from './routing.ts'
import { benchStart } from './start.ts'

/** CPU figures and ratios, one line each. Absolute figures are this machine's; ratios travel. */
function report(what: string, value: string, limit = ''): void {
  console.log(`${what.padEnd(64)} ${value.padStart(10)}  ${limit}`)
}

const { read, write } = await benchRouting()
report('match + validate, a read, 100 operations', `${read.toFixed(1)} µs`, 'limit 25 µs')
report(
  'match + validate, a write with a body, 100 operations',
  `${write.toFixed(1)} µs`,
  'limit 25 µs',
)

await build()
if (process.platform === 'linux')
  report('start to ready on an existing database, CPU', `${await benchStart()} ms`, 'limit 1200 ms')

const { floor, service } = await benchCalls()
report('floor: node:http and two prepared look-ups, client included', `${floor.toFixed(0)} µs`)
report('get_workspace with an API key, client included', `${service.toFixed(0)} µs`)
report('ratio to the floor', (service / floor).toFixed(2))
