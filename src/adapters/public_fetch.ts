import { Resolver } from 'node:dns/promises'
import type { IncomingMessage } from 'node:http'
import { request } from 'node:https'
import { connect as connectTcp, type Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'
import { addressOf, isPublicAddress, publicHttpsFault } from '../core/public_urls.ts'

/** What a public host answered. Only the body of a 200 is read. */
export interface PublicAnswer {
  status: number
  body: unknown
  /** For how long the host says that the answer holds; undefined where it says nothing. */
  freshSeconds: number | undefined
}

/** Gets a JSON document of the public internet for a client, or throws a PublicFetchError. */
export type PublicFetch = (url: string, client: string) => Promise<PublicAnswer>

export interface PublicFetchParts {
  /** Every address of a host name. */
  resolve?: (hostname: string) => Promise<string[]>
  /** Begins a connection to an address that was checked. */
  connect?: (address: string, port: number) => Socket
  /** Certificates, in PEM, that are trusted in place of the public authorities. */
  trustedRoots?: string[]
  timeLimitMilliseconds?: number
}

/** There is no answer that could be used; the message says why and names no address. */
export class PublicFetchError extends Error {}

/** Nobody was asked, because too many others are being asked at this moment. */
export class PublicFetchBusy extends PublicFetchError {}

const maxBytes = 64 * 1024
const maxUnderWay = 32
/** Hosts that never answer must not let one client use all of it up. */
const maxUnderWayOfClient = 4

/**
 * A fetch for URLs that strangers name. It reaches public https hosts at their usual port and
 * nothing else: a host's addresses are looked up once, each of them must be public, and the
 * connection goes to one of those that were checked, whatever the name means a moment later.
 * Redirects are not followed. Questions for one URL that is under way share its answer.
 */
export function createPublicFetch(parts: PublicFetchParts = {}): PublicFetch {
  const underWay = new Map<string, { client: string; answer: Promise<PublicAnswer> }>()
  return (url, client) => {
    const asked = underWay.get(url)
    if (asked) return asked.answer
    const own = [...underWay.values()].filter((other) => other.client === client)
    if (underWay.size >= maxUnderWay || own.length >= maxUnderWayOfClient)
      return Promise.reject(new PublicFetchBusy('Too many documents are being fetched.'))
    const answer = fetchOnce(parts, url).finally(() => underWay.delete(url))
    underWay.set(url, { client, answer })
    return answer
  }
}

async function fetchOnce(parts: PublicFetchParts, text: string): Promise<PublicAnswer> {
  const fault = publicHttpsFault(text)
  if (fault !== undefined) throw new PublicFetchError(`The URL ${fault}.`)
  const url = new URL(text)
  if (url.port !== '') throw new PublicFetchError('The URL has a port of its own.')

  const deadline = new AbortController()
  const tooLate = new PublicFetchError('The host took too long to answer.')
  const timer = setTimeout(() => deadline.abort(tooLate), parts.timeLimitMilliseconds ?? 5000)
  try {
    const address = await within(deadline.signal, publicAddressOf(parts, url))
    return await within(deadline.signal, exchange(parts, url, address, deadline.signal))
  } catch (error) {
    if (error instanceof PublicFetchError) throw error
    throw new PublicFetchError('The host could not be reached.', { cause: error })
  } finally {
    clearTimeout(timer)
  }
}

/** The work's outcome, or the deadline's reason where that comes first. */
function within<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason as PublicFetchError))
    work.then(resolve, reject)
  })
}

/** The address to connect to. One that is not public condemns the host with all its others. */
async function publicAddressOf({ resolve }: PublicFetchParts, url: URL): Promise<string> {
  const literal = addressOf(url)
  const addresses = literal ? [literal] : await (resolve ?? resolveName)(url.hostname)
  const [first] = addresses
  // A name that does not exist and one that leads inside answer alike: neither is told about.
  if (first === undefined || !addresses.every(isPublicAddress))
    throw new PublicFetchError('The host could not be reached.')
  return first
}

/**
 * Asks the name servers directly. The system's own look-up would also know the names of this
 * machine, and would hold a thread that files and images share.
 */
async function resolveName(hostname: string): Promise<string[]> {
  const resolver = new Resolver({ timeout: 2000, tries: 2 })
  const found = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)])
  return found.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []))
}

function exchange(
  { connect = connectTcp4or6, trustedRoots }: PublicFetchParts,
  url: URL,
  address: string,
  signal: AbortSignal,
): Promise<PublicAnswer> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(signal.reason as PublicFetchError)
    const socket = connect(address, 443)
    const failed = (error: Error) => {
      socket.destroy()
      reject(error)
    }
    socket.on('error', failed)
    const tls = connectTls({
      socket,
      host: url.hostname.replace(/^\[|\]$/g, ''),
      ...(addressOf(url) === undefined ? { servername: url.hostname } : {}),
      ...(trustedRoots ? { ca: trustedRoots } : {}),
      ALPNProtocols: ['http/1.1'],
      minVersion: 'TLSv1.2',
    })
    const asking = request(url, {
      createConnection: () => tls,
      headers: { Accept: 'application/json', 'Accept-Encoding': 'identity', Connection: 'close' },
      signal,
    })
    asking.on('error', failed)
    asking.on('close', () => socket.destroy())
    asking.on('response', (response) => {
      answerOf(response)
        .then(resolve, failed)
        .finally(() => asking.destroy())
    })
    asking.end()
  })
}

/** An address in text form is not looked up again. */
function connectTcp4or6(address: string, port: number): Socket {
  return connectTcp({ host: address, port })
}

async function answerOf(response: IncomingMessage): Promise<PublicAnswer> {
  const status = response.statusCode ?? 0
  const { headers } = response
  if (status !== 200) return { status, body: undefined, freshSeconds: undefined }
  if (!/^application\/([\w.-]+\+)?json *(;|$)/i.test(headers['content-type'] ?? ''))
    throw new PublicFetchError('The answer is not JSON by its content type.')
  if (!/^(identity)?$/i.test(headers['content-encoding'] ?? ''))
    throw new PublicFetchError('The answer is compressed.')

  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of response as AsyncIterable<Buffer>) {
    size += chunk.length
    if (size > maxBytes) throw new PublicFetchError(`The answer is larger than ${maxBytes} bytes.`)
    chunks.push(chunk)
  }
  return { status, body: parsed(Buffer.concat(chunks)), freshSeconds: freshSecondsOf(headers) }
}

function parsed(bytes: Buffer): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  } catch {
    throw new PublicFetchError('The answer is not JSON.')
  }
}

/** As a shared cache counts it (RFC 9111): directives before dates, less the age it already has. */
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
