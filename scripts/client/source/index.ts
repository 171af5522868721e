import { table } from './table.js'
import type { components } from './schema.js'
import type { ChatEvent, Input, ListId, OperationId, Output, Row, StreamId } from './types.js'

export type { ChatEvent, Input, ListId, OperationId, Output, Row, StreamId } from './types.js'
export type { components, operations, paths } from './schema.js'
export { verifyWebhook } from './webhooks.js'

type ApiErrorBody = components['schemas']['ApiError']

export interface ClientOptions {
  baseUrl: string
  /** An account key on a server, or a publishable key in a page. */
  key: string
  /** The workspace of calls that name none. */
  workspaceId?: string
  /** Sent with every call, such as the tokens of a visitor; a function is asked each time. */
  headers?: Record<string, string> | (() => Record<string, string>)
  /** How often a call is tried again that may be repeated; 3 unless said. */
  retries?: number
  fetch?: typeof fetch
}

/** A refusal of the service, or its failure. */
export class VitrineError extends Error {
  readonly status: number
  readonly code: ApiErrorBody['code']
  readonly fieldErrors: Record<string, string>
  /** Quote it when you ask for help. */
  readonly requestId: string | null

  constructor({ status, code, message, fieldErrors = {} }: ApiErrorBody, requestId: string | null) {
    super(message)
    this.name = 'VitrineError'
    this.status = status
    this.code = code
    this.fieldErrors = fieldErrors
    this.requestId = requestId
  }
}

export type Client = {
  [Id in OperationId]: (
    ...input: object extends Input<Id> ? [input?: Input<Id>] : [input: Input<Id>]
  ) => Promise<Output<Id>>
} & {
  /** Every row of a list, page by page, or of a feed, from its cursor on. */
  rows<Id extends ListId>(id: Id, input?: Input<Id>): AsyncGenerator<Row<Id>, void>
  /** The events of a chat, as they come. */
  stream<Id extends StreamId>(id: Id, input: Input<Id>): AsyncGenerator<ChatEvent<Id>, void>
}

interface AnyInput {
  path?: Record<string, string>
  query?: Record<string, unknown>
  headers?: Record<string, string>
  body?: unknown
  signal?: AbortSignal
}

/** What a list or a feed says about the rest of it. */
interface Page {
  pagination?: { page: number; hasNextPage: boolean }
  hasMore?: boolean
  cursor?: string
}

const passing = new Set([429, 502, 503, 504])
const longestWait = 60

export function createClient(options: ClientOptions): Client {
  const { retries = 3, fetch: send = fetch } = options

  /** Calls an operation; tries again what may be repeated, after the time that the service names. */
  async function respond(id: OperationId, input: AnyInput = {}, accept = 'application/json') {
    const [method, , takesKey] = table[id]
    const standing = typeof options.headers === 'function' ? options.headers() : options.headers
    const headers: Record<string, string> = {
      Authorization: `Bearer ${options.key}`,
      Accept: accept,
      ...standing,
      ...input.headers,
    }
    // The same key with each attempt: the service carries the call out once.
    if (takesKey) headers['Idempotency-Key'] ??= crypto.randomUUID()
    const body = bodyOf(input.body, headers)
    const init: RequestInit = { method, headers, ...(input.signal ? { signal: input.signal } : {}) }
    if (body !== undefined) init.body = body
    const mayRepeat = method !== 'POST' || takesKey
    for (let attempt = 0; ; attempt++) {
      const response = await send(urlOf(options, id, input), init).catch((error: unknown) => {
        if (input.signal?.aborted || !mayRepeat || attempt >= retries) throw error
      })
      if (response?.ok) return response
      if (response && !(passing.has(response.status) && mayRepeat && attempt < retries))
        throw await errorOf(response)
      const asked = Number(response?.headers.get('Retry-After') ?? NaN)
      if (asked > longestWait && response) throw await errorOf(response)
      // Not all clients at once: a service that comes back would be overrun.
      const own = 0.2 * 2 ** attempt * (1 + Math.random())
      await waited(Number.isNaN(asked) ? own : asked, input.signal)
    }
  }

  async function call(id: OperationId, input?: AnyInput): Promise<unknown> {
    const response = await respond(id, input)
    if (response.status === 204) return undefined
    const isJson = response.headers.get('Content-Type')?.startsWith('application/json')
    return isJson ? response.json() : response.text()
  }

  async function* rows(id: OperationId, input: AnyInput = {}): AsyncGenerator<unknown, void> {
    let { query = {} } = input
    for (;;) {
      const answer = (await call(id, { ...input, query })) as Page
      for (const member of Object.values(answer)) if (Array.isArray(member)) yield* member
      if (!(answer.pagination?.hasNextPage ?? answer.hasMore)) return
      // A feed goes on behind its cursor, a list on its next page.
      query = answer.pagination
        ? { ...query, page: answer.pagination.page + 1 }
        : { ...query, after: answer.cursor }
    }
  }

  async function* stream(id: OperationId, input: AnyInput): AsyncGenerator<unknown, void> {
    const response = await respond(id, input, 'text/event-stream')
    for await (const { event, data } of eventsOf(response)) {
      const value = JSON.parse(data) as Record<string, unknown>
      if (event === 'error')
        throw new VitrineError(value as ApiErrorBody, response.headers.get('X-Request-Id'))
      yield event === 'answer' ? { type: event, answer: value } : { type: event, ...value }
    }
  }

  const calls = Object.keys(table).map((id) => [
    id,
    (input?: AnyInput) => call(id as OperationId, input),
  ])
  return { ...Object.fromEntries(calls), rows, stream } as unknown as Client
}

function urlOf({ baseUrl, workspaceId }: ClientOptions, id: OperationId, input: AnyInput): string {
  const path = table[id][1].replaceAll(/\{(\w+)\}/g, (_all: string, name: string) => {
    const value = input.path?.[name] ?? (name === 'workspaceId' ? workspaceId : undefined)
    if (value === undefined) throw new TypeError(`${id} needs path.${name}.`)
    return encodeURIComponent(value)
  })
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(input.query ?? {}))
    if (value !== undefined) for (const item of [value].flat()) search.append(name, String(item))
  const query = search.toString()
  return baseUrl.replace(/\/$/, '') + path + (query === '' ? '' : `?${query}`)
}

function bodyOf(body: unknown, headers: Record<string, string>): BodyInit | undefined {
  if (body === undefined) return undefined
  const isRaw = body instanceof FormData || body instanceof Blob || body instanceof ArrayBuffer
  if (isRaw || ArrayBuffer.isView(body)) return body as BodyInit
  headers['Content-Type'] = 'application/json'
  return JSON.stringify(body)
}

async function errorOf(response: Response): Promise<VitrineError> {
  const { status, headers } = response
  const body = (await response.json().catch(() => undefined)) as Partial<ApiErrorBody> | undefined
  // A proxy between may answer for the service, in words of its own.
  const { code = 'unavailable', message = `HTTP ${status}`, fieldErrors = {} } = body ?? {}
  return new VitrineError({ status, code, message, fieldErrors }, headers.get('X-Request-Id'))
}

function waited(seconds: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer)
      reject(signal?.reason as Error)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop)
      resolve()
    }, seconds * 1000)
    if (signal?.aborted) stop()
    else signal?.addEventListener('abort', stop, { once: true })
  })
}

/** The events of a stream, each when it is whole. */
async function* eventsOf({ body }: Response): AsyncGenerator<{ event: string; data: string }> {
  if (!body) return
  const reader = body.pipeThrough(new TextDecoderStream()).getReader()
  let text = ''
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return
    text += value
    const whole = text.split('\n\n')
    text = whole.pop() ?? ''
    for (const block of whole) {
      const fields = new Map<string, string>()
      for (const line of block.split('\n')) {
        const [, name = '', content = ''] = /^(\w+): ?(.*)$/.exec(line) ?? []
        fields.set(name, (fields.get(name) ?? '') + content)
      }
      const event = fields.get('event')
      if (event !== undefined) yield { event, data: fields.get('data') ?? '{}' }
    }
  }
}
