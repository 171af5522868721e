import type { Listener } from '../call/broadcasts.ts'
import { operations } from '../../generated/operations.ts'
import type { OperationId } from '../../operation.ts'
import { type Exchange, type OriginState, type Reply, reply } from './exchange.ts'

/** An answer as server-sent events: words as they come, the whole answer last. */
export interface EventStream {
  /** Sends an event; the first event starts the answer. */
  send: (headers: Reply['headers'], ...event: Parameters<Listener>) => void
  /** Ends with the answer, or with its refusal: as plain JSON if nothing was sent before. */
  finish: (answer: Omit<Reply, 'parts'>) => void
}

/** A stream for a caller who prefers one to JSON, if the operation offers one. */
export function eventStreamFor(
  exchange: Exchange,
  operationId: OperationId,
  state: OriginState,
): EventStream | undefined {
  const { accept = '' } = exchange.request.headers
  const streams: boolean = operations[operationId].streams
  return streams && prefersStream(accept) ? createEventStream(exchange, state) : undefined
}

const maxAcceptLength = 1000

/** Whether an `Accept` header names the stream and, if it also names JSON, ranks it higher. */
export function prefersStream(accept: string): boolean {
  const ranges = accept
    .slice(0, maxAcceptLength)
    .toLowerCase()
    .split(',')
    .map((range) => {
      const [type = '', ...parameters] = range.split(';').map((text) => text.trim())
      const quality = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2)
      return { type, quality: quality === undefined ? 1 : Number(quality) }
    })
    .filter(({ quality }) => quality > 0)
    .sort((a, b) => b.quality - a.quality)
  const named = ranges.find(
    ({ type }) => type === 'text/event-stream' || type === 'application/json',
  )
  return named?.type === 'text/event-stream'
}

const streamHeaders = {
  'Content-Type': 'text/event-stream; charset=utf-8',
  'Cache-Control': 'no-store',
  // Without it, proxies would collect the words until the answer is complete.
  'X-Accel-Buffering': 'no',
}

const keepAliveMilliseconds = 15_000

/**
 * Sends a comment now and then while a model pauses between words, or the connection would be ended as one
 * that its client does not read. A client that indeed does not read gets none.
 */
function keepAlive({ response }: Exchange, { sendMilliseconds }: OriginState): void {
  const pause = Math.min(keepAliveMilliseconds, sendMilliseconds / 4)
  const timer = setInterval(() => {
    if (response.writableEnded) clearInterval(timer)
    else if (response.writableLength === 0) response.write(': keep-alive\n\n')
  }, pause)
  response.once('close', () => clearInterval(timer))
}

function createEventStream(exchange: Exchange, state: OriginState): EventStream {
  const { response } = exchange
  let said = false

  function write(headers: Reply['headers'], event: string, data: string): void {
    // The visitor may have left; the call continues and is settled all the same.
    if (response.destroyed) return
    if (!response.headersSent) {
      if (state.draining) response.setHeader('Connection', 'close')
      const all = { ...headers, ...streamHeaders }
      for (const [name, value] of Object.entries(all)) response.setHeader(name, value)
      response.writeHead(200)
      keepAlive(exchange, state)
    }
    response.write(`event: ${event}\ndata: ${data}\n\n`)
  }

  return {
    send(headers, event, data) {
      said = true
      write(headers, event, JSON.stringify(data))
    },
    finish(answer) {
      const { status, headers, body = '' } = answer
      if (status >= 400 && !response.headersSent) return reply(exchange, answer, state)
      if (status >= 400) {
        exchange.outcome = status
        write(headers, 'error', body)
      } else {
        // A stored answer is sent as words, too, so that readers need not look into the last event.
        if (!said) write(headers, 'words', JSON.stringify({ text: responseIn(body) }))
        write(headers, 'answer', body)
      }
      if (!response.destroyed) response.end()
    },
  }
}

function responseIn(body: string): string {
  return (JSON.parse(body) as { response: string }).response
}
