import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { setTimeout as delay } from 'node:timers/promises'
import type { S3Settings } from '../settings/config.ts'
import { isListed, type MediaStore, requireKey, storeAway } from './media_store.ts'

/**
 * A store that moves nothing for so long counts as hanging, so that callers are answered within five
 * seconds. A slow one may take longer while bytes move.
 */
const stallMilliseconds = 3500
const attempts = 3
const firstPauseMilliseconds = 50
const partBytes = 64 * 1024

/** Aborts its signal when it has waited too long for the store. */
interface Watch {
  signal: AbortSignal
  /** Something has moved, and the next is awaited. */
  await: () => void
  /** Nothing is awaited of the store. */
  rest: () => void
}

function watchStore(): Watch {
  const controller = new AbortController()
  let timer: NodeJS.Timeout | undefined
  const rest = () => clearTimeout(timer)
  return {
    signal: controller.signal,
    await() {
      rest()
      const stalled = new Error('The media store does not answer.')
      timer = setTimeout(() => controller.abort(stalled), stallMilliseconds)
    },
    rest,
  }
}

/** The bytes in parts: a part is taken when the one before has left. */
function inParts(bytes: Buffer, watch: Watch): ReadableStream {
  function* parts() {
    for (let at = 0; at < bytes.length; at += partBytes) {
      watch.await()
      yield bytes.subarray(at, at + partBytes)
    }
    watch.await()
  }
  return ReadableStream.from(parts())
}

/** The bytes of an answer. Only the store is watched: who reads them may take their time. */
function streamOf(body: ReadableStream<Uint8Array>, watch: Watch): Readable {
  const reader = body.getReader()
  const stream = new Readable({
    read() {
      watch.await()
      reader
        .read()
        .then(({ done, value }) => {
          watch.rest()
          this.push(done ? null : value)
        })
        .catch((error: Error) => this.destroy(error))
    },
    destroy(error, done) {
      watch.rest()
      reader.cancel().then(
        () => done(error),
        () => done(error),
      )
    },
  })
  // A body that has begun to arrive does not always notice the signal of its request.
  watch.signal.addEventListener('abort', () => stream.destroy(watch.signal.reason as Error))
  return stream
}

/** The store has answered, but not with what was asked for. */
export class StoreRefusal extends Error {
  readonly status: number

  constructor(status: number) {
    super(`The media store answered ${status}.`)
    this.status = status
  }
}

interface S3Request {
  method?: string
  headers?: Record<string, string>
  bytes?: Buffer
}

/** Any S3-compatible store, with path-style addressing, which all of them support. */
export function s3MediaStore({ endpoint, bucket, ...credentials }: S3Settings): MediaStore {
  const root = `${endpoint.replace(/\/$/, '')}/${bucket}`
  const urlOf = (key: string) => `${root}/${requireKey(key)}`
  const connecting = async () => {
    const { AwsClient } = await import('aws4fetch')
    return new AwsClient({ ...credentials, service: 's3' })
  }
  let client: ReturnType<typeof connecting> | undefined

  /** The response; a store that is busy is asked again. */
  async function ask(url: string, { bytes, ...init }: S3Request, watch: Watch): Promise<Response> {
    client ??= connecting()
    const { signal } = watch
    for (let attempt = 1; ; attempt++) {
      const body = bytes ? { body: inParts(bytes, watch), duplex: 'half' as const } : {}
      const signed = await (await client).sign(url, { ...init, ...body })
      const response = await fetch(signed, { signal })
      if ((response.status < 500 && response.status !== 429) || attempt === attempts)
        return response
      await response.body?.cancel()
      await delay(Math.random() * firstPauseMilliseconds * 2 ** attempt, undefined, { signal })
    }
  }

  /** The response, if its status is one of those expected. */
  async function send(
    url: string,
    expected: number[],
    request: S3Request = {},
    watch = watchStore(),
  ): Promise<Response> {
    watch.await()
    let response: Response
    try {
      response = await ask(url, request, watch)
    } catch (cause) {
      throw storeAway(cause)
    } finally {
      watch.rest()
    }
    if (expected.includes(response.status)) return response
    await response.body?.cancel()
    throw storeAway(new StoreRefusal(response.status))
  }

  return {
    async put(key, bytes, mimeType) {
      const headers = {
        'Content-Type': mimeType,
        // Stated, because stores refuse a body of unknown length.
        'Content-Length': String(bytes.length),
        // Signed too, so that the store rejects bytes altered in transit.
        'X-Amz-Content-Sha256': createHash('sha256').update(bytes).digest('hex'),
      }
      const response = await send(urlOf(key), [200], { method: 'PUT', headers, bytes })
      await response.body?.cancel()
    },
    async size(key) {
      const { status, headers } = await send(urlOf(key), [200, 404], { method: 'HEAD' })
      return status === 404 ? undefined : Number(headers.get('content-length'))
    },
    async read(key, range) {
      const headers: Record<string, string> = range
        ? { Range: `bytes=${range.start}-${range.end}` }
        : {}
      const watch = watchStore()
      const response = await send(urlOf(key), [200, 206, 404], { headers }, watch)
      if (response.status === 404 || !response.body) {
        await response.body?.cancel()
        return undefined
      }
      const fullSize = response.headers.get('content-range')?.split('/')[1]
      const size = Number(fullSize ?? response.headers.get('content-length'))
      return { stream: streamOf(response.body, watch), size }
    },
    async delete(key) {
      const response = await send(urlOf(key), [200, 204, 404], { method: 'DELETE' })
      await response.body?.cancel()
    },
    async *list() {
      let token: string | undefined
      do {
        const query = new URLSearchParams({ 'list-type': '2' })
        if (token) query.set('continuation-token', token)
        const watch = watchStore()
        const { body } = await send(`${root}?${query.toString()}`, [200], {}, watch)
        const page = body ? await text(streamOf(body, watch)) : ''
        for (const [, entry = ''] of page.matchAll(/<Contents>(.*?)<\/Contents>/gs)) {
          const key = textOf(entry, 'Key')
          if (key && isListed(key))
            yield { key, modifiedAt: new Date(textOf(entry, 'LastModified') ?? 0) }
        }
        token = textOf(page, 'NextContinuationToken')
      } while (token)
    },
  }
}

/** Our keys and continuation tokens contain no XML-escaped character but `&`. */
function textOf(xml: string, element: string): string | undefined {
  const match = new RegExp(`<${element}>([^<]*)</${element}>`).exec(xml)
  return match?.[1]?.replaceAll('&amp;', '&')
}
