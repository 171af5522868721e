import type { components } from '../../generated/types.ts'

type Schemas = components['schemas']

/** What any of the chats answers. */
export type ChatAnswer = Pick<
  Schemas['ProductChatAnswer'],
  'threadId' | 'response' | 'products' | 'citations' | 'access'
> &
  Partial<Pick<Schemas['RoutineChatAnswer'], 'steps'>> &
  Partial<Pick<Schemas['FaceAnalysis'], 'analysis'>>

/** An error whose message is for visitors. */
export class Told extends Error {}

/** A refusal of the service, or no answer at all. */
export class Refused extends Told {
  readonly code: string
  readonly status: number
  /** The fields of the question at fault. */
  readonly fields: string[]

  constructor({ status, code, message, fieldErrors = {} }: Schemas['ApiError']) {
    super(message)
    this.status = status
    this.code = code
    this.fields = Object.keys(fieldErrors)
  }
}

interface SentQuestion {
  url: string
  body: object
  headers: Record<string, string>
  /** Takes the answer's words as they come; an empty text begins again. */
  say: (words: string) => void
}

/** Sends a question and reads its answer, word by word where the service streams it. */
export async function askService({ url, body, headers, say }: SentQuestion): Promise<ChatAnswer> {
  const response = await fetch(url, {
    method: 'POST',
    body: JSON.stringify(body),
    headers: {
      Accept: 'text/event-stream, application/json;q=0.5',
      'Content-Type': 'application/json',
      'Accept-Language': document.documentElement.lang,
      'Idempotency-Key': crypto.randomUUID(),
      ...headers,
    },
  })
  if (!response.ok) throw await refusalIn(response)
  const type = response.headers.get('Content-Type') ?? ''
  if (!type.startsWith('text/event-stream') || !response.body)
    return (await response.json()) as ChatAnswer
  let said = ''
  for await (const { name, data } of eventsIn(response.body)) {
    if (name === 'answer') return data as ChatAnswer
    if (name === 'error') throw new Refused(data as Schemas['ApiError'])
    said = name === 'again' ? '' : said + (data as { text: string }).text
    say(said)
  }
  throw new Error('The answer was cut off.')
}

export async function refusalIn(response: Response): Promise<Refused> {
  const body = (await response.json().catch(() => ({}))) as Partial<Schemas['ApiError']>
  return new Refused({ status: response.status, code: 'internal', message: '', ...body })
}

/** The events of a stream, in order. */
async function* eventsIn(body: ReadableStream<Uint8Array>) {
  const reader = body.getReader()
  const decoder = new TextDecoder()
  let rest = ''
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return
    rest += decoder.decode(value, { stream: true })
    const events = rest.split('\n\n')
    rest = events.pop() ?? ''
    for (const event of events) {
      const [, name] = /^event: (.*)$/m.exec(event) ?? []
      // A dot would end at separators that JSON leaves in a text.
      const [, data] = /^data: ([^\n]*)/m.exec(event) ?? []
      if (name !== undefined && data !== undefined)
        yield { name, data: JSON.parse(data) as unknown }
    }
  }
}
