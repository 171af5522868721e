import { Resolver } from 'node:dns/promises'
import type { IncomingMessage } from 'node:http'
import { request } from 'node:https'
import { connect as connectTcp, type Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'
import { connectThroughProxy } from './outbound_proxy.ts'
import {
  addressOf,
  isPublicAddress,
  privateNameFault,
  publicHttpsFault,
} from '../core/public_urls.ts'

/** A public host's answer. The body is read only on 200. */
export interface PublicAnswer {
  status: number
  body: unknown
  /** Freshness stated by the host; undefined if it states none. */
  freshSeconds: number | undefined
}

/** Fetches a public JSON document for a client, or throws a PublicFetchError. */
export type PublicFetch = (url: string, client: string) => Promise<PublicAnswer>

export interface PublicFetchParts {
  /** All addresses of a host name. */
  resolve?: (hostname: string) => Promise<string[]>
  /** Connects to a checked address. */
  connect?: (address: string, port: number) => Socket
  /** PEM certificates trusted instead of the public authorities. */
  trustedRoots?: string[]
  timeLimitMilliseconds?: number
  /** Some hosts refuse a request that does not say who asks. */
  userAgent?: string
  /** Every connection goes through this proxy, which then resolves the names. */
  proxy?: URL
}

/** No usable answer; the message says why without naming an address. */
export class PublicFetchError extends Error {}

/** Not attempted: the URL is not one of a public https host. */
export class UnfitUrl extends PublicFetchError {}

/** Not attempted: the name has no address, or one that is not public. Which, is not told. */
export class UnresolvedHost extends PublicFetchError {}

/** Not attempted: too many fetches are in progress. */
export class PublicFetchBusy extends PublicFetchError {}

const maxBytes = 64 * 1024
const maxUnderWay = 32
/** Per client, so that one client with dead hosts cannot use up the pool. */
const maxUnderWayOfClient = 4

/**
 * Fetch for untrusted URLs. It only reaches public https hosts on port 443: the host is resolved
 * once, every address must be public, and the connection is pinned to a checked address, so DNS
 * rebinding has no effect; behind a proxy that is the proxy's task. Redirects are not followed.
 * Concurrent fetches of one URL share one request.
 */
export function createPublicFetch(parts: PublicFetchParts = {}): PublicFetch {
  const { timeLimitMilliseconds = 5000 } = parts
  const request: PublicRequest = { accept: 'application/json', timeLimitMilliseconds }
  const underWay = new Map<string, { client: string; answer: Promise<PublicAnswer> }>()
  return (url, client) => {
    const pending = underWay.get(url)
    if (pending) return pending.answer
    const own = [...underWay.values()].filter((other) => other.client === client)
    if (underWay.size >= maxUnderWay || own.length >= maxUnderWayOfClient)
      return Promise.reject(new PublicFetchBusy('Too many documents are being fetched.'))
    const answer = askPublicHost(parts, url, request, answerOf).finally(() => underWay.delete(url))
    underWay.set(url, { client, answer })
    return answer
  }
}

/** What is asked for, and how long the whole exchange may take. */
export interface PublicRequest {
  accept: string
  timeLimitMilliseconds: number
  /** Ends the exchange early. */
  signal?: AbortSignal
  /** Posted; without it the host is asked by GET. */
  body?: string
  /** Beside those of every request. */
  headers?: Record<string, string>
}

type Read<T> = (response: IncomingMessage) => Promise<T>

/** Asks a public host, as described above, and reads its answer before the connection ends. */
export async function askPublicHost<T>(
  parts: PublicFetchParts,
  text: string,
  request: PublicRequest,
  read: Read<T>,
): Promise<T> {
  const fault = publicHttpsFault(text)
  if (fault === privateNameFault) throw new UnresolvedHost(`The URL ${fault}.`)
  if (fault !== undefined) throw new UnfitUrl(`The URL ${fault}.`)
  const url = new URL(text)
  if (url.port !== '') throw new UnfitUrl('The URL has a port of its own.')

  const deadline = new AbortController()
  const tooLate = new PublicFetchError('The host took too long to answer.')
  const timer = setTimeout(() => deadline.abort(tooLate), request.timeLimitMilliseconds)
  const signal = request.signal
    ? AbortSignal.any([deadline.signal, request.signal])
    : deadline.signal
  try {
    const socket = await within(signal, openSocket(parts, url, signal))
    return await within(signal, exchange(parts, url, request, socket, signal, read))
  } catch (error) {
    if (error instanceof PublicFetchError) throw error
    throw new PublicFetchError('The host could not be reached.', { cause: error })
  } finally {
    clearTimeout(timer)
  }
}

/** Ends with the work, or rejects with the signal's reason if that comes first. */
function within<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(signal.reason as PublicFetchError)
    signal.addEventListener('abort', () => reject(signal.reason as PublicFetchError))
    work.then(resolve, reject)
  })
}

async function openSocket(parts: PublicFetchParts, url: URL, signal: AbortSignal): Promise<Socket> {
  const { proxy, connect = connectTcp4or6 } = parts
  if (proxy) return connectThroughProxy(proxy, { hostname: url.hostname, port: 443 }, signal)
  const address = await publicAddressOf(parts, url)
  if (signal.aborted) throw signal.reason as PublicFetchError
  return connect(address, 443)
}

/** The address to connect to. A single non-public address disqualifies the host. */
async function publicAddressOf({ resolve }: PublicFetchParts, url: URL): Promise<string> {
  const literal = addressOf(url)
  const addresses = literal ? [literal] : await (resolve ?? resolveName)(url.hostname)
  const [first] = addresses
  // Unknown names and internal ones fail alike: neither may be probed.
  if (first === undefined || !addresses.every(isPublicAddress))
    throw new UnresolvedHost('The host could not be reached.')
  return first
}

/**
 * Queries the name servers directly. The system resolver also knows this machine's own names, and
 * it blocks a thread of the pool that file and image work shares.
 */
async function resolveName(hostname: string): Promise<string[]> {
  const resolver = new Resolver({ timeout: 2000, tries: 2 })
  const answers = await Promise.allSettled([
    resolver.resolve4(hostname),
    resolver.resolve6(hostname),
  ])
  return answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []))
}

function exchange<T>(
  { trustedRoots, userAgent = 'Vitrine' }: PublicFetchParts,
  url: URL,
  { accept, body, headers }: PublicRequest,
  socket: Socket,
  signal: AbortSignal,
  read: Read<T>,
): Promise<T> {
  return new Promise((resolve, reject) => {
    const fail = (error: Error) => {
      socket.destroy()
      reject(error)
    }
    socket.on('error', fail)
    if (signal.aborted) return fail(signal.reason as PublicFetchError)
    const tls = connectTls({
      socket,
      host: url.hostname.replace(/^\[|\]$/g, ''),
      ...(addressOf(url) === undefined ? { servername: url.hostname } : {}),
      ...(trustedRoots ? { ca: trustedRoots } : {}),
      ALPNProtocols: ['http/1.1'],
      minVersion: 'TLSv1.2',
    })
    const outgoing = request(url, {
      createConnection: () => tls,
      method: body === undefined ? 'GET' : 'POST',
      headers: {
        ...headers,
        Accept: accept,
        'Accept-Encoding': 'identity',
        Connection: 'close',
        'User-Agent': userAgent,
      },
      signal,
    })
    outgoing.on('error', fail)
    outgoing.on('close', () => socket.destroy())
    outgoing.on('response', (response) => {
      read(response)
        .then(resolve, fail)
        .finally(() => outgoing.destroy())
    })
    outgoing.end(body)
  })
}

/** Literal addresses are not resolved. */
function connectTcp4or6(address: string, port: number): Socket {
  return connectTcp({ host: address, port })
}

async function answerOf(response: IncomingMessage): Promise<PublicAnswer> {
  const status = response.statusCode ?? 0
  const { headers } = response
  if (status !== 200) return { status, body: undefined, freshSeconds: undefined }
  if (!/^application\/([\w.-]+\+)?json *(;|$)/i.test(headers['content-type'] ?? ''))
    throw new PublicFetchError('The answer is not JSON by its content type.')
  const bytes = await bytesOf(response, maxBytes)
  return { status, body: parseJson(bytes), freshSeconds: freshSecondsOf(headers) }
}

/** The answer is larger than it may be. */
export class AnswerTooLarge extends PublicFetchError {}

/** The body of an answer, which is given up as soon as it is too large. */
export async function bytesOf(response: IncomingMessage, limit: number): Promise<Buffer> {
  const tooLarge = () => new AnswerTooLarge(`The answer is larger than ${limit} bytes.`)
  const { headers } = response
  if (!/^(identity)?$/i.test(headers['content-encoding'] ?? ''))
    throw new PublicFetchError('The answer is compressed.')
  if (Number(headers['content-length'] ?? 0) > limit) throw tooLarge()
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of response as AsyncIterable<Buffer>) {
    size += chunk.length
    if (size > limit) throw tooLarge()
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

function parseJson(bytes: Buffer): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  } catch {
    throw new PublicFetchError('The answer is not JSON.')
  }
}

/** Freshness as a shared cache computes it (RFC 9111): directives before dates, minus Age. */
function freshSecondsOf(headers: IncomingMessage['headers']): number | undefined {
  const control = headers['cache-control'] ?? ''
  if (/(^|[\s,])(no-store|no-cache|private)\b/i.test(control)) return 0
  const directive = (name: string) =>
    new RegExp(`(?:^|[\\s,])${name}="?(\\d{1,9})`, 'i').exec(control)?.[1]
  const lifetime = directive('s-maxage') ?? directive('max-age')
  const age = /^\d{1,9}$/.test(headers.age ?? '') ? Number(headers.age) : 0
  if (lifetime !== undefined) return Math.max(0, Number(lifetime) - age)
  const expires = Date.parse(headers.expires ?? '')
  if (headers.expires === undefined) return undefined
  const seconds = (expires - Date.parse(headers.date ?? '')) / 1000
  return Number.isFinite(seconds) ? Math.max(0, Math.floor(seconds) - age) : 0
}
