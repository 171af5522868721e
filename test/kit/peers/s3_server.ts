import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface S3Server {
  settings: {
    endpoint: string
    region: string
    bucket: string
    accessKeyId: string
    secretAccessKey: string
  }
  objects: Map<string, { bytes: Buffer; type: string; modifiedAt: Date }>
  /** Every accepted request, as `METHOD key`. */
  seen: string[]
  /** Answers the next requests with 503. */
  failNext(times: number): void
  close(): Promise<void>
}

const hmac = (key: Buffer | string, text: string) => createHmac('sha256', key).update(text).digest()
const sha256 = (bytes: Buffer | string) => createHash('sha256').update(bytes).digest('hex')

/** RFC 3986 as AWS applies it: escapes everything but unreserved characters. */
const escaped = (text: string) =>
  encodeURIComponent(text).replace(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  )

/** An S3 server on loopback, with path-style addressing, that verifies AWS Signature Version 4. */
export async function startS3Server({ pageSize = 1000 } = {}): Promise<S3Server> {
  const objects: S3Server['objects'] = new Map()
  const seen: string[] = []
  const keys = { accessKeyId: 'AKIATEST', secretAccessKey: 'a secret/of+the tests' }
  const place = { region: 'eu-north-1', bucket: 'media-bucket' }
  const uploads = new Map<string, Map<number, { bytes: Buffer; tag: string }>>()
  let failures = 0

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = Buffer.concat((await request.toArray()) as Buffer[])
    const fault = signatureFault(request, body, { ...keys, region: place.region })
    if (fault) return refuse(response, 403, fault)
    if (failures > 0) {
      failures--
      return refuse(response, 503, 'SlowDown')
    }
    const url = new URL(request.url ?? '', 'http://s3')
    const [, bucket, ...rest] = decodeURIComponent(url.pathname).split('/')
    const key = rest.join('/')
    seen.push(`${request.method} ${key}`)
    if (bucket !== place.bucket) return refuse(response, 404, 'NoSuchBucket')
    if (key === '') return list(response, url.searchParams)
    if (url.searchParams.has('uploads') || url.searchParams.has('uploadId'))
      return inParts(request.method ?? '', key, url.searchParams, body, response)
    if (request.method === 'PUT') {
      const type = request.headers['content-type'] ?? ''
      objects.set(key, { bytes: body, type, modifiedAt: new Date() })
      return void response.writeHead(200).end()
    }
    if (request.method === 'DELETE') {
      objects.delete(key)
      return void response.writeHead(204).end()
    }
    return get(request, response, key)
  }

  /** An upload in parts, which becomes an object when it is completed. */
  function inParts(
    method: string,
    key: string,
    query: URLSearchParams,
    body: Buffer,
    response: ServerResponse,
  ): void {
    if (query.has('uploads')) {
      const id = `upload/${uploads.size + 1}+`
      uploads.set(id, new Map())
      const xml = `<InitiateMultipartUploadResult><UploadId>${id}</UploadId></InitiateMultipartUploadResult>`
      return void response.writeHead(200).end(xml)
    }
    const id = query.get('uploadId') ?? ''
    const parts = uploads.get(id)
    if (!parts) return refuse(response, 404, 'NoSuchUpload')
    if (method === 'PUT') {
      const tag = `"${sha256(body).slice(0, 32)}"`
      parts.set(Number(query.get('partNumber')), { bytes: body, tag })
      return void response.writeHead(200, { ETag: tag }).end()
    }
    uploads.delete(id)
    if (method === 'DELETE') return void response.writeHead(204).end()
    const named = [...body.toString().matchAll(/<PartNumber>(\d+)<\/PartNumber><ETag>([^<]+)</g)]
    const chosen = named.map(([, number, tag]) => {
      const part = parts.get(Number(number))
      return part && part.tag === tag ? part.bytes : undefined
    })
    const isWhole = chosen.every(
      (bytes, index) => bytes && (index === chosen.length - 1 || bytes.length >= 5_242_880),
    )
    if (!isWhole) return refuse(response, 400, 'InvalidPart')
    objects.set(key, { bytes: Buffer.concat(chosen as Buffer[]), type: '', modifiedAt: new Date() })
    response.writeHead(200).end('<CompleteMultipartUploadResult/>')
  }

  function get(request: IncomingMessage, response: ServerResponse, key: string): void {
    const object = objects.get(key)
    if (!object) return refuse(response, 404, 'NoSuchKey')
    const { length } = object.bytes
    const range = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? '')
    const [start, end] = range ? [Number(range[1]), Number(range[2])] : [0, length - 1]
    const bytes = object.bytes.subarray(start, end + 1)
    response.writeHead(range ? 206 : 200, {
      'Content-Type': object.type,
      'Content-Length': bytes.length,
      ...(range ? { 'Content-Range': `bytes ${start}-${end}/${length}` } : {}),
    })
    response.end(request.method === 'HEAD' ? undefined : bytes)
  }

  function list(response: ServerResponse, query: URLSearchParams): void {
    const all = [...objects.keys()].sort()
    // The token contains characters that need escaping in a URL and in XML.
    const from = Number((query.get('continuation-token') ?? 'at+&0').slice('at+&'.length))
    const contents = all.slice(from, from + pageSize).map((key) => {
      const modified = objects.get(key)?.modifiedAt.toISOString()
      return `<Contents><Key>${key}</Key><LastModified>${modified}</LastModified></Contents>`
    })
    const next = from + pageSize
    const token =
      next < all.length ? `<NextContinuationToken>at+&amp;${next}</NextContinuationToken>` : ''
    const xml = `<?xml version="1.0"?><ListBucketResult>${contents.join('')}${token}</ListBucketResult>`
    response.writeHead(200, { 'Content-Type': 'application/xml' }).end(xml)
  }

  const server = createServer((request, response) => void answer(request, response))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    settings: { endpoint, ...place, ...keys },
    objects,
    seen,
    failNext: (times) => (failures = times),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

function refuse(response: ServerResponse, status: number, code: string): void {
  response.writeHead(status, { 'Content-Type': 'application/xml' })
  response.end(`<Error><Code>${code}</Code></Error>`)
}

/** The error code for a bad signature; undefined if it is valid. */
function signatureFault(
  request: IncomingMessage,
  body: Buffer,
  expected: { accessKeyId: string; secretAccessKey: string; region: string },
): string | undefined {
  const { headers, method = '' } = request
  const parsed =
    /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8})\/([^/]+)\/s3\/aws4_request, SignedHeaders=([^,]+), Signature=([0-9a-f]{64})$/.exec(
      headers.authorization ?? '',
    )
  if (!parsed) return 'AccessDenied'
  const [, id, day = '', region, names = '', sentSignature = ''] = parsed
  if (id !== expected.accessKeyId || region !== expected.region) return 'InvalidAccessKeyId'
  const contentHash = String(headers['x-amz-content-sha256'])
  if (contentHash !== 'UNSIGNED-PAYLOAD' && contentHash !== sha256(body))
    return 'XAmzContentSHA256Mismatch'
  if (method === 'PUT' && contentHash === 'UNSIGNED-PAYLOAD') return 'UnsignedPayload'
  const url = new URL(request.url ?? '', 'http://s3')
  const query = [...url.searchParams]
    .map(([name, value]) => `${escaped(name)}=${escaped(value)}`)
    .sort()
  const canonical = [
    method,
    decodeURIComponent(url.pathname).split('/').map(escaped).join('/'),
    query.join('&'),
    ...names.split(';').map((name) => `${name}:${String(headers[name]).trim()}`),
    '',
    names,
    contentHash,
  ].join('\n')
  const scope = `${day}/${region}/s3/aws4_request`
  const text = ['AWS4-HMAC-SHA256', headers['x-amz-date'], scope, sha256(canonical)].join('\n')
  const signing = [day, expected.region, 's3', 'aws4_request'].reduce<Buffer>(
    (key, part) => hmac(key, part),
    Buffer.from(`AWS4${expected.secretAccessKey}`),
  )
  const signature = hmac(signing, text)
  const matches = timingSafeEqual(signature, Buffer.from(sentSignature, 'hex'))
  return matches ? undefined : 'SignatureDoesNotMatch'
}
