/** One server-sent event, with its data parsed. */
export interface StreamedEvent {
  event: string
  data: Record<string, unknown>
}

export interface ReadStream {
  status: number
  headers: Headers
  /** Every event so far. */
  events: StreamedEvent[]
  /** The body as it came, for answers that are no stream. */
  text: () => string
  /** Resolves when the stream has ended. */
  ended: Promise<void>
  /** Drops the connection. */
  leave: () => void
}

/** Posts JSON, asks for a stream and reads it as it comes. */
export async function postForStream(
  url: string,
  headers: Record<string, string>,
  body: object,
): Promise<ReadStream> {
  const leaving = new AbortController()
  const response = await fetch(url, {
    method: 'POST',
    headers: { Accept: 'text/event-stream', 'Content-Type': 'application/json', ...headers },
    body: JSON.stringify(body),
    signal: leaving.signal,
  })
  const events: StreamedEvent[] = []
  let text = ''
  const read = async () => {
    const decoder = new TextDecoder()
    for await (const chunk of response.body!) {
      text += decoder.decode(chunk as Uint8Array, { stream: true })
      const frames = text
        .split('\n\n')
        .slice(0, -1)
        .filter((frame) => !frame.startsWith(':'))
      events.push(...frames.slice(events.length).map(eventOf))
    }
  }
  const ended = read().catch((error: unknown) => {
    if (!leaving.signal.aborted) throw error
  })
  const { status } = response
  const leave = () => leaving.abort()
  return { status, headers: response.headers, events, text: () => text, ended, leave }
}

function eventOf(frame: string): StreamedEvent {
  const [, event = '', data = ''] = /^event: (\w+)\ndata: (.*)$/.exec(frame) ?? []
  return { event, data: JSON.parse(data) as StreamedEvent['data'] }
}

/** The words of a stream as its reader would show them. */
export function wordsOf(events: readonly StreamedEvent[]): string {
  return events.reduce((shown, { event, data }) => {
    if (event === 'again') return ''
    return event === 'words' ? shown + String(data.text) : shown
  }, '')
}
