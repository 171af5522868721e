import { Agent, request } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'

// The process of a bystander: a list, and the sign of readiness, until its input ends.

const pauseMilliseconds = 20
const agent = new Agent({ keepAlive: true })
const { origin, workspaceId, apiKeys } = JSON.parse(process.argv[2] ?? '')
const paths = [`/v1/workspaces/${workspaceId}/products`, '/readyz']

function call(url, apiKey) {
  return new Promise((resolve) => {
    const headers = { Authorization: `Bearer ${apiKey}` }
    request(url, { agent, headers, timeout: 10_000 }, (response) => {
      response.resume().once('end', () => resolve(response.statusCode))
    })
      .once('timeout', () => resolve(0))
      .once('error', () => resolve(0))
      .end()
  })
}

let over = false
process.stdin.resume().once('end', () => (over = true))
const times = []
let failed = 0
for (let count = 0; !over; count++) {
  const startedAt = performance.now()
  const apiKey = apiKeys[Math.floor(count / paths.length) % apiKeys.length]
  const status = await call(`${origin}${paths[count % paths.length]}`, apiKey)
  times.push(performance.now() - startedAt)
  if (status !== 200) failed++
  if (count === 0) console.log('calling')
  await delay(pauseMilliseconds)
}
times.sort((a, b) => a - b)
const at = (share) => Math.round(times[Math.floor((times.length - 1) * share)] ?? 0)
console.log(
  JSON.stringify({
    calls: times.length,
    failed,
    p50: at(0.5),
    p90: at(0.9),
    p99: at(0.99),
    worst: at(1),
  }),
)
agent.destroy()
