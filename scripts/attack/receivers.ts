import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { exampleOf } from '../../src/core/examples.ts'
import { type Attack, outcomeOf, type Scene, statusOf } from './attack.ts'

/** What a receiver of webhooks does with a message. */
const manners: Record<string, (response: ServerResponse) => void> = {
  hang: () => undefined,
  refuse: (response) => response.writeHead(500).end(),
  redirect: (response) => response.writeHead(302, { Location: '/hang' }).end(),
  slow: (response) => void setTimeout(() => response.writeHead(204).end(), 3000).unref(),
  endless: (response) => {
    const timer = setInterval(() => response.write('x'.repeat(65_536)), 20).unref()
    response.on('close', () => clearInterval(timer))
  },
}

async function startReceiver() {
  const server = createServer((request, response) => {
    request.resume()
    manners[request.url!.slice(1)]!(response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    at: (manner: string) => `http://127.0.0.1:${port}/${manner}`,
    close: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}

const workersAtOnce = 4

/** Creates products; returns their statuses and the 99th percentile of their milliseconds. */
async function write(scene: Scene, count: number) {
  const { workspaceId, apiKey: token } = scene.attacker
  const [statuses, times]: [number[], number[]] = [[], []]
  const headers = { 'Content-Type': 'application/json' }
  let next = 0
  const work = async () => {
    while (next++ < count) {
      const unique = crypto.randomUUID()
      const product = { ...exampleOf('ProductUpdate'), imageIds: [], tagIds: [] }
      const body = JSON.stringify({ ...product, name: unique, sku: unique, barcode: unique })
      const path = `/v1/workspaces/${workspaceId}/products`
      const startedAt = performance.now()
      statuses.push(await statusOf(scene, path, { method: 'POST', headers, body, token }))
      times.push(performance.now() - startedAt)
    }
  }
  await Promise.all(Array.from({ length: workersAtOnce }, work))
  times.sort((one, other) => one - other)
  return { statuses, p99: times[Math.floor(times.length * 0.99)]! }
}

const webhooksOfEach = 2

export const receivers: Attack = {
  name: 'receivers',
  tried: '1,500 products created while ten receivers of webhooks hang, refuse, redirect or dawdle',
  async run(scene) {
    const receiver = await startReceiver()
    const { workspaceId, apiKey: token } = scene.attacker
    const path = `/v1/workspaces/${workspaceId}/webhooks`
    const headers = { 'Content-Type': 'application/json' }
    try {
      const before = await write(scene, scene.times(1500))
      const statuses: number[] = []
      for (const manner of Object.keys(manners))
        for (let count = 0; count < webhooksOfEach; count++) {
          const body = JSON.stringify({ url: receiver.at(manner), events: ['product.changed'] })
          statuses.push(await statusOf(scene, path, { method: 'POST', headers, body, token }))
        }
      const during = await write(scene, scene.times(1500))
      const limit = Math.max(scene.writeMilliseconds, 3 * before.p99)
      const isSlow = during.p99 > limit
      console.log(
        `Creates: p99 ${Math.round(before.p99)} ms without, ${Math.round(during.p99)} ms with them.`,
      )
      return {
        ...outcomeOf([...statuses, ...before.statuses, ...during.statuses]),
        broken: isSlow ? `writes wait (p99 ${Math.round(during.p99)} ms)` : undefined,
      }
    } finally {
      receiver.close()
    }
  },
}
