import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, test } from 'vitest'
import { createLog } from '../../src/core/log.ts'
import { eventStreamFor } from '../../src/surfaces/http/event_stream.ts'
import { beginExchange } from '../../src/surfaces/http/exchange.ts'

test('a stream whose model is silent for longer than a reader may be stays open', async () => {
  const log = createLog('silent', { write: () => undefined })
  const state = { surface: 'api', log, draining: false, compresses: false, sendMilliseconds: 2000 }
  let finish = () => undefined as void
  const server = createServer((request, response: ServerResponse) => {
    const exchange = beginExchange(request, response, { path: '/', clientIp: '' }, state)
    const stream = eventStreamFor(exchange, 'chat_about_product', state)!
    stream.send({}, 'words', { text: 'Yes.' })
    finish = () => stream.finish({ status: 200, headers: {}, body: '{"response":"Yes."}' })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const headers = { accept: 'text/event-stream' }
  const response = await fetch(`http://127.0.0.1:${port}/`, { headers })
  let text = ''
  const decoder = new TextDecoder()
  for await (const chunk of response.body!) {
    text += decoder.decode(chunk as Uint8Array, { stream: true })
    // Eight of them take twice as long as a silent connection lives.
    if (text.split(': keep-alive\n\n').length > 8) finish()
  }
  server.close()
  expect(text.replaceAll(': keep-alive\n\n', '')).toBe(
    'event: words\ndata: {"text":"Yes."}\n\nevent: answer\ndata: {"response":"Yes."}\n\n',
  )
})
