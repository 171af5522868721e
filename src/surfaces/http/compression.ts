import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Transform } from 'node:stream'
import {
  brotliCompressSync,
  type BrotliOptions,
  constants,
  createBrotliCompress,
  createGzip,
  gzipSync,
} from 'node:zlib'

/**
 * JSON is compressed for clients that ask for it. At the lowest levels a list of 20 products shrinks from
 * 34 to 6.6 kB in 0.23 ms, 7 % of the cost of the list (`npm run bench`); higher levels cost twice as much
 * for a twentieth of the size. Only the API does so: a stranger's page cannot make a browser send its
 * bearer credentials, so the sizes of its answers reveal no secret.
 */
export type Encoding = 'br' | 'gzip'

const minBytes = 1024
/** Above this size, compressing would block the event loop for more than a millisecond or two. */
const maxBytesAtOnce = 256 * 1024

const brotli: BrotliOptions = {
  params: {
    [constants.BROTLI_PARAM_QUALITY]: 1,
    // The size of the window that each answer in progress needs: 256 kB instead of 4 MB.
    [constants.BROTLI_PARAM_LGWIN]: 18,
  },
}
const gzip = { level: 1 }

/** How a body is sent: already encoded, encoded while it is read, or as it is. */
export type Coding =
  | { body: Buffer; stream?: undefined }
  | { body?: undefined; stream: Transform }
  | undefined

/**
 * Compresses a JSON body if the client accepts that, and says so in the headers. Without a body, the parts
 * that follow will be compressed.
 */
export function codingOf(
  request: IncomingMessage,
  response: ServerResponse,
  body: string | Buffer | undefined,
): Coding {
  const length = body === undefined ? Infinity : Buffer.byteLength(body)
  if (length <= minBytes || !isJson(response)) return undefined
  addVary(response, 'Accept-Encoding')
  const encoding = encodingFor(request.headers['accept-encoding'])
  if (!encoding) return undefined
  response.setHeader('Content-Encoding', encoding)
  weaken(response)
  if (body === undefined || length > maxBytesAtOnce)
    return { stream: encoding === 'br' ? createBrotliCompress(brotli) : createGzip(gzip) }
  return { body: encoding === 'br' ? brotliCompressSync(body, brotli) : gzipSync(body, gzip) }
}

function isJson(response: ServerResponse): boolean {
  return String(response.getHeader('Content-Type')).startsWith('application/json')
}

/** The tag is that of the uncompressed form. Compressed bytes differ, so it is only weakly the same. */
function weaken(response: ServerResponse): void {
  const etag = response.getHeader('ETag')
  if (typeof etag === 'string' && etag.startsWith('"')) response.setHeader('ETag', `W/${etag}`)
}

export function addVary(response: ServerResponse, name: string): void {
  const listed = response.getHeader('Vary')
  if (String(listed).includes(name)) return
  response.setHeader('Vary', listed === undefined ? name : `${String(listed)}, ${name}`)
}

/** The best encoding that an `Accept-Encoding` header allows; undefined for none. */
export function encodingFor(header: string | string[] | undefined): Encoding | undefined {
  if (header === undefined) return undefined
  const allowed = new Map<string, boolean>()
  for (const item of String(header).toLowerCase().split(',')) {
    const [name = '', ...parameters] = item.split(';').map((part) => part.trim())
    allowed.set(name, !parameters.some((parameter) => /^q=0(\.0*)?$/.test(parameter)))
  }
  const accepts = (name: Encoding) => allowed.get(name) ?? allowed.get('*') ?? false
  return (['br', 'gzip'] as const).find(accepts)
}
