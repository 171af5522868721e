import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, test } from 'vitest'
import { createLog } from '../../src/core/log.ts'
import { beginExchange, reply } from '../../src/surfaces/http/exchange.ts'

test('a fault in the middle of an answer in parts is logged as one', async () => {
  const lines: Record<string, unknown>[] = []
  const write = (line: string) => void lines.push(JSON.parse(line) as Record<string, unknown>)
  const state = {
    surface: 'api',
    log: createLog('info', { write }),
    draining: false,
    compresses: false,
    sendMilliseconds: 60_000,
  }
  async function* parts() {
    yield Buffer.from('[')
    await Promise.reject(new Error('The second group cannot be read.'))
  }
  const server = createServer((request, response) => {
    const exchange = beginExchange(request, response, { path: '/', clientIp: '' }, state)
    const answer = { status: 200, headers: {}, body: undefined, parts: parts() }
    request.resume().once('end', () => reply(exchange, answer, state))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const reading = fetch(`http://127.0.0.1:${port}/`).then((answer) => answer.text())
  await expect(reading).rejects.toThrow()
  await expect.poll(() => lines.length).toBe(1)
  await new Promise((resolve) => server.close(resolve))
  expect(lines[0]).toMatchObject({
    level: 50,
    status: 200,
    outcome: 500,
    aborted: true,
    err: { message: 'The second group cannot be read.' },
  })
})
